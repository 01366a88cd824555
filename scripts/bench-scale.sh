#!/bin/sh
# How solvers grow with the graph: sh scripts/bench-scale.sh PROGRAM RESULTS
#
# PROGRAM is tests/bench_scale as built.  Runs suites/scale.suite, or the part of
# it that the environment names, one process at a time, and writes scale.md,
# scale.csv and plots of time and memory against nodes into RESULTS.
#
#   SECTIONS="layered tree"  of the suite          MOST=100000  largest size
#   SOLVERS="greedy liu"     in place of its own   TIME=60      CPU seconds a run
set -eu
program=${1:?usage: bench-scale.sh PROGRAM RESULTS}
folder=${2:?usage: bench-scale.sh PROGRAM RESULTS}
here=$(dirname "$0")
# shellcheck source=scripts/bench-lib.sh
. "$here/bench-lib.sh"
whole=$here/suites/scale.suite
TIME=${TIME:-60} MOST=${MOST:-1000000}
sections=$(sed -n 's/^\[\(.*\)\]$/\1/p' "$whole" | tr '\n' ' ')
SECTIONS=${SECTIONS:-$sections}
for section in $SECTIONS; do
    case " $sections" in
    *" $section "*) ;;
    *) fail "SECTIONS: there is no '$section' among: $sections" ;;
    esac
done
case $MOST in '' | *[!0-9]*) fail "MOST=$MOST: give a number of nodes" ;; esac

mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
# The suite with other sections, solvers and sizes left out.
awk -v wanted="$SECTIONS" -v solvers="${SOLVERS:-}" -v most="$MOST" -v time="$TIME" '
/^\[/ { skip = !index(" " wanted " ", " " substr($0, 2, length($0) - 2) " ") }
skip { next }
/^kill-after =/ { $0 = "kill-after = " time }
/^(solver|optimum) = / && solvers != "" {
    count = split(begun++ ? "" : solvers, own, " ")
    for (i = 1; i <= count; i++)
        print "solver = " own[i]
    next
}
/^family =/ && match($0, /n=[0-9|]+/) {
    n = split(substr($0, RSTART + 2, RLENGTH - 2), size, "|")
    kept = ""
    for (i = 1; i <= n; i++)
        if (size[i] + 0 <= most + 0)
            kept = kept (kept == "" ? "" : "|") size[i]
    if (kept == "")
        next
    sub(/n=[0-9|]+/, "n=" kept)
}
{ print }' "$whole" >"$work/scale.suite"

status=0
"$program" "$work/scale.suite" "$work" || status=$?
[ -s "$work/scale.md" ] || exit "$status"
{
    echo "# How solvers grow"
    echo
    echo "Written by \`make bench-scale\`"
    echo "($(machine))."
    echo "Every run is a process of its own. CPU time, the least of several calls where one is"
    echo "short; $TIME s at most. M/s: million nodes a second; sim: times the plain simulation of"
    echo "the order returned. The exponent is that of time against nodes, fitted on log axes,"
    echo "with its standard error; bytes a node are resident at most for graph, model and solver,"
    echo "and the gap is that to the best lower bound of all solvers, both at the largest size"
    echo "that was answered."
    cat "$work/scale.md"
} >"$folder/scale.md"
mv "$work/scale.csv" "$folder/"
for plot in "$work"/*.svg; do
    [ ! -f "$plot" ] || mv "$plot" "$folder/" # one size is no curve
done
echo "in $folder: scale.md, scale.csv, scale-*-time.svg, scale-*-memory.svg"
exit "$status"
