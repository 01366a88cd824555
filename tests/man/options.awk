# A manual page of a command against its --help; prints a line for each
# difference, nothing where they agree.
#
#   awk -f options.awk -v command=NAME HELP PAGE.md
#
# The page has to have, as Markdown of pandoc: under NAME what the command is
# for; under SYNOPSIS its arguments; a definition list whose terms are all
# options, written as in --help ("**-o**, **--output** *FILE*"; several of one
# meaning on one line), each with its default somewhere in its text, and no other
# one where that is of this option alone; every example as a line of code.
# Options that the program does not have are differences too.

function plain(text) { gsub(/[*\\]/, "", text); return text }

function differs(what) { print what }

FNR == 1 { files++ }

# ---- --help ----

files == 1 && FNR == 1 {
    arguments = $0
    sub(/^Usage: highwater [a-z]+ \[OPTION\]\.\.\. ?/, "", arguments)
    next
}
files == 1 && FNR == 3 { purpose = $0; in_purpose = 1; next }
files == 1 && in_purpose {
    if ($0 == "") in_purpose = 0
    else purpose = purpose " " $0
    next
}
files == 1 && /^Options:$/ { part = "options"; next }
files == 1 && /^Examples:$/ { part = "examples"; next }
files == 1 && /^$/ { part = ""; next }
files == 1 && part == "options" && match($0, /^  (-[a-zA-Z],|   ) --[a-z-]+/) {
    left = $0
    sub(/^ +/, "", left)
    text = ""
    if (match(left, /  +/)) {
        text = substr(left, RSTART + RLENGTH)
        left = substr(left, 1, RSTART - 1)
    }
    match(left, /--[a-z-]+/)
    option = substr(left, RSTART, RLENGTH)
    order[++options] = option
    shown[option] = left
    help[option] = text
    next
}
files == 1 && part == "options" {
    sub(/^ +/, "")
    help[option] = help[option] " " $0
    next
}
files == 1 && part == "examples" { sub(/^  /, ""); example[++examples] = $0; next }
files == 1 { next }

# ---- the page ----

/^    / { code[substr($0, 5)] = 1 }
/^#/ { section = $0; term = ""; next }
section == "# NAME" && NF { name = name (name == "" ? "" : " ") $0; next }
section == "# SYNOPSIS" && NF { synopsis = synopsis " " plain($0); next }
/^\*\*-/ { term = plain($0); terms[++n_terms] = term; next }
/^$/ && term != "" { blank = 1; next }
term != "" {
    # A paragraph at the margin ends the definition.
    if (blank && !/^[ :]/) { term = ""; blank = 0; next }
    blank = 0
    sub(/^[ :]+/, "")
    said[term] = said[term] " " plain($0)
}

function has_word(text, word,    at, before, after) {
    while ((at = index(text, word)) > 0) {
        before = substr(text, at - 1, at > 1)
        after = substr(text, at + length(word), 1)
        if (before !~ /[0-9A-Za-z]/ && after !~ /[0-9A-Za-z]/) return 1
        text = substr(text, at + 1)
    }
    return 0
}

END {
    sub(/(, \.\.\.|\.)$/, "", purpose)
    purpose = "highwater-" command " - " tolower(substr(purpose, 1, 1)) substr(purpose, 2)
    if (index(name, purpose) != 1)
        differs("NAME should begin: " purpose)
    n = split(arguments, choice, " \\| ")
    for (i = 1; i <= n; i++)
        if (index(synopsis " ", "highwater " command " [OPTION]... " choice[i] " ") == 0)
            differs("SYNOPSIS lacks: highwater " command " [OPTION]... " choice[i])
    for (i = 1; i <= options; i++) {
        option = order[i]
        found = ""
        for (k = 1; k <= n_terms; k++)
            if (index(", " terms[k] ", ", ", " shown[option] ", ") > 0) found = terms[k]
        if (found == "") {
            differs("it lacks: " shown[option])
            continue
        }
        preset = help[option]
        if (match(preset, /\(default: .*\)$/)) {
            preset = substr(preset, RSTART + 10, RLENGTH - 11)
            gsub(/  +/, " ", said[found])
            if (!has_word(said[found], preset))
                differs("the text of " option " lacks its default: " preset)
            else if (gsub(/--/, "&", found) == 1 && match(said[found], /\(default: .*\)/) && \
                     index(substr(said[found], RSTART), "(default: " preset ")") != 1)
                differs("the text of " option " has another default than " preset)
        }
    }
    for (k = 1; k <= n_terms; k++) {
        text = terms[k]
        while (match(text, /--[a-z-]+/)) {
            option = substr(text, RSTART, RLENGTH)
            if (!(option in shown)) differs("no such option: " option)
            text = substr(text, RSTART + RLENGTH)
        }
    }
    for (i = 1; i <= examples; i++)
        if (!(example[i] in code)) differs("EXAMPLES lack: " example[i])
    if (options == 0 || n_terms == 0) differs("no options were read")
}
