# A manual page, as Markdown, out of a public header: -v name=libhighwater-NAME.
#
# The first comment is the description, "---- Title. ----" begins a section,
# and every declaration stands as it does in the header, with its comment
# behind it; bodies of inline functions are left out.  The headers are the
# source: nothing is written here.

# Text of a comment as Markdown that reads as it stands, names in code type.
function literal(text) {
    gsub(/[\\*_<>#|[\]]/, "\\\\&", text)
    return text
}

# Lines 1 .. count of a comment, marks removed, into body[]; how many.
function strip(count,    i, line, n) {
    n = 0
    for (i = 1; i <= count; i++) {
        line = held[i]
        sub(/ *\*\/ *$/, "", line)
        if (i == 1) sub(/^ *\/\* */, "", line)
        else sub(/^ *\* ?/, "", line)
        if (line == "" && (n == 0 || i == count)) continue
        body[++n] = line
    }
    return n
}

# What is between backquotes stays code; the rest is text.
function text_of(line,    at, out, code) {
    out = ""
    code = 0
    while ((at = index(line, "`")) > 0) {
        out = out (code ? "`" substr(line, 1, at - 1) "`" : literal(substr(line, 1, at - 1)))
        code = !code
        line = substr(line, at + 1)
    }
    return out literal(line)
}

function paragraphs(from, n,    i, in_code, is_code) {
    in_code = 0
    for (i = from; i <= n; i++) {
        is_code = body[i] ~ /^    /
        if (is_code != in_code && body[i] != "") {
            print ""
            in_code = is_code
        }
        print is_code || body[i] == "" ? body[i] : text_of(body[i])
    }
    print ""
}

# The declaration that was collected, then what its comment says.
function declare(    i) {
    if (lines == 0) return
    for (i = 1; i <= lines; i++) print declared[i] == "" ? "" : "    " declared[i]
    print ""
    if (said > 0) {
        for (i = 1; i <= said; i++) body[i] = comment[i]
        paragraphs(1, said)
    }
    lines = said = 0
}

{ source[NR] = $0 }

END {
    first = 1
    print "<!-- From " FILENAME " by make man: edit that. -->\n"
    for (n = 1; n <= NR; n++) {
        line = source[n]
        if (line ~ /^\/\*/) { # a comment at the margin
            declare()
            count = 0
            for (k = n; k <= NR; k++) {
                held[++count] = source[k]
                if (source[k] ~ /\*\//) break
            }
            n = k
            many = strip(count)
            if (first) {
                first = 0
                brief = ""
                for (i = 1; i <= many && body[i] != ""; i++) brief = brief (i > 1 ? " " : "") body[i]
                sub(/\.( .*)?$/, "", brief)
                sub(/ \(MODEL .*$/, "", brief)
                print "# NAME\n\n" name " - " literal(tolower(substr(brief, 1, 1)) substr(brief, 2))
                path = FILENAME
                sub(/^src\//, "", path)
                print "\n# SYNOPSIS\n\n**#include \\<" literal(path) "\\>**\n\n# DESCRIPTION\n"
                paragraphs(1, many)
                print "# DECLARATIONS\n"
            } else if (body[1] ~ /^---- /) {
                title = body[1]
                gsub(/^---- |\.? *-*$/, "", title)
                print "# " toupper(literal(title)) "\n"
            } else {
                said = many
                for (i = 1; i <= many; i++) comment[i] = body[i]
            }
            continue
        }
        if (line ~ /^$/) {
            if (!open) declare()
            else if (lines) declared[++lines] = ""
            continue
        }
        if (line ~ /^#/ && line !~ /^#define [A-Za-z0-9_]+(\([^)]*\))? +[^ ]/) {
            continue
        }
        if (line ~ /^extern "C"/ || (line == "}" && !open)) continue
        if (line == "{") { # the body of an inline function
            declared[lines] = declared[lines] ";"
            while (source[n] != "}") n++
            declare()
            continue
        }
        declared[++lines] = line
        if (line ~ /\{[^}]*$/) open = 1
        if (line ~ /^\}/) open = 0
    }
    declare()
    print "# SEE ALSO\n\n**libhighwater**(3)"
}
