#!/bin/sh
# What solvers have in hand as time goes by: sh scripts/bench-anytime.sh PROGRAM WORK RESULTS
#
# Runs solvers that improve step by step on graphs too large to prove at once,
# one after the other, each for TIME (10) seconds, and writes anytime-1.svg to
# anytime-3.svg (against time) and anytime.md (where each stood at the end) into
# RESULTS; the traces stay in WORK.
#
#   SOLVERS="portfolio beam"  what is run
#   GRAPHS="erdos:n=200"      families with parameters, two to a plot
set -eu
program=${1:?usage: bench-anytime.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-anytime.sh PROGRAM WORK RESULTS}
folder=${3:?usage: bench-anytime.sh PROGRAM WORK RESULTS}
here=$(dirname "$0")
# shellcheck source=scripts/bench-lib.sh
. "$here/bench-lib.sh"
TIME=${TIME:-10}
SOLVERS=${SOLVERS:-greedy-reverse best-of:n=0 beam:width=256 hmcos lns:patience=0 exact portfolio}
GRAPHS=${GRAPHS:-erdos:n=128,degree=3 randwire:n=300 layered:n=1000 erdos:n=2000,degree=3,span=100 \
layered:n=10000,width=20,degree=3 erdos:n=10000,degree=3,span=100}
mkdir -p "$work" "$folder"

solvers=""
for solver in $SOLVERS; do
    solvers="$solvers --solver $solver"
done
n=0 plots=0 pending=""
# draw: a plot of the traces that wait for one.
draw() {
    [ -n "$pending" ] || return 0
    plots=$((plots + 1))
    # shellcheck disable=SC2086
    "$program" plot --kind anytime $pending -o "$folder/anytime-$plots.svg" -q
    pending=""
}
{
    echo "# Best orders after $TIME seconds"
    echo
    echo "Written by \`make bench-anytime\`"
    echo "($(machine))."
    echo "Peaks in bytes, alloc-first; the gap is that to the best bound of all solvers; plots:"
    echo "anytime-*.svg."
} >"$folder/anytime.md"
for graph in $GRAPHS; do
    n=$((n + 1))
    trace=$work/anytime-$n.jsonl
    # shellcheck disable=SC2046
    "$program" gen "${graph%%:*}" $(echo "${graph#*:}" | tr ',' '\n' | sed 's/^/--/') \
        -o "$work/anytime-$n.json" -q
    # shellcheck disable=SC2086
    "$program" solve "$work/anytime-$n.json" $solvers --time-limit "$TIME" --trace-out "$trace" \
        -q >/dev/null
    pending="$pending $trace"
    [ $((n % 2)) -ne 0 ] || draw
    {
        echo
        echo "## $graph"
        echo
        echo "| solver | first peak | after | best peak | after | gap at most |"
        echo "| --- | ---: | ---: | ---: | ---: | ---: |"
        # The lines are flat: every field is found by its key.
        awk '
        function field(key) {
            if (!match($0, "\"" key "\":(\"[^\"]*\"|[^,}]*)"))
                return ""
            value = substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
            gsub(/"/, "", value)
            return value
        }
        function time(seconds) {
            seconds += 0
            if (seconds < 1e-3) return sprintf("%.3g µs", 1e6 * seconds)
            if (seconds < 1) return sprintf("%.3g ms", 1e3 * seconds)
            return sprintf("%.3g s", seconds)
        }
        {
            solver = field("solver"); best = field("best"); bound = field("bound") + 0
            if (!(solver in seen)) { seen[solver] = 1; order[++count] = solver }
            if (bound > most) most = bound
            if (best == "null") next
            if (!(solver in first)) { first[solver] = best; first_at[solver] = field("seconds") }
            if (best != last[solver]) { last[solver] = best; last_at[solver] = field("seconds") }
        }
        END {
            for (i = 1; i <= count; i++) {
                s = order[i]
                if (!(s in first)) { printf "| %s | - | - | - | - | - |\n", s; continue }
                printf "| %s | %s | %s | %s | %s | %.2f %% |\n", s, first[s], time(first_at[s]),
                    last[s], time(last_at[s]), most ? 100 * (last[s] - most) / most : 0
            }
        }' "$trace"
    } >>"$folder/anytime.md"
done
draw
cat "$folder/anytime.md"
echo "in $folder: anytime.md, anytime-1.svg to anytime-$plots.svg; the traces are in $work"
