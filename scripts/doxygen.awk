# Turns the comments of a header into those of doxygen, for `make doc`.
#
# The headers keep plain comments.  What doxygen gets, line for line:
#
#   - the first comment of a file is about the file;
#   - a comment right before a declaration is about it, and in a structure about
#     the fields that follow without a blank line and a comment of their own;
#   - a comment behind a declaration on its line is about that one; a comment
#     line above such declarations in a structure is their heading, and nothing;
#   - lines indented by four more are code, what stands between backquotes is
#     set as code, and nothing else is markup.
#
# Bodies of inline functions are left out.

# Text of a comment as doxygen takes it without reading commands in it.
function literal(text,    out, at, piece, code) {
    gsub(/[\\@<>&#%]/, "\\\\&", text)
    gsub(/\.\. /, "..\\ ", text) # no end of a sentence
    out = ""
    code = 0
    while ((at = index(text, "`")) > 0) {
        piece = substr(text, 1, at - 1)
        out = out piece (code ? "</tt>" : "<tt>")
        code = !code
        text = substr(text, at + 1)
    }
    return out text (code ? "</tt>" : "")
}

# Lines 1 .. count of a comment, its marks included, as documentation that begins with `opening`.
function document(count, opening,    i, line, in_code, is_code, out) {
    out = opening
    in_code = 0
    for (i = 1; i <= count; i++) {
        line = held[i]
        sub(/ *\*\/ *$/, "", line)
        if (i == 1) sub(/^ *\/\* */, "", line)
        else sub(/^ *\* ?/, "", line)
        is_code = i > 1 && line ~ /^    /
        if (is_code && !in_code) out = out "@code{.c}\n"
        if (!is_code && in_code && line != "") out = out "@endcode\n"
        if (is_code || line != "") in_code = is_code
        out = out (in_code ? line : literal(line)) (i < count ? "\n" : "")
    }
    return out (in_code ? "@endcode" : "") " */"
}

# The comment in one line, to be said again.
function again(text) { gsub(/\n/, " ", text); return text " " }

function is_macro(line) { return line ~ /^#define [A-Za-z0-9_]+(\([^)]*\))? +[^ ]/ }

function is_declaration(line) {
    return is_macro(line) || (line !~ /^[ \t]*$/ && line !~ /^[ \t]*(\/\*|#|\}|extern "C")/)
}

# A line of code with the comment behind it, which may go on.
function code(line,    at, before) {
    at = index(line, "/*")
    if (at == 0) return line
    before = substr(line, 1, at - 1)
    trailing = line !~ /\*\/ *$/
    if (before ~ /\{ *$/) return line
    return before "/**< " literal_end(substr(line, at + 2))
}

# The rest of a comment from its first words on, which may end here.
function literal_end(text,    end) {
    end = text ~ /\*\/ *$/
    sub(/ *\*\/ *$/, "", text)
    sub(/^ */, "", text)
    return literal(text) (end ? " */" : "")
}

{ source[NR] = $0 }

END {
    is_first = 1
    said = ""
    for (n = 1; n <= NR; n++) {
        line = source[n]
        if (trailing) { # further lines of a comment behind code
            print literal_end(line)
            trailing = line !~ /\*\/ *$/
            continue
        }
        if (line == "{") { body = 1; print "{}"; continue }
        if (body) {
            if (line == "}") { body = 0; open = 0 }
            print ""
            continue
        }
        if (line ~ /^[ \t]*\/\*/) {
            count = 0
            for (k = n; k <= NR; k++) {
                held[++count] = source[k]
                if (source[k] ~ /\*\//) break
            }
            after = source[k + 1]
            inner = line ~ /^[ \t]/
            heads = inner && count == 1 && after ~ /\/\*/
            if (is_first) {
                text = "/** " (FILENAME ~ /highwater\.h$/ ? "@mainpage highwater" : "@file")
                print document(count, text (held[1] ~ /^\/\*$/ ? "" : "\n"))
                said = ""
            } else if (is_declaration(after) && !heads && held[1] !~ /\/\* ----/) {
                text = document(count, "/** ")
                print text
                said = again(text)
                fresh = 1
            } else {
                for (i = 1; i <= count; i++) print held[i]
                said = ""
            }
            is_first = 0
            n = k
            continue
        }
        if (line ~ /^[ \t]*$/) { said = ""; open = 0; print line; continue }
        if (is_macro(line)) {
            print code(line)
            fresh = 0
            for (; source[n] ~ /\\$/; n++) print source[n + 1]
            continue
        }
        if (line ~ /^[ \t]*#/) { print line; continue }
        if (is_declaration(line)) {
            again_said = line ~ /^ / ? said : ""
            repeated = line ~ /^ / && said != "" && !fresh && !open && line !~ /\/\*/
            fresh = 0
            shown = code(line)
            # Open until the line that ends it.
            bare = line
            sub(/\/\*.*/, "", bare)
            sub(/ +$/, "", bare)
            if (bare ~ /\{$/) { said = ""; open = 0 }
            else open = bare !~ /[;,]$/ || depth_of(bare) > 0
            print apart(repeated ? said : "", again_said, shown)
            continue
        }
        said = ""
        open = 0
        print line
    }
}

# "int a, b; /**< what */" as two fields, so that both are said to be that.
function apart(first, rest, line,    at, note, base, n, names, i, out) {
    note = ""
    if ((at = index(line, " /**<")) > 0) {
        note = substr(line, at)
        line = substr(line, 1, at - 1)
        sub(/ +$/, "", line)
    }
    if (line !~ /^ +[^(){}=]*,[^(){}=]*;$/ || (note != "" && note !~ /\*\/ *$/)) return first line note
    base = line
    match(base, /^ +((const|struct|enum|unsigned|volatile) )*[A-Za-z0-9_]+ /)
    base = substr(line, 1, RLENGTH)
    line = substr(line, RLENGTH + 1)
    sub(/;$/, "", line)
    n = split(line, names, /, */)
    out = ""
    for (i = 1; i <= n; i++) out = out (i == 1 ? first : note == "" ? rest : "") base names[i] ";" note
    return out
}

# Round brackets that are still open at the end of the line, over the declaration's lines.
function depth_of(text,    opened, closed) {
    opened = gsub(/\(/, "(", text)
    closed = gsub(/\)/, ")", text)
    level = (open ? level : 0) + opened - closed
    return level
}
