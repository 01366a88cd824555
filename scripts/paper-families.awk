# The table of adversarial families for the paper, from that which `make bench-families` wrote: rules
# with the same row share one, and ratios have one digit.
/^\\texttt\{/ {
    row = $0
    sub(/ *\\\\$/, "", row)
    n = split(row, part, " & ")
    if (n != 9) {
        print "paper-families: a row of " n " columns" > "/dev/stderr"
        failed = 1
        exit 1
    }
    key = ""
    for (i = 2; i <= n; i++) {
        if (i == 4 || i == 5 || i == 7 || i == 8)
            part[i] = sprintf("%.1f", part[i])
        key = key " & " part[i]
    }
    name = part[1]
    if (!(key in rules))
        order[++rows] = key
    else
        name = rules[key] ", " name
    rules[key] = name
}

END {
    if (failed)
        exit 1
    print "% Made by scripts/paper-families.awk."
    print "\\begin{tabularx}{\\textwidth}{@{}>{\\raggedright\\arraybackslash}Xlrrrrrrl@{}}"
    print "\\toprule"
    print "rules & family & $n$ & \\alloc & \\free & $n$ & \\alloc & \\free & limit \\\\"
    print "\\midrule"
    for (i = 1; i <= rows; i++)
        print rules[order[i]] order[i] " \\\\"
    print "\\bottomrule"
    print "\\end{tabularx}"
}
