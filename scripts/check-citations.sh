#!/bin/sh
# Tests of what is cited, here and of us: every paper that a comment or `highwater list` cites has an author
# and a year, which are those of the paper's bibliography (citations.awk); CITATION.cff is what its schema
# (1.2.0) takes, and of one version and date with the rest.  Prints TAP.
#
#   sh scripts/check-citations.sh
set -u
LC_ALL=C
export LC_ALL
scripts=$(cd "$(dirname "$0")" && pwd) || exit 1
cd "$scripts/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
number=0 failed=0

# verdict NAME REASON: print one TAP line; an empty reason is a pass.
verdict() {
    number=$((number + 1))
    if [ -z "$2" ]; then
        printf 'ok %s - %s\n' "$number" "$1"
    else
        failed=$((failed + 1))
        printf 'not ok %s - %s\n' "$number" "$1"
        printf '%s\n' "$2" | sed 's/^/# /' | head -n 20
    fi
}

# ---- What we cite. ----
bib=paper/highwater.bib
cited() { awk -f "$scripts/citations.awk" "$bib" "$@"; }

find src gen solvers -name '*.[ch]' | sort >"$work/files"
# The list is of plain file names: splitting it at blanks is meant.
# shellcheck disable=SC2046
said=$(cited $(cat "$work/files")) && said=
verdict "papers have authors and years, those of the bibliography" "$said"

# planted NAME FILE FROM TO WORDS: with this change of a source it is refused, and says so.
planted() {
    sed "s|$3|$4|" "$2" >"$work/planted.c"
    reason=
    if cmp -s "$2" "$work/planted.c"; then
        reason="$2 has no '$3'"
    elif said=$(cited "$work/planted.c"); then
        reason="it passes"
    else
        case $said in *"$5"*) ;; *) reason=$said ;; esac
    fi
    verdict "$1" "$reason"
}
planted "another year than that of the bibliography" solvers/bound_mincut.c 'Picard 1976' 'Picard 1967' 'is of Picard, 1976'
planted "another author" solvers/bound_mincut.c 'Picard 1976' 'Queyranne 1976' 'is of Picard, 1976'
planted "no year" solvers/bound_mincut.c 'Picard 1976' 'Picard' 'without an author and a year'
planted "no author and no year" solvers/milp_model.h '(Steiner et al., 2022, ' '(' 'without an author and a year'
planted "a source of a row without a year" gen/random_order.c '"Winkler 1985"' '"Winkler"' 'a source without a year'
planted "a source of a head without a year" gen/random_order.c ' Order 1, 1985' ' Order 1' 'a source without a year'
sed '/^@article{holm1979/s/year={1979}/year={}/' "$bib" >"$work/planted.bib"
said=$(awk -f "$scripts/citations.awk" "$work/planted.bib")
case $said in *holm1979*) said= ;; *) said="it passes" ;; esac
verdict "an entry of the bibliography without a year" "$said"

# ---- How we are cited. ----
# The keys of the schema that we could use (others of it: say so here), and the form of their values.
said=$(awk '
    function wrong(text) { print "CITATION.cff:" FNR ": " text }
    BEGIN {
        n = split("abstract authors cff-version commit contact date-released doi identifiers keywords license " \
            "license-url message preferred-citation references repository repository-artifact repository-code " \
            "title type url version", words, " ")
        for (i = 1; i <= n; i++) allowed[words[i]] = 1
        form["cff-version"] = "^1[.]2[.]0$"
        form["date-released"] = "^[0-9][0-9][0-9][0-9]-(0[1-9]|1[012])-(0[1-9]|[12][0-9]|3[01])$"
        form["type"] = "^(software|dataset)$"
        form["version"] = "^[0-9]+[.][0-9]+[.][0-9]+$"
        form["license"] = "^GPL-3[.]0-or-later$"
        form["url"] = form["repository-code"] = form["repository"] = "^https?://"
        form["doi"] = "^10[.][0-9]+/"
    }
    /^ *$/ { next }
    /^[a-z-]+:/ {
        key = $1
        sub(/:$/, "", key)
        value = $0
        sub(/^[a-z-]+: */, "", value)
        quoted = value ~ /^".+"$/
        gsub(/^"|"$/, "", value)
        if (!(key in allowed)) wrong("no key of the schema: " key)
        if (key in seen) wrong("twice: " key)
        seen[key] = 1
        if (key in form && value !~ form[key]) wrong(key ": " value)
        if (!quoted && value ~ /: |^[&*!|>%@`#{[]/) wrong("a text that needs quotes: " key)
        if (value == "" && key !~ /^(authors|keywords|contact|identifiers|references|preferred-citation)$/)
            wrong("empty: " key)
        next
    }
    key == "authors" && /^  - name: "[^"]+"$/ { people++; next }
    key == "keywords" && /^  - [a-z -]+$/ { if ($0 in word) wrong("twice:" $0); word[$0] = 1; next }
    { wrong("a line that this test does not know: " $0) }
    END {
        n = split("authors cff-version message title version date-released license", words, " ")
        for (i = 1; i <= n; i++) if (!(words[i] in seen)) print "CITATION.cff has no " words[i]
        if (!people) print "CITATION.cff names no author"
    }' CITATION.cff)
verdict "CITATION.cff is what its schema takes" "$said"

version=$(sed -n 's/^VERSION := //p' Makefile)
date=$(sed -n 's/^date-released: *//p' CITATION.cff)
said=
grep -qx "version: $version" CITATION.cff || said="CITATION.cff has another version than the Makefile, $version"
[ "$(sed -n 's/^## //p' NEWS.md | head -n 1)" = "$version ($date)" ] ||
    said="$said
NEWS.md does not begin with $version ($date)"
[ "$(sed -n '1s/.*(\([^-]*\)-.*/\1/p' scripts/debian/changelog)" = "$version" ] ||
    said="$said
scripts/debian/changelog does not begin with $version"
told=$(sed -n 's/^ -- .*>  //p' scripts/debian/changelog | head -n 1)
[ "$(date -u -d "$told" +%Y-%m-%d)" = "$date" ] || said="$said
scripts/debian/changelog is of $told, CITATION.cff of $date"
verdict "one version and one date everywhere" "$said"

sh "$scripts/citation.sh" >"$work/expected"
awk '/^```/ { inside = 0 } inside { print } /^```bibtex/ { inside = 1 }' README.md >"$work/found"
verdict "README.md has it as BibTeX (scripts/citation.sh)" "$(diff "$work/expected" "$work/found")"

echo "1..$number"
echo "# $((number - failed)) passed, $failed failed"
[ "$failed" = 0 ]
