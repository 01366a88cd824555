# What each variant of exact took, from results lines: totals over all graphs.
# form=csv, or a table in Markdown.

# The value of a key of a flat JSON line, quotes undone.
function value(key,    at, rest) {
    at = index($0, "\"" key "\":")
    if (!at)
        return ""
    rest = substr($0, at + length(key) + 3)
    if (substr(rest, 1, 1) == "\"") {
        rest = substr(rest, 2)
        return substr(rest, 1, index(rest, "\"") - 1)
    }
    match(rest, /^[^,}]*/)
    return substr(rest, 1, RLENGTH)
}

# exact:r1=no -> without r1; exact:direction=forward -> direction=forward; ...
function name(solver,    n, part) {
    if (solver == "exact")
        return "all rules"
    sub(/^exact:/, "", solver)
    n = split(solver, part, ",")
    if (n > 1)
        return "none of them"
    if (sub(/=(no|0)$/, "", solver))
        return "without " solver
    return solver
}

{
    s = name(value("solver"))
    a = value("accounting")
    if (!(s in seen))
        order[++n] = s
    seen[s] = 1
    runs[s, a]++
    settled[s, a] += value("status") == "optimal"
    states[s, a] += value("states")
    seconds[s, a] += value("cpu_seconds")
}

END {
    if (!n)
        exit 1
    split("alloc-first free-first", acc, " ")
    if (form == "csv")
        print "accounting,variant,runs,settled,states,cpu_seconds"
    else {
        print "# What each rule of the exact solver is worth"
        print ""
        print "Written by `make bench-ablation`: random graphs of 64 and 100 nodes of every family (`scripts/suites/ablation.suite`),"
        print "all rules, each one off, none. A search ends after 200,000 prefixes. Totals over all graphs; runs"
        print "that are not settled count with the prefixes they had."
        print ""
        print "| accounting | variant | settled | prefixes | seconds |"
        print "| --- | --- | ---: | ---: | ---: |"
    }
    for (j = 1; j <= 2; j++)
        for (i = 1; i <= n; i++)
            if (form == "csv")
                printf "%s,%s,%d,%d,%.0f,%.3f\n", acc[j], order[i], runs[order[i], acc[j]], settled[order[i], acc[j]], states[order[i], acc[j]], seconds[order[i], acc[j]]
            else
                printf "| %s | %s | %d of %d | %.0f | %.1f |\n", acc[j], order[i], settled[order[i], acc[j]], runs[order[i], acc[j]], states[order[i], acc[j]], seconds[order[i], acc[j]]
}
