# arena.csv as tables of Markdown.  -v count= time= files= machine= random= sections=
# Fields in quotes hold commas.
function split_line(line, f,    n, quoted, i, c) {
    n = 1
    f[1] = ""
    quoted = 0
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") quoted = !quoted
        else if (c == "," && !quoted) f[++n] = ""
        else f[n] = f[n] c
    }
    return n
}
NR == 1 { next }
{
    split_line($0, f)
    section = f[1]; key = f[2] SUBSEP f[3] SUBSEP f[5]; spec = f[9]
    if (section == "files" && f[6] != "") {
        fits[f[2]] = f[12]; seconds[f[2]] = f[13]; capacity[f[2]] = f[6]
        next
    }
    if (!((section, key) in seen)) {
        seen[section, key] = 1
        keys[section, ++n_keys[section]] = key
        buffers[section, key] = f[7]; load[section, key] = f[8]
    }
    if (!((section, spec) in has)) { has[section, spec] = 1; specs[section, ++n_specs[section]] = spec }
    height[section, key, spec] = f[10]
    if (f[10] != "" && f[10] == f[11]) least[section, key] = 1
    if (f[10] != "" && f[8] > 0) add(section, f[3], f[5], spec, f[10] / f[8])
}
function add(section, order, alignment, spec, ratio,    k) {
    k = section SUBSEP order SUBSEP alignment SUBSEP spec
    value[k, ++n_value[k]] = ratio
}
# Sorts the ratios of a group in place (insertion: a hundred of them at most).
function sort_group(k,    i, j, v) {
    for (i = 2; i <= n_value[k]; i++) {
        v = value[k, i]
        for (j = i - 1; j >= 1 && value[k, j] > v; j--) value[k, j + 1] = value[k, j]
        value[k, j + 1] = v
    }
}
function cell(section, key, spec,    h) {
    h = height[section, key, spec]
    if (h == "") return "-"
    return load[section, key] > 0 ? sprintf("%.4f", h / load[section, key]) : "-"
}
function table(section, first,    i, j, key, part) {
    printf "\n| %s | buffers | load |", first
    for (j = 1; j <= n_specs[section]; j++) printf " %s |", specs[section, j]
    printf " proven |\n| --- | ---: | ---: |"
    for (j = 1; j <= n_specs[section]; j++) printf " ---: |"
    printf " --- |\n"
    for (i = 1; i <= n_keys[section]; i++) {
        key = keys[section, i]
        split(key, part, SUBSEP)
        printf "| %s%s | %s | %s |", part[1], part[2] != "" && section != "robson" ? ", " part[2] : "", buffers[section, key], load[section, key]
        for (j = 1; j <= n_specs[section]; j++) printf " %s |", cell(section, key, specs[section, j])
        printf " %s |\n", least[section, key] ? "least" : ""
    }
}
# Median, 95 % and worst of a section's ratios, by order and alignment.
function groups(section,    k, part, i, j, name, n, names, order_seen) {
    printf "\n| order | alignment | allocator | orders | median | 95 %% | worst | equal to the load |\n| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |\n"
    n = 0
    for (i = 1; i <= n_keys[section]; i++) {
        split(keys[section, i], part, SUBSEP)
        name = part[2] SUBSEP part[3]
        if (!(name in order_seen)) { order_seen[name] = 1; names[++n] = name }
    }
    for (i = 1; i <= n; i++)
        for (j = 1; j <= n_specs[section]; j++) {
            k = section SUBSEP names[i] SUBSEP specs[section, j]
            if (!n_value[k]) continue
            sort_group(k)
            equal = 0
            while (equal < n_value[k] && value[k, equal + 1] == 1) equal++
            split(names[i], part, SUBSEP)
            printf "| %s | %s | %s | %d | %.4f | %.4f | %.4f | %.1f %% |\n", part[1], part[2], specs[section, j], n_value[k], value[k, int((n_value[k] + 1) / 2)], value[k, int((n_value[k] * 95 + 99) / 100)], value[k, n_value[k]], 100 * equal / n_value[k]
        }
}
END {
    print "# What addresses add to the peak"
    print ""
    print "Written by `make bench-arena` on " machine "."
    print "Figures are height / load: the end of the arena over the greatest sum of what is needed at once,"
    print "which is the logical peak of an order. Searches have " time " seconds on graphs, " files " on files."
    if (index(sections, "files") && n_keys["files"]) {
        print "\n## Files of buffers"
        table("files", "file")
        printf "\n| file | capacity | placed by exact | seconds |\n| --- | ---: | --- | ---: |\n"
        for (i = 1; i <= n_keys["files"]; i++) {
            split(keys["files", i], part, SUBSEP)
            if (part[1] in fits) printf "| %s | %s | %s | %.3f |\n", part[1], capacity[part[1]], fits[part[1]] == "true" ? "yes" : "no", seconds[part[1]]
        }
    }
    if (index(sections, "random")) {
        print "\n## Random lifetimes"
        print "\n" count " arenas of each law; the share in the last but one column needs no more than the load.\n"
        line = 0
        while ((getline text < random) > 0) {
            gsub(/\t/, " | ", text)
            print "| " text " |"
            if (++line == 1) print "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
        }
    }
    if (index(sections, "robson") && n_keys["robson"]) {
        print "\n## Requests that follow first-fit (family robson)"
        print "\nThe peak is the number of units; first-fit needs 1 + stages / 2 times that, less (2^stages - 1) /"
        print "units. A pool of size classes does not cure it; offsets that know all lifetimes do."
        table("robson", "instance")
    }
    if (index(sections, "graphs") && n_keys["graphs"]) {
        print "\n## Real graphs and nets"
        groups("graphs")
        groups("aligned")
        table("graphs", "graph, order")
    }
}
