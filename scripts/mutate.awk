# Small mistakes that can be made in a C file, one a line, in random order.
#
#   awk -f scripts/mutate.awk -v seed=1 -v path=solvers/exact.c solvers/exact.c
#
# Fields, set apart by tabs: rank, operator, line, where, edit, edit, mutation,
# text.  `where` is "function", or "file" outside of all functions.  An edit is
# LINE:COLUMN:LENGTH:TEXT, bytes to replace by a text; the second is "-" where
# one does.  `mutation` and `text` (the line as it stands, without the space
# around it) name the mistake whatever becomes of the lines above: of several
# such tokens in the line "#2" is the second, of several such lines "@2".
# `rank` is a hash of seed, path and name, by which the mistakes are sorted.
#
# Operators:
#   relation   < <= > >= == != become their neighbour and their opposite
#   sum        + becomes -, - becomes +
#   step       ++ becomes --, -- becomes ++
#   logic      && becomes ||, || becomes &&
#   bits       | & ^ << >> become another, ~ goes
#   constant   a whole number one up, one down; zeros of "{0}" stay
#   condition  the condition of an if or a while, and what ! denies, negated
#   bound      a loop runs once more, once less
#   return     true becomes false, any other value its denial; NULL stays
#   statement  an assignment, a call, a break or a continue goes.  Calls that
#              only release something stay: they are the leak sanitizer's
#
# Comments, preprocessor lines, texts and characters are left alone.  What does
# not compile, or compiles to the same, is for the caller to find out.

function fail(what) { print FILENAME ": " what | "cat 1>&2"; exit 1 }

function rank_of(name,    i, h) {
    h = seed % 65521 + 7
    for (i = 1; i <= length(name); i++)
        h = (h * 131 + ord[substr(name, i, 1)] + 1) % 33554393
    for (i = 0; i < 4; i++)
        h = (h * 16807 + 12345) % 33554393
    return h
}

function edit(k, from, length_, text) { return line_of[k] ":" (col_of[k] + from) ":" length_ ":" text }

# A mistake: operator, the token that names it, what it was and becomes, edits.
function mistake(op, k, from, to, first, second,    name, nth, i, text) {
    nth = 1
    for (i = k - 1; i > 0 && line_of[i] == line_of[k]; i--)
        if (tok[i] == tok[k])
            nth++
    name = op " " from " -> " to (nth > 1 ? " #" nth : "")
    if (occurrence[line_of[k]] > 1)
        name = name " @" occurrence[line_of[k]]
    text = line[line_of[k]]
    gsub(/\t/, " ", text)
    gsub(/^ +| +$/, "", text)
    printf "%08d\t%s\t%d\t%s\t%s\t%s\t%s\t%s\n", rank_of(path " " name " " text), op, line_of[k],
        in_function[k] ? "function" : "file", first, second == "" ? "-" : second, name, text
}

function replace(op, k, to) { mistake(op, k, tok[k], to, edit(k, 0, length(tok[k]), to)) }

# Tokens in tok[1..n], with line, column and kind: n(ame), d(igits), s(tring), o(perator).
function add(text, l, c, kind_) { n++; tok[n] = text; line_of[n] = l; col_of[n] = c; kind[n] = kind_ }

function scan(    l, text, rest, c, in_comment, continued) {
    for (l = 1; l <= n_lines; l++) {
        text = line[l]
        if (!in_comment && (continued || text ~ /^[ \t]*#/)) {
            continued = text ~ /\\$/
            continue
        }
        for (c = 1; c <= length(text);) {
            rest = substr(text, c)
            if (in_comment) {
                if (!match(rest, /\*\//))
                    break
                c += RSTART + 1
                in_comment = 0
            } else if (rest ~ /^\/\*/) {
                in_comment = 1
                c += 2
            } else if (rest ~ /^\/\//)
                break
            else if (match(rest, /^[ \t]+/))
                c += RLENGTH
            else if (match(rest, /^"(\\.|[^"\\])*"/) || match(rest, /^'(\\.|[^'\\])*'/)) {
                add(substr(rest, 1, RLENGTH), l, c, "s")
                c += RLENGTH
            } else if (match(rest, /^[A-Za-z_][A-Za-z_0-9]*/)) {
                add(substr(rest, 1, RLENGTH), l, c, "n")
                c += RLENGTH
            } else if (match(rest, /^[0-9][0-9A-Za-z.]*/)) {
                add(substr(rest, 1, RLENGTH), l, c, "d")
                c += RLENGTH
            } else {
                if (rest ~ /^(<<=|>>=|\.\.\.)/) RLENGTH = 3
                else if (rest ~ /^(<<|>>|<=|>=|==|!=|&&|\|\||\+\+|--|->|\+=|-=|\*=|\/=|%=|&=|\|=|\^=)/) RLENGTH = 2
                else RLENGTH = 1
                add(substr(rest, 1, RLENGTH), l, c, "o")
                c += RLENGTH
            }
        }
    }
}

# Brackets that belong together in pair[]; which tokens stand in a function.
function nest(    k, depth, stack, body) {
    for (k = 1; k <= n; k++) {
        in_function[k] = body > 0
        if (tok[k] == "(" || tok[k] == "[" || tok[k] == "{") {
            stack[++depth] = k
            if (tok[k] == "{" && !body && tok[k - 1] == ")")
                body = depth
        } else if (tok[k] == ")" || tok[k] == "]" || tok[k] == "}") {
            if (depth == 0)
                fail("brackets do not match")
            pair[stack[depth]] = k
            pair[k] = stack[depth]
            if (depth == body)
                body = 0
            depth--
        }
        open[k] = depth > 0 ? stack[depth] : 0 # the bracket around it
    }
}

# Does a value end in this token, so that an operator behind it has two sides?
function ends_value(k) {
    if (tok[k] ~ /^(return|case|sizeof)$/)
        return 0
    return kind[k] == "n" || kind[k] == "d" || tok[k] == "]" || (tok[k] == ")" && !is_cast(k))
}

# "(uint32_t)" and the like, in front of a value.
function is_cast(k,    first) {
    first = pair[k] + 1
    if (k - first < 1 || tok[pair[k] - 1] == "sizeof")
        return 0
    if (kind[pair[k] - 1] == "n" && tok[pair[k] - 1] !~ /^(return|case|if|while|for|switch)$/)
        return 0
    return tok[first] ~ /^(u?int[0-9]*_t|int|long|char|size_t|unsigned|void|double|bool|const|struct|off_t|hw_.*)$/ &&
        (k - first == 1 || tok[k - 1] == "*" || tok[first] ~ /^(const|unsigned|struct|long)$/)
}

function starts_statement(k) {
    if (tok[k - 1] ~ /^(;|\{|\}|else|do)$/)
        return tok[open[k]] == "{" && in_function[k]
    if (tok[k - 1] == ")" && tok[pair[k - 1] - 1] ~ /^(if|while|for)$/)
        return tok[k] != ";" && in_function[k]
    return tok[k - 1] == ":" && tok[open[k]] == "{" && in_function[k] && is_label(k - 1)
}

function is_label(k) {
    for (k--; k > 0 && tok[k] !~ /^[;{}?]$/; k--)
        if (tok[k] == "case" || tok[k] == "default")
            return 1
    return 0
}

function statement(k,    e, acts, releases) {
    if (tok[k] ~ /^(break|continue)$/) {
        mistake("statement", k, tok[k], "nothing", edit(k, 0, 0, "while (0) "))
        return
    }
    if (!(kind[k] == "n" || tok[k] ~ /^(\*|\+\+|--|\()$/) ||
        tok[k] ~ /^(return|if|for|while|do|switch|case|default|goto|else|static|const|struct|enum)$/)
        return
    if (kind[k] == "n" && (kind[k + 1] == "n" || (tok[k + 1] == "*" && kind[k + 2] == "n" && tok[k + 3] ~ /^([=;,]|\[)$/)))
        return # a declaration
    for (e = k; e <= n && tok[e] != ";"; e++) {
        if (tok[e] == "{")
            return
        if (tok[e] ~ /^(=|[-+*\/%&|^]=|<<=|>>=|\+\+|--)$/ || (tok[e] == "(" && kind[e - 1] == "n"))
            acts = 1
        if (tok[e] == "(" && tok[e - 1] ~ /(^|_)(free|fclose|close|release|clear|delete)$/)
            releases = 1
    }
    if (acts && !releases)
        mistake("statement", k, tok[k] (tok[k + 1] == "=" ? " =" : ""), "nothing", edit(k, 0, 0, "while (0) "))
}

# The end of a loop's condition, where a number can be added to its bound.
function bound(k,    e, first, relation) {
    for (e = k + 2; e < pair[k + 1] && !(tok[e] == ";" && open[e] == k + 1); e++)
        ;
    first = ++e
    for (; e < pair[k + 1] && !(tok[e] == ";" && open[e] == k + 1); e++)
        if (open[e] == k + 1) {
            if (tok[e] ~ /^(&&|\|\||\?)$/)
                return
            if (tok[e] ~ /^(<|<=|>|>=|!=)$/)
                relation = e
        }
    if (relation && e > first) {
        mistake("bound", k, "for", "for once more", edit(e, 0, 0, tok[relation] ~ /^>/ ? " - 1" : " + 1"))
        mistake("bound", k, "for", "for once less", edit(e, 0, 0, tok[relation] ~ /^>/ ? " + 1" : " - 1"))
    }
}

function returned(k,    e) {
    for (e = k + 1; e <= n && tok[e] != ";"; e++)
        if (tok[e] == "{")
            return
    if (e == k + 2 && tok[k + 1] == "true")
        mistake("return", k, "true", "false", edit(k + 1, 0, 4, "false"))
    else if (e == k + 2 && tok[k + 1] == "false")
        mistake("return", k, "false", "true", edit(k + 1, 0, 5, "true"))
    else if (e > k + 1 && tok[k + 1] != "NULL")
        mistake("return", k, "value", "not value", edit(k + 1, 0, 0, "!("), edit(e, 0, 0, ")"))
}

function constant(k,    digits, suffix) {
    if (tok[k] !~ /^[0-9]+[uUlL]*$/ || tok[k] ~ /^0[0-9]/)
        return
    if (tok[k - 1] == "{" && tok[k + 1] == "}" && tok[k] == "0")
        return
    suffix = tok[k]
    sub(/^[0-9]+/, "", suffix)
    digits = substr(tok[k], 1, length(tok[k]) - length(suffix))
    if (length(digits) > 15)
        return
    replace("constant", k, (digits + 1) suffix)
    if (digits + 0 > 0)
        replace("constant", k, (digits - 1) suffix)
}

function token(k,    t, two) {
    t = tok[k]
    two = ends_value(k - 1)
    if (kind[k] == "d")
        constant(k)
    else if (t == "<") { replace("relation", k, "<="); replace("relation", k, ">=") }
    else if (t == "<=") { replace("relation", k, "<"); replace("relation", k, ">") }
    else if (t == ">") { replace("relation", k, ">="); replace("relation", k, "<=") }
    else if (t == ">=") { replace("relation", k, ">"); replace("relation", k, "<") }
    else if (t == "==") replace("relation", k, "!=")
    else if (t == "!=") replace("relation", k, "==")
    else if (t == "+" && two) replace("sum", k, "-")
    else if (t == "-" && two) replace("sum", k, "+")
    else if (t == "+=") replace("sum", k, "-=")
    else if (t == "-=") replace("sum", k, "+=")
    else if (t == "++") replace("step", k, "--")
    else if (t == "--") replace("step", k, "++")
    else if (t == "&&") replace("logic", k, "||")
    else if (t == "||") replace("logic", k, "&&")
    else if (t == "|") replace("bits", k, "&")
    else if (t == "&" && two) replace("bits", k, "|")
    else if (t == "^") replace("bits", k, "|")
    else if (t == "<<") replace("bits", k, ">>")
    else if (t == ">>") replace("bits", k, "<<")
    else if (t == "|=") replace("bits", k, "&=")
    else if (t == "&=") replace("bits", k, "|=")
    else if (t == "^=") replace("bits", k, "|=")
    else if (t == "<<=") replace("bits", k, ">>=")
    else if (t == ">>=") replace("bits", k, "<<=")
    else if (t == "~") mistake("bits", k, "~", "nothing", edit(k, 0, 1, ""))
    else if (t == "!") mistake("condition", k, "!", "nothing", edit(k, 0, 1, ""))
    else if ((t == "if" || t == "while") && tok[k + 1] == "(")
        mistake("condition", k, t, t " not", edit(k + 1, 1, 0, "!("), edit(pair[k + 1], 0, 0, ")"))
    else if (t == "for" && tok[k + 1] == "(") bound(k)
    else if (t == "return") returned(k)
    if (starts_statement(k))
        statement(k)
}

BEGIN {
    for (i = 1; i < 256; i++)
        ord[sprintf("%c", i)] = i
}

{
    line[++n_lines] = $0
    stripped = $0
    gsub(/^[ \t]+|[ \t]+$/, "", stripped)
    occurrence[n_lines] = ++seen[stripped]
}

END {
    scan()
    nest()
    for (k = 1; k <= n; k++)
        if (in_function[k] || kind[k] == "d")
            token(k)
}
