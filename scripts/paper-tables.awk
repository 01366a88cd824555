# Tables of the paper, bodies of LaTeX tabulars made from committed CSV:
#
#   awk -v table=NAME -v folder=results [-v exact="SOLVER ..."] -f scripts/csv.awk -f scripts/paper-tables.awk
#
# NAME: overall, families, strata, exact, ablation, real, scale, arena.
function fail(text) {
    print "paper-tables: " text > "/dev/stderr"
    failed = 1
    exit 1
}

# The rows of a file: cell[row, name], row 1 .. rows.
function load(file,    path, line, field, n, i, head, got) {
    path = folder "/" file
    rows = -1
    while ((got = (getline line < path)) > 0) {
        if (line == "" || substr(line, 1, 1) == "#")
            continue
        n = csv_split(line, field)
        rows++
        for (i = 1; i <= n; i++)
            if (rows == 0)
                head[i] = field[i]
            else
                cell[rows, head[i]] = field[i]
    }
    close(path)
    if (got < 0 || rows < 1)
        fail(path " is not there or has no rows")
}

function percent(x) {
    return x == "" ? "--" : sprintf("%.1f", 100 * x)
}

function whole(x) {
    return x == "" ? "--" : sprintf("%.0f", 100 * x)
}

function of_hundred(x) {
    return x == "" ? "--" : sprintf(x + 0 >= 999.95 ? "%.0f" : "%.1f", x)
}

# A share and its interval.
function interval(row, what) {
    return percent(cell[row, what "_share"]) " & {\\tiny[" whole(cell[row, what "_low"]) ", " whole(cell[row, what "_high"]) "]}"
}

# key[1 .. n] by value[key], falling.
function sort(key, n, value,    i, j, k) {
    for (i = 2; i <= n; i++) {
        k = key[i]
        for (j = i - 1; j >= 1 && value[key[j]] < value[k]; j--)
            key[j + 1] = key[j]
        key[j + 1] = k
    }
}

function solver_name(s) {
    return "\\texttt{" tex_text(s) "}"
}

function bold(text, yes) {
    return yes ? "\\textbf{" text "}" : text
}

# ---- Every solver on the random graphs. ----

function overall(    i, n, name, at, a, acc, k, s, line, best, x, what, m, tail, text) {
    load("paper/stats.csv")
    for (i = 1; i <= rows; i++)
        tail[cell[i, "solver"], cell[i, "accounting"]] = cell[i, "p95_gap_percent"]
    load("paper/solvers.csv")
    for (i = 1; i <= rows; i++)
        cell[i, "tail"] = tail[cell[i, "solver"], cell[i, "accounting"]]
    for (i = 1; i <= rows; i++) {
        name = cell[i, "solver"]
        at[name, cell[i, "accounting"]] = i
        if (cell[i, "accounting"] == "alloc-first") {
            s[++n] = name
            value[name] = cell[i, "above_20_share"] - cell[i, "optimal_share"] / 1000 - (is_exact[name] ? 9 : 0)
        }
    }
    sort(s, n, value)
    m = split("optimal_share within_5_share above_20_share median_gap_percent tail worst_gap_percent", what, " ")
    acc[1] = "alloc-first"
    acc[2] = "free-first"
    for (a = 1; a <= 2; a++)
        for (k = 1; k <= m; k++) {
            best[a, k] = ""
            for (i = 1; i <= n; i++) {
                if (is_exact[s[i]] || !((s[i], acc[a]) in at))
                    continue
                x = cell[at[s[i], acc[a]], what[k]]
                x = k <= 3 ? percent(x) : of_hundred(x)
                if (best[a, k] == "" || (k <= 2 ? x + 0 > best[a, k] + 0 : x + 0 < best[a, k] + 0))
                    best[a, k] = x
            }
        }
    print "\\setlength{\\tabcolsep}{3pt}\\begin{tabular}{@{}l@{\\hspace{6pt}}rrr@{\\,}lrrrr@{\\hspace{10pt}}rrr@{\\,}lrrrr@{}}"
    print "\\toprule"
    print "& \\multicolumn{8}{c}{\\alloc} & \\multicolumn{8}{c}{\\free} \\\\"
    print "\\cmidrule(r){2-9}\\cmidrule{10-17}"
    print "solver & optimal & $\\le5\\,\\%$ & \\multicolumn{2}{c}{$>20\\,\\%$} & median & 95\\,\\% & worst & time & optimal & $\\le5\\,\\%$ & \\multicolumn{2}{c}{$>20\\,\\%$} & median & 95\\,\\% & worst & time \\\\"
    print "\\midrule"
    for (i = 1; i <= n; i++) {
        if (i > 1 && is_exact[s[i]] && !is_exact[s[i - 1]])
            print "\\addlinespace"
        line = solver_name(s[i])
        for (a = 1; a <= 2; a++) {
            if (!((s[i], acc[a]) in at))
                fail("no row of " s[i] " under " acc[a])
            x = at[s[i], acc[a]]
            for (k = 1; k <= m; k++) {
                text = k <= 3 ? percent(cell[x, what[k]]) : of_hundred(cell[x, what[k]])
                line = line " & " bold(text, !is_exact[s[i]] && text == best[a, k])
                if (k == 3)
                    line = line " & {\\tiny[" percent(cell[x, "above_20_low"]) ", " percent(cell[x, "above_20_high"]) "]}"
            }
            line = line " & " tex_seconds(cell[x, "median_wall_seconds"])
        }
        print line " \\\\"
    }
    print "\\bottomrule"
    print "\\end{tabular}"
}

# ---- One solver by family. ----

function families(    i, n, name, at, f, line, a, acc) {
    load("paper/families.csv")
    for (i = 1; i <= rows; i++)
        if (cell[i, "solver"] == "greedy") {
            name = cell[i, "section"]
            at[name, cell[i, "accounting"]] = i
            if (cell[i, "accounting"] == "alloc-first") {
                f[++n] = name
                value[name] = cell[i, "above_20_share"] + 0
            }
        }
    sort(f, n, value)
    acc[1] = "alloc-first"
    acc[2] = "free-first"
    print "\\setlength{\\tabcolsep}{2.5pt}\\begin{tabular}{@{}l@{\\hspace{3pt}}rr@{\\,}lr@{\\,}l@{\\hspace{6pt}}r@{\\,}lr@{\\,}l@{}}"
    print "\\toprule"
    print "& & \\multicolumn{4}{c}{\\alloc} & \\multicolumn{4}{c}{\\free} \\\\"
    print "\\cmidrule(r){3-6}\\cmidrule{7-10}"
    print "family & graphs & \\multicolumn{2}{c}{$\\le5\\,\\%$} & \\multicolumn{2}{c}{$>20\\,\\%$} & \\multicolumn{2}{c}{$\\le5\\,\\%$} & \\multicolumn{2}{c}{$>20\\,\\%$} \\\\"
    print "\\midrule"
    for (i = 1; i <= n; i++) {
        line = tex_text(f[i]) " & " tex_integer(cell[at[f[i], "alloc-first"], "proven"])
        for (a = 1; a <= 2; a++)
            line = line " & " interval(at[f[i], acc[a]], "within_5") " & " interval(at[f[i], acc[a]], "above_20")
        print line " \\\\"
    }
    print "\\bottomrule"
    print "\\end{tabular}"
}

# ---- Shares of several rows together, by stratum. ----

function add(stratum, row,    solver, key) {
    solver = cell[row, "solver"]
    if (solver != "greedy" && solver != "greedy-reverse")
        return
    key = stratum SUBSEP solver SUBSEP cell[row, "accounting"]
    hits[key] += cell[row, "above_20_share"] * cell[row, "proven"]
    of[key] += cell[row, "proven"]
}

function stratum_line(stratum, label,    key, line, i, j, s, a) {
    split("greedy greedy-reverse", s, " ")
    split("alloc-first free-first", a, " ")
    key = stratum SUBSEP "greedy" SUBSEP "alloc-first"
    if (!of[key])
        return
    line = label " & " tex_integer(of[key])
    for (i = 1; i <= 2; i++)
        for (j = 1; j <= 2; j++) {
            key = stratum SUBSEP s[i] SUBSEP a[j]
            line = line " & " (of[key] ? sprintf("%.1f", 100 * hits[key] / of[key]) : "--")
        }
    print line " \\\\"
}

# The value of a parameter in a text like "n=8,degree=1.5".
function parameter(params, name,    part, n, i) {
    n = split(params, part, ",")
    for (i = 1; i <= n; i++)
        if (index(part[i], name "=") == 1)
            return substr(part[i], length(name) + 2)
    return ""
}

# The strata of a file: rows are put under `of` (a column, or degree= of the parameters).
function group(file, prefix, column,    i, name) {
    load(file)
    n_names = 0
    split("", seen_name)
    for (i = 1; i <= rows; i++) {
        name = column == "degree" ? parameter(cell[i, "params"], "degree") : cell[i, column]
        if (prefix != "with" && cell[i, "section"] !~ prefix)
            continue
        add(prefix name, i)
        if (!(name in seen_name))
            names[++n_names] = name
        seen_name[name] = 1
    }
}

function lines(prefix, title, numeric,    i, j, x) {
    for (i = 2; numeric && i <= n_names; i++) {
        x = names[i]
        for (j = i - 1; j >= 1 && names[j] + 0 > x + 0; j--)
            names[j + 1] = names[j]
        names[j + 1] = x
    }
    print "\\addlinespace\\multicolumn{6}{@{}l}{\\emph{" title "}} \\\\"
    for (i = 1; i <= n_names; i++) {
        x = names[i]
        sub(/^with-/, "", x)
        stratum_line(prefix names[i], tex_text(x))
    }
}

function strata() {
    print "\\begin{tabular}{@{}lrrrrr@{}}"
    print "\\toprule"
    print "& & \\multicolumn{2}{c}{\\texttt{greedy}} & \\multicolumn{2}{c}{\\texttt{-reverse}} \\\\"
    print "\\cmidrule(r){3-4}\\cmidrule{5-6}"
    print "& graphs & alloc- & free- & alloc- & free- \\\\"
    print "\\midrule"
    group("paper/density.csv", "erdos", "degree")
    lines("erdos", "Erd\\H{o}s--R\\'enyi graphs by edges a node", 1)
    group("paper/density.csv", "layered", "degree")
    lines("layered", "layered graphs by edges a node", 1)
    group("paper/laws.csv", "laws", "sizes")
    lines("laws", "law of sizes", 0)
    group("paper/features.csv", "with", "section")
    lines("with", "one feature added", 0)
    print "\\bottomrule"
    print "\\end{tabular}"
}

# ---- What proofs cost. ----

function exact_table(    i, f, n_f, n, size, seen, at, k, j, line, text) {
    load("exact.csv")
    for (i = 1; i <= rows; i++) {
        if (cell[i, "accounting"] != "alloc-first")
            continue
        if (!(cell[i, "section"] in seen))
            f[++n_f] = cell[i, "section"]
        seen[cell[i, "section"]] = 1
        if (!(("n", cell[i, "nodes"]) in seen))
            size[++n] = cell[i, "nodes"]
        seen["n", cell[i, "nodes"]] = 1
        at[cell[i, "section"], cell[i, "nodes"], cell[i, "solver"]] = i
    }
    line = "\\begin{tabular}{@{}l"
    for (k = 1; k <= n; k++)
        line = line "@{\\hspace{10pt}}r@{\\ }r"
    print line "@{}}"
    print "\\toprule"
    line = "family"
    for (k = 1; k <= n; k++)
        line = line " & \\multicolumn{2}{c}{$n=" size[k] "$}"
    print line " \\\\"
    print "\\midrule"
    for (j = 1; j <= n_f; j++) {
        line = tex_text(f[j])
        for (k = 1; k <= n; k++) {
            if (!((f[j], size[k], "exact") in at)) {
                line = line " & &"
                continue
            }
            i = at[f[j], size[k], "exact"]
            text = cell[i, "median_seconds"] == "" ? "--" : tex_seconds(cell[i, "median_seconds"])
            line = line sprintf(" & %.0f\\,\\%% & ", 100 * cell[i, "settled_share"]) text
        }
        print line " \\\\"
    }
    print "\\bottomrule"
    print "\\end{tabular}"
}

# ---- What each rule of exact is worth. ----

function ablation(    i, v, n, seen, at, j, a, k, name) {
    load("ablation.csv")
    split("alloc-first free-first", a, " ")
    for (i = 1; i <= rows; i++) {
        name = cell[i, "variant"]
        if (!(name in seen))
            v[++n] = name
        seen[name] = 1
        at[name, cell[i, "accounting"]] = i
    }
    print "\\begin{tabular}{@{}lrrrr@{}}"
    print "\\toprule"
    print "& \\multicolumn{2}{c}{\\alloc} & \\multicolumn{2}{c}{\\free} \\\\"
    print "\\cmidrule(r){2-3}\\cmidrule{4-5}"
    print "rules & settled & prefixes & settled & prefixes \\\\"
    print "\\midrule"
    for (j = 1; j <= n; j++) {
        name = v[j]
        sub(/r1r$/, "R1$'$", name)
        sub(/r1$/, "R1", name)
        sub(/r2$/, "R2 on one macro-step", name)
        sub(/deep$/, "R2 on several moves", name)
        sub(/r3$/, "R3", name)
        sub(/r4$/, "R4", name)
        sub(/^direction=/, "all, only ", name)
        sub(/only reverse/, "only backwards", name)
        sub(/only forward$/, "only forwards", name)
        sub(/contract$/, "contraction", name)
        sub(/ends$/, "safe ends", name)
        sub(/windows$/, "windows re-solved", name)
        for (k = 1; k <= 2; k++) {
            i = at[v[j], a[k]]
            name = name sprintf(" & %.1f\\,\\%% & ", 100 * cell[i, "settled"] / cell[i, "runs"]) tex_integer(cell[i, "states"] / 1000) "\\,k"
        }
        print name " \\\\"
    }
    print "\\bottomrule"
    print "\\end{tabular}"
}

# ---- Real graphs, farthest first. ----

function real(    i, n, g, at) {
    load("real-graphs.csv")
    for (i = 1; i <= rows; i++)
        if (cell[i, "section"] == "whole" && cell[i, "accounting"] == "alloc-first" && cell[i, "exact_status"] == "optimal" && cell[i, "source"] + 0 > cell[i, "exact_peak"] + 0) {
            g[++n] = cell[i, "instance"]
            at[g[n]] = i
            value[g[n]] = cell[i, "source"] / cell[i, "exact_peak"]
        }
    sort(g, n, value)
    print "\\setlength{\\tabcolsep}{2.5pt}\\begin{tabular}{@{}lrrrrrr@{}}"
    print "\\toprule"
    print "graph & nodes & optimum & source & greedy & states & time \\\\"
    print "\\midrule"
    for (i = 1; i <= n && i <= 12; i++) {
        k = at[g[i]]
        printf "%s & %s & %s & +%.1f & +%.1f & %s & %s \\\\\n", tex_text(g[i]), tex_integer(cell[k, "nodes"]), tex_bytes(cell[k, "exact_peak"]), 100 * (cell[k, "source"] / cell[k, "exact_peak"] - 1), 100 * (cell[k, "greedy"] / cell[k, "exact_peak"] - 1), tex_integer(cell[k, "exact_states"]), tex_seconds(cell[k, "exact_seconds"])
    }
    print "\\bottomrule"
    print "\\end{tabular}"
}

# ---- A million nodes. ----

# A percentage in few digits, powers of ten from 10,000 on.
function short(x,    e) {
    x += 0
    if (x < 9999.5)
        return sprintf(x < 0.095 ? "%.2f" : x < 9.95 ? "%.1f" : "%.0f", x)
    e = int(log(x) / log(10) + 1e-9)
    return sprintf("$%.0f\\cdot10^%d$", x / 10 ^ e, e)
}

function scale(    i, s, n, sec, n_sec, seen, at, j, k, line, shown) {
    split("level greedy greedy-reverse lpmf xla-list xla-best ort-dfs inductor-best lookahead:k=5 beam:width=8 series-parallel liu portfolio", shown, " ")
    load("scale.csv")
    for (i = 1; i <= rows; i++) {
        if (cell[i, "nodes"] != 1000000 || cell[i, "section"] ~ /^(shapes|uniform|chains)$/)
            continue
        if (!(cell[i, "section"] in seen))
            sec[++n_sec] = cell[i, "section"]
        seen[cell[i, "section"]] = 1
        at[cell[i, "section"], cell[i, "solver"]] = i
    }
    line = "\\setlength{\\tabcolsep}{3pt}\\begin{tabular}{@{}l"
    for (k = 1; k <= n_sec; k++)
        line = line "r@{\\ }r"
    print line "@{}}"
    print "\\toprule"
    line = "solver"
    for (k = 1; k <= n_sec; k++)
        line = line " & \\multicolumn{2}{c}{" (sec[k] == "series-parallel" ? "ser.-par." : sec[k]) "}"
    print line " \\\\"
    print "\\midrule"
    for (j = 1; j in shown; j++) {
        line = "\\texttt{" tex_text(shown[j]) "}"
        for (k = 1; k <= n_sec; k++) {
            i = at[sec[k], shown[j]]
            if (i == "" || cell[i, "peak"] == "")
                line = line " & -- &"
            else
                line = line sprintf(" & %.2g & {\\tiny(%s)}", cell[i, "nodes_per_second"] / 1e6, cell[i, "gap_bound_percent"] == "" ? "?" : short(cell[i, "gap_bound_percent"]))
        }
        print line " \\\\"
    }
    print "\\bottomrule"
    print "\\end{tabular}"
}

# ---- Addresses. ----

function arena(    i, n, a, k, o, order, key, at, seen, list, m, x, j, equal, text) {
    split("first-fit best-fit free-list:policy=best bucket-pool greedy-by-size greedy-by-breadth hill-climb exact", a, " ")
    load("arena.csv")
    for (i = 1; i <= rows; i++)
        if (cell[i, "section"] == "graphs" && cell[i, "alignment"] == 1 && cell[i, "accounting"] == "alloc-first" && cell[i, "load"] + 0 > 0) {
            if (!(cell[i, "order"] in seen))
                order[++o] = cell[i, "order"]
            seen[cell[i, "order"]] = 1
            key = cell[i, "order"] SUBSEP cell[i, "allocator"]
            at[key, ++count[key]] = cell[i, "height"] / cell[i, "load"]
        }
    print "\\setlength{\\tabcolsep}{3pt}\\begin{tabular}{@{}llrrrrr@{}}"
    print "\\toprule"
    print "order & allocator & runs & median & \\given{95}\\,\\% & worst & $=$ peak \\\\"
    print "\\midrule"
    for (j = 1; j <= o; j++) {
        if (j > 1)
            print "\\addlinespace"
        for (k = 1; k in a; k++) {
            key = order[j] SUBSEP a[k]
            m = count[key]
            if (!m)
                continue
            split("", list)
            equal = 0
            for (i = 1; i <= m; i++) {
                x = at[key, i]
                equal += x < 1.0000001
                for (n = i - 1; n >= 1 && list[n] > x; n--)
                    list[n + 1] = list[n]
                list[n + 1] = x
            }
            text = tex_text(a[k])
            printf "%s & \\texttt{%s} & %d & %.3f & %.3f & %.3f & %.0f\\,\\%% \\\\\n", k == 1 ? tex_text(order[j]) : "", text, m, list[int((m + 1) / 2)], list[int(0.95 * m + 0.999999)], list[m], 100 * equal / m
        }
    }
    print "\\bottomrule"
    print "\\end{tabular}"
}

BEGIN {
    n_exact = split(exact, exact_name, " ")
    for (i = 1; i <= n_exact; i++)
        is_exact[exact_name[i]] = 1
    print "% Made by scripts/paper-tables.awk from " folder "."
    if (table == "overall")
        overall()
    else if (table == "families")
        families()
    else if (table == "strata")
        strata()
    else if (table == "exact")
        exact_table()
    else if (table == "ablation")
        ablation()
    else if (table == "real")
        real()
    else if (table == "scale")
        scale()
    else if (table == "arena")
        arena()
    else
        fail("no table '" table "'")
    exit failed
}
