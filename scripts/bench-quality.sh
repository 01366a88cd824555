#!/bin/sh
# How good solvers are: sh scripts/bench-quality.sh PROGRAM WORK RESULTS
#
# Runs suites/quality.suite, with its lines of results in the folder WORK, and
# writes into RESULTS: quality.md and quality.csv (a row a section, accounting
# and solver), quality-tests.md and quality-tests.csv (solvers pair by pair),
# quality-profile.svg and quality-gaps.svg.  A stopped run goes on where it was.
#
#   SECTIONS="tree shared"  of the suite
#   SEEDS=40                graphs a set of parameters (as the suite says)
#   AGAINST="greedy exact"  solvers with whom all are compared in quality-tests.md
#   SHOWN="greedy beam"     solvers in the profile
#   JOBS=2                  processes; FRESH=1: forget earlier results
set -eu
program=${1:?usage: bench-quality.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-quality.sh PROGRAM WORK RESULTS}
folder=${3:?usage: bench-quality.sh PROGRAM WORK RESULTS}
here=$(dirname "$0")
# shellcheck source=scripts/bench-lib.sh
. "$here/bench-lib.sh"
whole=$here/suites/quality.suite
JOBS=${JOBS:-2} SEEDS=${SEEDS:-}
AGAINST=${AGAINST:-greedy portfolio}
SHOWN=${SHOWN:-level dfs greedy greedy-reverse lpmf inductor-best ort-memory xla-best lookahead \
best-of hmcos beam lns}
find_shared
case ${HW_SHARED:-} in '' | /*) ;; *) HW_SHARED=$PWD/$HW_SHARED ;; esac
export HW_SHARED
sections=$(sed -n 's/^\[\(.*\)\]$/\1/p' "$whole" | tr '\n' ' ')
SECTIONS=${SECTIONS:-$sections}
for section in $SECTIONS; do
    case " $sections" in
    *" $section "*) ;;
    *) fail "SECTIONS: there is no '$section' among: $sections" ;;
    esac
done
case $SEEDS in *[!0-9]* | 0) fail "SEEDS=$SEEDS: give a number of graphs" ;; esac

mkdir -p "$work" "$folder"
part=$work/quality.suite
graphs=$(cd "$here/../tests/graphs" && pwd)
# The suite with sections and counts put in; paths are relative to its folder.
awk -v wanted="$SECTIONS" -v seeds="$SEEDS" -v graphs="$graphs" '
/^\[/ { skip = !index(" " wanted " ", " " substr($0, 2, length($0) - 2) " ") }
skip { next }
/^family =/ && seeds != "" { sub(/ x[0-9]+$/, " x" seeds) }
/^graph =/ { sub(/\.\.\/\.\.\/tests\/graphs/, graphs) }
{ print }' "$whole" >"$part"
results=$work/quality.jsonl
same_program "$program" "$results"
sweep "$program" "$part" "$results"

quality() { "$program" table "$results" --show quality "$@"; }
pairs() { "$program" table "$results" --show pairs "$@"; }
quality --by section,accounting,solver --format csv -o "$folder/quality.csv"
pairs --by accounting --format csv -o "$folder/quality-tests.csv"

part_of=", all families"
[ "$SECTIONS" = "$sections" ] || part_of=": $SECTIONS"
random="" real=""
for section in $SECTIONS; do
    case $section in
    graphs | shared) real="$real --where section=$section" ;;
    *) random="$random --where section=$section" ;;
    esac
done
# by_family: of quality.csv, what is before its column of instances: a table for
# each accounting, a row a solver, a column a section.
by_family() {
    awk -F, '
    NR == 1 { next }
    !($1 in column) { column[$1] = ++columns; section[columns] = $1 }
    !($3 in row) { row[$3] = ++rows; solver[rows] = $3 }
    !($2 in of) { of[$2] = ++accountings; accounting[accountings] = $2 }
    { share[$2, $3, $1] = $8 == "" ? "-" : sprintf("%.1f", 100 * $8) }
    END {
        for (a = 1; a <= accountings; a++) {
            printf "\n### %s\n\n| solver |", accounting[a]
            for (c = 1; c <= columns; c++)
                printf " %s |", section[c]
            printf "\n| --- |"
            for (c = 1; c <= columns; c++)
                printf " ---: |"
            for (r = 1; r <= rows; r++) {
                printf "\n| %s |", solver[r]
                for (c = 1; c <= columns; c++) {
                    cell = share[accounting[a], solver[r], section[c]]
                    printf " %s |", cell == "" ? "-" : cell
                }
            }
            print ""
        }
    }'
}
# has CONDITIONS...: is there a result?
has() { quality "$@" >/dev/null 2>&1; }
{
    echo "# How good solvers are"
    echo
    echo "Written by \`make bench-quality\`"
    echo "($(machine))."
    echo "Shares are of the graphs with a proven optimum for which the solver has an order, with"
    echo "their 95 % Clopper-Pearson intervals; n/a counts graphs that a solver does not take."
    # shellcheck disable=SC2086
    if [ -n "$random" ] && has $random; then
        echo
        echo "## Random graphs of 8 to 40 nodes$part_of"
        echo
        quality --by accounting,solver --format markdown $random
    fi
    # shellcheck disable=SC2086
    if [ -n "$real" ] && has $real; then
        echo
        echo "## Real graphs"
        echo
        quality --by accounting,solver --format markdown $real
    fi
    echo
    echo "## Optimal answers by family, in per cent"
    echo
    echo "All other figures by family: quality.csv."
    by_family <"$folder/quality.csv"
} >"$folder/quality.md"
{
    echo "# Solvers compared on the same graphs"
    echo
    echo "Written by \`make bench-quality\`; all pairs stand in quality-tests.csv."
    echo "better, equal, worse: graphs on which the solver's peak is smaller, the same, greater."
    echo "peak: geometric mean of the ratio of peaks, less 1, with its 95 % bootstrap interval"
    echo "(BCa, over graphs). p: Wilcoxon's two-sided signed rank test on the logarithms of the"
    echo "ratios (Pratt's zeros); Holm's correction is over the rows of a table."
    for solver in $AGAINST; do
        has --where solver="$solver" || continue
        # shellcheck disable=SC2086
        if [ -n "$random" ] && has $random --where solver="$solver"; then
            echo
            echo "## Against $solver, random graphs"
            echo
            pairs --against "$solver" --format markdown $random
        fi
        # shellcheck disable=SC2086
        if [ -n "$real" ] && has $real --where solver="$solver"; then
            echo
            echo "## Against $solver, real graphs"
            echo
            pairs --against "$solver" --format markdown $real
        fi
    done
} >"$folder/quality-tests.md"

# draw KIND CONDITIONS...: a plot of the random graphs, or of what there is.
draw() {
    kind=$1
    shift
    # shellcheck disable=SC2086
    "$program" plot "$results" --kind "$kind" "$@" $random -o "$folder/quality-$kind.svg" -q ||
        swept=1
}
shown=""
for solver in $SHOWN; do
    ! has --where solver="$solver" || shown="$shown --where solver=$solver"
done
draw gaps
# shellcheck disable=SC2086
[ -z "$shown" ] || draw profile $shown

quality --by accounting,solver
"$program" table "$results" --summary | sed -n '1,/^$/p'
echo "in $folder: quality.md, quality.csv, quality-tests.md, quality-tests.csv, quality-*.svg;"
echo "the runs are in $results"
exit "$swept"
