# Numbers of the paper as LaTeX macros:
#
#   awk -v folder=results -f scripts/csv.awk -f scripts/paper-numbers.awk paper/numbers.txt
#
# Each line of the recipe makes one macro:
#
#   NAME | FILE.csv | COLUMN=VALUE; ... | OPERATION | FORMAT
#   NAME | = | NAME / NAME | | FORMAT          (also *, + and -)
#
# Conditions: = != < > <= >= on numbers or texts, ~ and !~ with a regular
# expression; a value @OTHER is that of another column of the same row.
# Operations: value COLUMN (of exactly one row), sum, mean, max, min COLUMN,
# count, distinct COLUMN, where-max COLUMN OTHER and where-min (OTHER in the row
# in which COLUMN is most or least), median COLUMN; list COLUMN (with
# commas); A/B and A*B are columns, too.
# Formats: int, share (of 1, in percent, one digit), share0, percent (of 100),
# percent0, above (of a ratio, in percent above 1), fixed1 .. fixed3, seconds,
# bytes, text.
#
# A file, row or column that is not there ends the run: no number is left out.
function fail(text) {
    print "paper-numbers: " FILENAME ":" FNR ": " text > "/dev/stderr"
    failed = 1
    exit 1
}

function trim(s) {
    gsub(/^[ \t]+|[ \t]+$/, "", s)
    return s
}

# The rows of a file: cell[file, row, column], rows[file], column[file, name].
function load(file,    path, line, field, n, i, row, got) {
    if (file in rows)
        return
    path = folder "/" file
    row = -1
    while ((got = (getline line < path)) > 0) {
        if (line == "" || substr(line, 1, 1) == "#")
            continue
        n = csv_split(line, field)
        row++
        for (i = 1; i <= n; i++)
            if (row == 0)
                column[file, field[i]] = i
            else
                cell[file, row, i] = field[i]
    }
    if (got < 0 || row < 1)
        fail(path " is not there or has no rows")
    close(path)
    rows[file] = row
}

function place(file, name) {
    if (!((file, name) in column))
        fail(file " has no column " name)
    return column[file, name]
}

function holds(file, row, condition,    at, name, op, value, have) {
    if (!match(condition, /(!=|<=|>=|!~|=|<|>|~)/))
        fail("no condition: " condition)
    name = trim(substr(condition, 1, RSTART - 1))
    op = substr(condition, RSTART, RLENGTH)
    value = trim(substr(condition, RSTART + RLENGTH))
    have = cell[file, row, place(file, name)]
    if (substr(value, 1, 1) == "@")
        value = cell[file, row, place(file, substr(value, 2))]
    if (op == "=")
        return have == value
    if (op == "!=")
        return have != value
    if (op == "~")
        return have ~ value
    if (op == "!~")
        return have !~ value
    if (have == "" || value == "")
        return 0
    if (op == "<")
        return have + 0 < value + 0
    if (op == ">")
        return have + 0 > value + 0
    if (op == "<=")
        return have + 0 <= value + 0
    return have + 0 >= value + 0
}

# A cell, or the ratio or product of two.
function cell_of(file, row, name,    part, a, b) {
    if (split(name, part, "*") == 2) {
        a = cell[file, row, place(file, part[1])]
        b = cell[file, row, place(file, part[2])]
        return a == "" || b == "" ? "" : a * b
    }
    if (split(name, part, "/") == 1)
        return cell[file, row, place(file, name)]
    a = cell[file, row, place(file, part[1])]
    b = cell[file, row, place(file, part[2])]
    return a == "" || b == "" || b == 0 ? "" : a / b
}

# The figure of a line, from a file.
function figure(file, conditions, operation,    n, m, part, word, row, i, ok, hits, last, x, sum, best, other, seen, kinds, list) {
    load(file)
    n = split(conditions, part, ";")
    m = split(operation, word, " ")
    hits = 0
    kinds = 0
    split("", seen)
    split("", list)
    for (row = 1; row <= rows[file]; row++) {
        ok = 1
        for (i = 1; i <= n && ok; i++)
            if (trim(part[i]) != "")
                ok = holds(file, row, trim(part[i]))
        if (!ok)
            continue
        hits++
        if (word[1] == "count")
            continue
        x = cell_of(file, row, word[2])
        if (word[1] == "distinct") {
            if (!(x in seen))
                kinds++
            seen[x] = 1
        } else if (word[1] == "list") {
            last = last (hits == 1 ? "" : ", ") x
        } else if (word[1] == "value") {
            last = x
        } else if (x == "") {
            hits--
        } else {
            sum += x
            for (i = hits - 1; word[1] == "median" && i >= 1 && list[i] > x + 0; i--)
                list[i + 1] = list[i]
            if (word[1] == "median")
                list[i + 1] = x + 0
            if (hits == 1 || (word[1] ~ /max$/ ? x + 0 > best + 0 : x + 0 < best + 0)) {
                best = x
                if (word[3] != "")
                    other = cell[file, row, place(file, word[3])]
            }
        }
    }
    if (word[1] == "count")
        return hits
    if (word[1] == "distinct")
        return kinds
    if (word[1] == "list")
        return last
    if (word[1] == "value") {
        if (hits != 1)
            fail(hits " rows of " file " fit, not one")
        return last
    }
    if (hits == 0)
        fail("no row of " file " fits")
    if (word[1] == "sum")
        return sum
    if (word[1] == "median")
        return (list[int((hits + 1) / 2)] + list[int(hits / 2) + 1]) / 2
    if (word[1] == "mean")
        return sum / hits
    if (word[1] == "max" || word[1] == "min")
        return best
    if (word[1] == "where-max" || word[1] == "where-min")
        return other
    fail("no operation: " operation)
}

function calculate(text,    word) {
    if (split(text, word, " ") != 3 || !(word[1] in raw) || !(word[3] in raw))
        fail("not a calculation with names from above: " text)
    if (word[2] == "+")
        return raw[word[1]] + raw[word[3]]
    if (word[2] == "-")
        return raw[word[1]] - raw[word[3]]
    if (word[2] == "*")
        return raw[word[1]] * raw[word[3]]
    if (word[2] != "/" || raw[word[3]] == 0)
        fail("cannot be divided: " text)
    return raw[word[1]] / raw[word[3]]
}

function shown(x, format) {
    if (format == "text")
        return tex_text(x)
    if (x !~ /^[-+]?[0-9]*\.?[0-9]+([eE][-+]?[0-9]+)?$/)
        fail("not a number: '" x "'")
    if (format == "int")
        return tex_integer(x)
    if (format == "share")
        return sprintf("%.1f\\,\\%%", 100 * x)
    if (format == "share0")
        return sprintf("%.0f\\,\\%%", 100 * x)
    if (format == "percent")
        return sprintf("%.1f\\,\\%%", x)
    if (format == "percent0")
        return sprintf("%.0f\\,\\%%", x)
    if (format == "above")
        return sprintf("%.1f\\,\\%%", 100 * (x - 1))
    if (format ~ /^fixed[1-3]$/)
        return sprintf("%." substr(format, 6) "f", x)
    if (format == "seconds")
        return tex_seconds(x)
    if (format == "bytes")
        return tex_bytes(x)
    fail("no format: " format)
}

/^[ \t]*(#|$)/ { next }
{
    if (split($0, part, "|") != 5)
        fail("not five parts")
    name = trim(part[1])
    if (name !~ /^[A-Za-z]+$/)
        fail("a macro has letters only: " name)
    if (name in raw)
        fail(name " is there already")
    source = trim(part[2])
    raw[name] = source == "=" ? calculate(trim(part[3])) : figure(source, part[3], trim(part[4]))
    printf "\\newcommand{\\n%s}{%s\\xspace}\n", name, shown(raw[name], trim(part[5]))
}
END { exit failed }
