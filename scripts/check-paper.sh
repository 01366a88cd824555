#!/bin/sh
# Tests of the paper: no number typed, every recipe in use and sound, texts made from results current,
# and the same bytes from the same sources.  Prints TAP.
#
#   sh scripts/check-paper.sh PROGRAM
set -u
program=${1:?usage: check-paper.sh PROGRAM}
scripts=$(dirname "$0")
root=$scripts/..
paper=$root/paper
number=0
status=0
LC_ALL=C
export LC_ALL
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# check NAME COMMAND...
check() {
    name=$1
    shift
    number=$((number + 1))
    if "$@" >"$work/said" 2>&1; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name"
        sed 's/^/# /' "$work/said" | head -n 20
        status=1
    fi
}
fails() { ! "$@"; }

digits() { awk -f "$scripts/paper-digits.awk" "$@"; }
check "no digit is typed into the text" digits "$paper"/*.tex

# planted FILE TEXT: the same file with a line more is refused.
planted() {
    cp "$paper/$1" "$work/$1"
    printf '%s\n' "$2" >>"$work/$1"
    fails digits "$work/$1"
}
check "a typed share is found" planted experiments.tex 'Greedy is above it on 27.5\,\% of the graphs.'
# shellcheck disable=SC2016 # TeX
check "a typed number in a formula is found" planted experiments.tex 'The ratio is $39.9$.'
check "a typed number among theorems is found" planted bad.tex 'Searches found a ratio of 3.95 there.'
check "what is given may be typed" digits "$paper/abstract.tex"

check "macros and tables come from results" \
    sh "$scripts/paper-inputs.sh" "$program" "$root/results" "$work/made"

# Every macro of a recipe stands in the text, and the other way round.
used() {
    cat "$paper"/*.tex "$paper"/*.in | grep -o '\\n[A-Z][A-Za-z]*\|{n[A-Z][A-Za-z]*}' | tr -d '\\{}' | sort -u
}
defined() { sed -n 's/^\\newcommand{\\\(n[A-Za-z]*\)}.*/\1/p' "$work/made/numbers.tex" | sort -u; }
all_used() {
    used >"$work/used"
    defined >"$work/defined"
    diff "$work/used" "$work/defined"
}
check "every number has its recipe, and every recipe is used" all_used

# recipe LINE: with this line more.
recipe() {
    printf '%s\n' "$1" >"$work/recipe"
    awk -v folder="$root/results" -f "$scripts/csv.awk" -f "$scripts/paper-numbers.awk" "$work/recipe"
}
check "a sound recipe is read" recipe 'A | exact.csv | nodes=64; solver=exact | max settled_share | share'
check "a file that is not there ends it" fails recipe 'A | none.csv | | count | int'
check "a column that is not there ends it" fails recipe 'A | exact.csv | | max none | int'
check "a value of several rows ends it" fails recipe 'A | exact.csv | nodes=64 | value runs | int'
check "a maximum of no rows ends it" fails recipe 'A | exact.csv | nodes=63 | max runs | int'
check "a text where a number should be ends it" fails recipe 'A | exact.csv | | where-max runs section | int'

# Another figure in the results is another figure in the text.
follows() {
    mkdir -p "$work/other/paper" && cp -R "$root"/results/paper/. "$work/other/paper" &&
        awk -F, -v OFS=, '$1 == "runs" { $2 = 4711 } { print }' "$root/results/paper/campaign.csv" \
            >"$work/other/paper/campaign.csv" || return 1
    grep '^Runs ' "$paper/numbers.txt" >"$work/recipe"
    awk -v folder="$work/other" -f "$scripts/csv.awk" -f "$scripts/paper-numbers.awk" "$work/recipe" |
        grep -q '4711'
}
check "a number follows its file" follows

# The same with a small suite: digests of a sweep, a sample of it run anew, and a digest changed.
smoke=$scripts/suites/smoke.suite
digests() {
    mkdir -p "$work/kept/paper" &&
        "$program" bench "$smoke" -o "$work/all.jsonl" -q -j 1 &&
        "$program" merge "$smoke" "$work/all.jsonl" -q --digest "$work/kept/paper/digests.jsonl"
}
verified() {
    SAMPLE=24 SEED=$1 JOBS=1 sh "$scripts/verify-results.sh" "$program" "$work/sample" "$work/kept" "$smoke"
}
changed() {
    sed 's/"alloc-first":"\(....\)..../"alloc-first":"\10000/' "$work/kept/paper/digests.jsonl" \
        >"$work/changed" && ! cmp -s "$work/changed" "$work/kept/paper/digests.jsonl" &&
        cp "$work/changed" "$work/kept/paper/digests.jsonl" && fails verified 1 &&
        grep -q 'alloc-first' "$work/said"
}
check "a sweep leaves digests" digests
check "a sample of it is as its digests say" verified 1
check "and another one" verified 2
check "a changed digest is caught, and the unit named" changed
rm "$work/kept/paper/digests.jsonl"
check "no digests are no success" fails verified 1

check "README.md and ARTIFACT.md say what the results say" \
    sh "$scripts/paper-texts.sh" --check "$program" "$root/results" "$work/made"

if ! command -v pdflatex >/dev/null 2>&1 || ! kpsewhich txfonts.sty >/dev/null 2>&1; then
    number=$((number + 1))
    echo "ok $number - the PDF # SKIP no TeX (scripts/setup.sh --paper)"
else
    check "the PDF is built" sh "$scripts/paper.sh" "$program" "$root/results" "$work/a"
    sleep 1
    check "and built again" sh "$scripts/paper.sh" "$program" "$root/results" "$work/b"
    check "the same bytes a second later" cmp "$work/a/highwater.pdf" "$work/b/highwater.pdf"
    pages=$(sed -n 's/^Output written on .*(\([0-9]*\) pages.*/\1/p' "$work/a/highwater.log")
    check "from eight to fourteen pages" test "${pages:-0}" -ge 8 -a "${pages:-0}" -le 14
fi
echo "1..$number"
exit $status
