# Tables of bench-memory.sh out of `highwater table --show units --format csv`.
#
#   awk -v heights=FILE -v csv=FILE -f bench-memory.awk UNITS
#
# Writes Markdown to standard output and every figure in bytes to the file csv.
# heights: lines instance,accounting,order,height,bound,load.
BEGIN {
    FS = ","
    while ((getline line < heights) > 0) {
        split(line, f, ",")
        height[f[1], f[2], f[3]] = f[4]
        height_bound[f[1], f[2], f[3]] = f[5]
        load[f[1], f[2], f[3]] = f[6]
    }
}

NR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    n_rules = split("source level dfs greedy portfolio_peak", rule, " ")
    next
}

{
    key = $column["instance"] SUBSEP $column["accounting"]
    if (!(key in seen)) {
        seen[key] = 1
        if (!($column["instance"] in nodes))
            name[++n_names] = $column["instance"]
        nodes[$column["instance"]] = $column["nodes"]
    }
    at = $column["section"] SUBSEP key
    best = bound = ""
    for (i = 1; i <= n_rules; i++) {
        peak[at, i] = $column[rule[i]]
        if (peak[at, i] != "" && (best == "" || peak[at, i] + 0 < best + 0))
            best = peak[at, i]
    }
    if ($column["exact_peak"] != "" && $column["exact_peak"] + 0 < best + 0)
        best = $column["exact_peak"]
    bound = $column["exact_bound"]
    if ($column["portfolio_bound"] + 0 > bound + 0)
        bound = $column["portfolio_bound"]
    least[at] = best
    below[at] = bound
}

function over(x, y) { return y + 0 > 0 ? 100 * (x - y) / y : 0 }

function percent(x, y,    p)
{
    if (x == "" || y == "")
        return "-"
    p = over(x, y)
    return p == 0 ? "0" : sprintf("%+.1f", p)
}

function bytes(x)
{
    if (x == "")
        return "-"
    if (x >= 1073741824)
        return sprintf("%.2f GiB", x / 1073741824)
    if (x >= 1048576)
        return sprintf("%.2f MiB", x / 1048576)
    return x >= 1024 ? sprintf("%.1f KiB", x / 1024) : x " B"
}

function fragmentation(instance, accounting, order,    h, l)
{
    h = height[instance, accounting, order]
    l = load[instance, accounting, order]
    if (h == "")
        return "-"
    return sprintf("%.3f%s", l > 0 ? h / l : 1, h == height_bound[instance, accounting, order] ? "" : " ?")
}

function table(accounting,    k, i, at, best, matters, views, places, n)
{
    printf "\n## %s\n\n", accounting
    print "| graph | nodes | optimum | source | level | dfs | greedy | portfolio | without views | without in-place | without both | arena, source | arena, best |"
    print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for (k = 1; k <= n_names; k++) {
        at = "whole" SUBSEP name[k] SUBSEP accounting
        best = least[at]
        n++
        printf "| %s | %d | %s%s |", name[k], nodes[name[k]], best == below[at] ? "" : "<= ", bytes(best)
        for (i = 1; i <= n_rules; i++)
            printf " %s |", percent(peak[at, i], best)
        split("no-views no-inplace plain", part, " ")
        for (i = 1; i <= 3; i++)
            printf " %s |", percent(least[part[i] SUBSEP name[k] SUBSEP accounting], best)
        printf " %s | %s |\n", fragmentation(name[k], accounting, "source"), \
            fragmentation(name[k], accounting, "portfolio")
        matters += over(peak[at, 1], best) > 0
        much += over(peak[at, 1], best) > 10
        views += over(least["no-views" SUBSEP name[k] SUBSEP accounting], best) > 0
        places += over(least["no-inplace" SUBSEP name[k] SUBSEP accounting], best) > 0
        proven += best == below[at]
        for (i = 1; i <= n_rules; i++)
            worst[i] = over(peak[at, i], best) > worst[i] ? over(peak[at, i], best) : worst[i]
    }
    printf "\nOf %d graphs the best peak is proven optimal for %d; the source order is above it on %d (by more than\n", n, proven, matters
    printf "10 %% on %d), views lower the optimum of %d, in-place operators that of %d.\n", much, views, places
    printf "Furthest above the best peak: source %+.1f %%, level %+.1f %%, dfs %+.1f %%, greedy %+.1f %%, portfolio %+.1f %%.\n", \
        worst[1], worst[2], worst[3], worst[4], worst[5]
    matters = much = views = places = proven = 0
    for (i = 1; i <= n_rules; i++)
        worst[i] = 0
}

END {
    table("alloc-first")
    table("free-first")
    print "instance,nodes,accounting,section,source,level,dfs,greedy,portfolio,best,bound,arena_source,arena_source_bound,arena_best,arena_best_bound" > csv
    split("alloc-first free-first", accounting, " ")
    split("whole no-views no-inplace plain", section, " ")
    for (k = 1; k <= n_names; k++)
        for (a = 1; a <= 2; a++)
            for (s = 1; s <= 4; s++) {
                at = section[s] SUBSEP name[k] SUBSEP accounting[a]
                line = name[k] "," nodes[name[k]] "," accounting[a] "," section[s]
                for (i = 1; i <= n_rules; i++)
                    line = line "," peak[at, i]
                line = line "," least[at] "," below[at]
                if (s == 1)
                    line = line "," height[name[k], accounting[a], "source"] "," \
                        height_bound[name[k], accounting[a], "source"] "," \
                        height[name[k], accounting[a], "portfolio"] "," \
                        height_bound[name[k], accounting[a], "portfolio"]
                else
                    line = line ",,,,"
                print line > csv
            }
}
