# Rows of the claims table that `highwater claims --format latex` wrote.  form=csv: id,verdict; else
# the body of a table of its rows first .. last (all), or form=markdown: rows of one.  Every claim has a
# verdict, or this fails.
function fail(text) {
    print "paper-claims: " FILENAME ": " text > "/dev/stderr"
    failed = 1
    exit 1
}

# How long an experiment took, from what `highwater claims --format json` (variable json) wrote.
function time_of(name,    line, at, x) {
    while ((getline line < json) > 0) # all of it at the first call
        all = all line
    at = index(all, "{\"id\":\"" name "\"")
    if (!at)
        fail(json " has no claim " name)
    x = substr(all, at + 6)
    if ((at = index(x, "{\"id\":\"C")) > 0)
        x = substr(x, 1, at)
    if (!index(x, "\"seconds\":"))
        fail(json " has no time of " name)
    while ((at = index(x, "\"seconds\":")) > 0)
        x = substr(x, at + 10)
    x += 0
    return x < 0.95 ? "1 s" : sprintf("%.0f s", x)
}

# LaTeX as plain text.
function plain(s) {
    gsub(/\$\\times\$/, "×", s)
    gsub(/\$-\$/, "-", s)
    gsub(/\\texttt\{/, "{", s)
    gsub(/\\,/, " ", s)
    gsub(/\$\\leq?\$/, "≤", s)
    gsub(/\$\\geq?\$/, "≥", s)
    gsub(/\\textbackslash /, "\\", s)
    gsub(/[{}]/, "", s)
    gsub(/\\/, "", s)
    gsub(/\$/, "", s)
    return s
}

/^C[0-9][0-9] & / {
    row = $0
    n = split(row, part, " & ")
    if (n < 5)
        fail("a row of " n " columns: " part[1])
    id[++rows] = part[1]
    verdict[rows] = part[4]
    if (part[4] != "holds" && part[4] != "holds only if" && part[4] != "fails")
        fail(part[1] " has no verdict: " part[4])
    text[rows] = row
    gsub(/10\\textasciicircum\{\}9/, "$10^9$", text[rows])
}

END {
    if (failed)
        exit 1
    if (!rows)
        fail("no claims in it")
    if (form == "csv") {
        print "id,verdict"
        for (i = 1; i <= rows; i++)
            print id[i] "," verdict[i]
        exit
    }
    if (form == "markdown") {
        for (i = 1; i <= rows; i++) {
            split(text[i], part, " & ")
            print "| " id[i] " | " plain(part[3]) " | `highwater claims " id[i] " --graphs tests/graphs` | " verdict[i] " | " time_of(id[i]) " |"
        }
        exit
    }
    if (!first)
        first = 1
    if (!last || last > rows)
        last = rows
    if (first > last)
        last = first - 1 # a table without rows, where there are few claims
    for (i = first; i <= last || i == first; i++) {
        if (i == first) {
            print "% Made by scripts/paper-claims.awk."
            print "\\begin{tabularx}{\\textwidth}{@{}l@{\\ }l >{\\raggedright\\arraybackslash\\hsize=.66\\hsize}X l >{\\raggedright\\arraybackslash\\hsize=1.34\\hsize}X@{}}"
            print "\\toprule"
            print "& \\S & claim & verdict & what was found \\\\"
            print "\\midrule"
        }
        if (i <= last)
            print text[i]
    }
    print "\\bottomrule"
    print "\\end{tabularx}"
}
