# Functions for tables in CSV (RFC 4180, one record a line), for `awk -f csv.awk -f ...`.

# Split a line into field[1 .. n]; returns n.  Quotes are undone.
function csv_split(line, field,    n, text, at, rest) {
    n = 0
    rest = line
    sub(/\r$/, "", rest)
    for (;;) {
        text = ""
        if (substr(rest, 1, 1) == "\"") {
            rest = substr(rest, 2)
            while ((at = index(rest, "\"")) > 0) {
                text = text substr(rest, 1, at - 1)
                rest = substr(rest, at + 1)
                if (substr(rest, 1, 1) != "\"")
                    break
                text = text "\""
                rest = substr(rest, 2)
            }
            at = index(rest, ",")
        } else {
            at = index(rest, ",")
            text = at ? substr(rest, 1, at - 1) : rest
        }
        field[++n] = text
        if (!at)
            return n
        rest = substr(rest, at + 1)
    }
}

# A number with thousands apart, for TeX; as it stands when it has few digits.
function tex_integer(x,    s, out) {
    s = sprintf("%.0f", x)
    out = ""
    while (length(s) > 4 || (out != "" && length(s) > 3)) {
        out = "\\," substr(s, length(s) - 2) out
        s = substr(s, 1, length(s) - 3)
    }
    return s out
}

# A time in seconds with a fitting unit and three digits.
function tex_seconds(x) {
    x += 0 # cells are texts
    if (x < 0.0009995)
        return tex_digits(x * 1e6) "\\,\\textmu s"
    if (x < 0.9995)
        return tex_digits(x * 1e3) "\\,ms"
    if (x < 600)
        return tex_digits(x) "\\,s"
    if (x < 36000)
        return sprintf("%.0f\\,min", x / 60)
    return sprintf("%.1f\\,h", x / 3600)
}

# Three significant digits, none behind the point from 100 on.
function tex_digits(x) {
    x += 0
    if (x >= 99.95)
        return tex_integer(x)
    if (x >= 9.995)
        return sprintf("%.1f", x)
    return sprintf("%.2f", x)
}

function tex_bytes(x) {
    x += 0
    if (x < 1024)
        return sprintf("%d\\,B", x)
    if (x < 1048576)
        return tex_digits(x / 1024) "\\,KiB"
    if (x < 1073741824)
        return tex_digits(x / 1048576) "\\,MiB"
    return tex_digits(x / 1073741824) "\\,GiB"
}

# Text as TeX prints it.
function tex_text(s) {
    gsub(/\\/, "\\textbackslash ", s)
    gsub(/[&%$#_{}]/, "\\\\&", s)
    gsub(/~/, "\\textasciitilde ", s)
    gsub(/\^/, "\\textasciicircum ", s)
    return s
}
