# Fill numbers into a text: awk [-v claims=FILE] -f scripts/paper-fill.awk numbers.tex TEMPLATE
# {nNAME} is the macro \nNAME as plain text; a line {claims} the lines of FILE.
function plain(s) {
    sub(/\\xspace$/, "", s)
    gsub(/\\textmu /, "µ", s)
    gsub(/\\,\\%/, " %", s)
    gsub(/\\,/, " ", s)
    gsub(/\\/, "", s)
    return s
}

FNR == NR {
    if (match($0, /^\\newcommand\{\\n[A-Za-z]+\}\{/)) {
        name = substr($0, 14, RLENGTH - 15)
        text = substr($0, RLENGTH + 1)
        sub(/\}$/, "", text)
        number[name] = plain(text)
    }
    next
}
$0 == "{claims}" {
    while ((getline line < claims) > 0)
        print line
    next
}
{
    rest = $0
    line = ""
    while (match(rest, /\{n[A-Z][A-Za-z]*\}/)) {
        name = substr(rest, RSTART + 1, RLENGTH - 2)
        if (!(name in number)) {
            print "paper-fill: " FILENAME ":" FNR ": no number " name > "/dev/stderr"
            failed = 1
            exit 1
        }
        line = line substr(rest, 1, RSTART - 1) number[name]
        rest = substr(rest, RSTART + RLENGTH)
    }
    print line rest
}
END { exit failed }
