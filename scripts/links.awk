# A text of Markdown for where not all is that it leads to: -v kept="FILE...".
#
# A link to a file that is not among those, and to no address, becomes its text.
# Pictures and blocks of code stay as they are.
BEGIN {
    n = split(kept, names, " ")
    for (i = 1; i <= n; i++) here[names[i]] = 1
}
/^```/ { code = !code }
code { print; next }
{
    out = ""
    while (match($0, /!?\[[^][]*\]\([^() ]*\)/)) {
        link = substr($0, RSTART, RLENGTH)
        out = out substr($0, 1, RSTART - 1)
        $0 = substr($0, RSTART + RLENGTH)
        at = index(link, "](")
        target = substr(link, at + 2, length(link) - at - 2)
        file = target
        sub(/#.*/, "", file)
        out = out (link ~ /^!/ || file == "" || target ~ /:/ || file in here ? link : substr(link, 2, at - 2))
    }
    print out $0
}
