# What the sources cite, against the bibliography of the paper:
#
#   awk -f scripts/citations.awk paper/highwater.bib FILE.[ch]...
#
# Says on a line each, with file and line, and ends with 1 where
#   - an entry of the bibliography has no author, title or year (programs, @misc, need no year);
#   - a DOI or a number of arXiv stands in a comment or text without an author and a year before it;
#   - it is in the bibliography, and what stands before it is another year, or not its first author;
#   - a paragraph that begins with "Source", or the source of a row of a table (list solvers NAME), has
#     neither a year nor the name of a program or project.
# Ends with a line of how many were looked at.
function wrong(text) { print where ": " text; status = 1 }

# The value of a field of an entry on one line: name={value}, with braces inside.
function field(line, name,    at, depth, i, c) {
    at = index(line, name "={")
    if (!at)
        return ""
    line = substr(line, at + length(name) + 2)
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        depth += (c == "{") - (c == "}")
        if (depth < 0)
            return substr(line, 1, i - 1)
    }
    return ""
}

# The name under which a paper is found: the DOI, or the number of arXiv, in lower case.
function known_as(text) {
    text = tolower(text)
    sub(/^arxiv[: ]*/, "", text)
    sub(/[.,;)]+$/, "", text)
    return text
}

# The first author's surname, without TeX: letters alone, as far as they go.
function surname(authors,    n, words) {
    sub(/ and .*/, "", authors)
    if (authors ~ /, /) # "Hunt, Jr., Warren A."
        sub(/,.*/, "", authors)
    n = split(authors, words, " ")
    sub(/[^A-Za-z-].*/, "", words[n])
    return words[n]
}

BEGIN {
    program_or_own = "this project|seed article|baseline|highwater-external|https?:|[.](c|cc|cpp|py|h)([^a-z]|$)|" \
        "[a-z]+[.]org|schemas of ONNX|XLA|DAGGEN"
}

FNR == 1 { in_bib = FILENAME ~ /[.]bib$/; buffer = ""; inside = 0 }

in_bib {
    if ($0 !~ /^@/)
        next
    entries++
    where = FILENAME ":" FNR
    program = $0 ~ /^@misc/
    if (field($0, "author") == "" || field($0, "title") == "" || (!program && field($0, "year") !~ /^[0-9]+$/))
        wrong("an entry without author, title or year: " substr($0, 1, 40))
    name = known_as(field($0, "doi"))
    if (name != "")
        list[name] = field($0, "year") "|" surname(field($0, "author"))
    if (match($0, /arXiv:[0-9]+[.][0-9]+/))
        list[known_as(substr($0, RSTART, RLENGTH))] = field($0, "year") "|" surname(field($0, "author"))
    next
}

# Comments and texts of C, each as one line of words.
function look(text, row,    rest, chunk, name, parts, part, i, n, paragraph) {
    rest = text
    while (match(rest, /10[.][0-9][0-9][0-9][0-9][0-9]*\/[^ ,;"]+|arXiv[: ][0-9][0-9][0-9][0-9][.][0-9]+/)) {
        chunk = substr(rest, 1, RSTART - 1)
        name = known_as(substr(rest, RSTART, RLENGTH))
        rest = substr(rest, RSTART + RLENGTH)
        papers++
        # As far back as a sentence or two.
        if (length(chunk) > 260)
            chunk = substr(chunk, length(chunk) - 259)
        if (chunk !~ /[A-Z][a-z]/ || chunk !~ /(^|[^0-9])(1[89]|20)[0-9][0-9]([^0-9]|$)/)
            wrong(name " without an author and a year before it")
        else if (name in list) {
            listed++
            split(list[name], part, "|")
            if (index(chunk, part[1]) == 0 || index(chunk, part[2]) == 0)
                wrong(name " is of " part[2] ", " part[1] " in the bibliography, not so here")
        }
    }
    if (row || match(text, /(^|[ *])Sources?:/)) {
        paragraph = row ? text : substr(text, RSTART)
        sources++
        if (paragraph !~ /(^|[^0-9])(1[89]|20)[0-9][0-9]([^0-9]|$)/ && paragraph !~ program_or_own)
            wrong("a source without a year: " substr(paragraph, 1, 60))
    }
}

# A comment's paragraphs, parted by its empty lines; a text over several lines.
{
    where = FILENAME ":" FNR
    line = $0
    if (!inside && line ~ /\/\*/) {
        inside = 1
        buffer = ""
        sub(/.*\/\*/, "", line)
    }
    if (inside) {
        ends = line ~ /\*\//
        sub(/\*\/.*/, "", line)
        sub(/^[ \t]*\*/, "", line)
        if (line ~ /^[ \t]*$/) {
            look(buffer)
            buffer = ""
        }
        buffer = buffer " " line
        if (ends) {
            look(buffer)
            inside = 0
            buffer = ""
        }
        next
    }
    # "..." on several lines; the last one ends with a comma.
    if (line ~ /^ *[.]source = "/) {
        in_row = 1
        buffer = ""
    }
    if (in_row) {
        in_row = line !~ /", *$/
        gsub(/^ *([.]source = )?"|",? *$/, "", line)
        buffer = buffer line
        if (!in_row)
            look(buffer, 1)
    }
}

END {
    printf "%d entries of the bibliography, %d papers cited by number (%d of them in it), %d sources\n", entries, papers, listed, sources
    exit status
}
