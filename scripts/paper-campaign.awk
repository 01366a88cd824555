# What a results file holds, as name,value: runs, instances, units, fates, times.

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

{
    runs++
    suite = value("suite")
    version = value("version")
    graph = value("graph")
    if (graph != "null" && graph != "" && !(graph in seen)) {
        seen[graph] = 1
        graphs++
    }
    unit = value("section") "|" value("family") "|" value("params") "|" value("index") "|" value("accounting") "|" value("pinned")
    if (!(unit in met)) {
        met[unit] = 1
        units++
        if (value("optimum") ~ /^[0-9]/)
            proven++
        # One that two sections draw is one; equal graphs of two families count apart.
        source = value("family") "|" value("params") "|" value("index")
        if (!(source in drawn)) {
            drawn[source] = 1
            instances++
        }
    }
    name = value("solver")
    sub(/:.*/, "", name)
    if (!(name in solver)) {
        solver[name] = 1
        solvers++
    }
    family = value("family")
    if (family != "file" && family != "nets" && !(family in families)) {
        families[family] = 1
        n_families++
    }
    fate[value("status")]++
    cpu += value("cpu_seconds")
    checked += value("checked_peak") ~ /^[0-9]/
    if (value("peak") != "null" && value("checked_peak") != "null" && value("peak") != value("checked_peak"))
        conflicts++
}

END {
    if (!runs)
        exit 1
    print "name,value"
    print "suite," suite
    print "version," version
    print "runs," runs
    print "instances," instances
    print "graphs," graphs
    print "units," units
    print "units_proven," proven + 0
    print "solvers," solvers
    print "families," n_families
    print "orders_checked," checked + 0
    print "conflicts," conflicts + 0
    printf "cpu_seconds,%.0f\n", cpu
    n = split("optimal feasible infeasible unknown stalled refused crashed timeout out-of-memory wrong error", known, " ")
    for (i = 1; i <= n; i++)
        print "status_" known[i] "," fate[known[i]] + 0
}
