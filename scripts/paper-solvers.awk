# The table of solvers from `highwater list solvers --json` (one object a line).
# form=csv: name,kind; else rows of a LaTeX table.  Sources whose DOI or arXiv number is in the
# bibliography (paper/highwater.bib, variable bib) are cited.
function value(key,    at, rest, out, c) {
    at = index($0, "\"" key "\":\"")
    if (!at)
        return ""
    rest = substr($0, at + length(key) + 4)
    out = ""
    while ((c = substr(rest, 1, 1)) != "\"" && rest != "") {
        if (c == "\\") {
            out = out substr(rest, 2, 1)
            rest = substr(rest, 3)
        } else {
            out = out c
            rest = substr(rest, 2)
        }
    }
    return out
}

# Where a solver comes from, short, with citations.
function origin(source,    text, keys, id, part) {
    for (id in key_of)
        if (index(source, id) && !index("," keys ",", "," key_of[id] ","))
            keys = keys (keys == "" ? "" : ",") key_of[id]
    keys = keys == "" ? "" : " \\cite{" keys "}"
    text = source
    if (source ~ /^seed article/) {
        match(source, /sections? [0-9.]+( and [0-9.]+)?/)
        text = substr(source, RSTART, RLENGTH)
        sub(/sections? /, "\\S\\,", text)
        return "article \\cite{article}, " text keys
    }
    if (source ~ /^(this project|baseline)/)
        return substr(source, 1, source ~ /^t/ ? 12 : 8) keys
    if (source ~ /^(PyTorch|ONNX|OpenXLA)/) {
        split(text, part, ",")
        id = part[1] == "PyTorch Inductor" ? "ansel2024" : part[1] == "ONNX Runtime" ? "ort" : "xla"
        return part[1] " \\cite{" id "}" keys
    }
    if (keys == "")
        return tex_text(text)
    sub(/^[a-z ]*[:(] ?/, "", text) # "closure problem: Picard 1976", "beam search (Lowerre 1976)"
    sub(/,? ([12][0-9][0-9][0-9]|arXiv|doi|10\.).*/, "", text)
    split(text, part, ",")
    return tex_text(part[1]) keys
}

BEGIN {
    while (form != "csv" && (getline line < bib) > 0) {
        if (line !~ /^@/)
            continue
        match(line, /\{[a-z0-9]+,/)
        key = substr(line, RSTART + 1, RLENGTH - 2)
        if (match(line, /doi=\{[^}]*\}/))
            key_of[substr(line, RSTART + 5, RLENGTH - 6)] = key
        if (match(line, /arXiv:[0-9.]+[0-9]/))
            key_of[substr(line, RSTART, RLENGTH)] = key
        name = line
        sub(/.*author=\{+/, "", name)
        sub(/( and |\}).*/, "", name)
        sub(/.* /, "", name)
        if (match(line, /year=\{[0-9]+/))
            key_of[name " " substr(line, RSTART + 6, 4)] = key
    }
    if (form != "csv") {
        print "% Made by scripts/paper-solvers.awk."
        print "\\begin{tabularx}{\\textwidth}{@{}l>{\\raggedright\\arraybackslash}Xl@{}}"
        print "\\toprule"
        print "solver & rule & from \\\\"
    }
}

/"name":/ {
    name = value("name")
    kind = value("kind")
    if (form == "csv") {
        print name "," kind
        next
    }
    if (kind != before)
        groups[++n_groups] = kind
    before = kind
    lines[kind, ++count[kind]] = "\\texttt{" tex_text(name) "} & " tex_text(value("help")) " & " origin(value("source")) " \\\\"
}

END {
    if (form == "csv")
        exit
    n = split("heuristic exact bound", order, " ")
    split("Heuristics|Solvers that prove|Bounds", title, "|")
    for (i = 1; i <= n; i++) {
        print "\\midrule"
        print "\\multicolumn{3}{@{}l}{\\emph{" title[i] "}} \\\\"
        for (k = 1; k <= count[order[i]]; k++)
            print lines[order[i], k]
    }
    print "\\bottomrule"
    print "\\end{tabularx}"
}
