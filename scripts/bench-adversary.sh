#!/bin/sh
# How bad the rules can be: sh scripts/bench-adversary.sh PROGRAM WORK RESULTS
#
# Searches for the worst graphs of 8, 10 and 12 nodes, sizes 1 to 100, outputs
# kept, for each rule under both accountings: TIME seconds on one core each,
# from the default seed.  Writes RESULTS/adversary.md: the ratios to the proven
# optimum that were reached, beside the greatest that any order can have.  The
# graphs stay in WORK/adversary, a folder a search; a stopped bench goes on
# with the searches that are missing.
#
#   TIME=10           seconds a search (60)
#   SOLVERS="a b"     NODES="8 10"   some of the table
#   JOBS=1            searches at once (the processors)
#   FRESH=1           forget earlier searches
set -eu
program=${1:?usage: bench-adversary.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-adversary.sh PROGRAM WORK RESULTS}
folder=${3:?usage: bench-adversary.sh PROGRAM WORK RESULTS}
# shellcheck source=scripts/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"
TIME=${TIME:-60} NODES=${NODES:-8 10 12} JOBS=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
SOLVERS=${SOLVERS:-greedy lookahead:k=2 lookahead:k=3 lookahead:k=5 lookahead:k=2,depth=2
    lookahead:k=3,depth=2 lookahead:k=5,depth=2 level dfs by-output lpmf greedy-mixed
    greedy-reverse inductor-bfs inductor-dfs inductor-best ort-dfs ort-priority ort-memory
    xla-list xla-dfs xla-postorder xla-best beam:width=2 beam:width=8 best-of-both:width=8}
cells=$work/adversary
mkdir -p "$cells" "$folder"
[ -z "${FRESH:-}" ] || rm -rf "${cells:?}"/*
same_program "$program" "$cells/started"
echo "yes" >"$cells/started"

# Each search: its folder, then the arguments; a finished one has its answer in FOLDER.jsonl.
for solver in $SOLVERS; do
    for accounting in alloc-first free-first; do
        for nodes in $NODES; do
            cell=$cells/$(echo "$solver" | tr ':=,' '----')-$accounting-$nodes
            [ -s "$cell-$TIME.jsonl" ] || echo "$cell $solver $accounting $nodes"
        done
    done
done >"$cells/missing"
# shellcheck disable=SC2016
PROGRAM=$program TIME=$TIME xargs -r -P "$JOBS" -L 1 sh -c '
    rm -rf "$1"
    echo "$2, $3, $4 nodes" >&2
    "$PROGRAM" adversary "$2" --accounting "$3" --nodes "$4" --time-limit "$TIME" -j 1 -o "$1" \
        --json -q >"$1-$TIME.tmp" && mv "$1-$TIME.tmp" "$1-$TIME.jsonl"' cell <"$cells/missing"

{
    echo "# How bad the rules can be"
    echo
    echo "Written by \`make bench-adversary\`: the greatest ratio of peak to proven optimum that"
    echo "\`highwater adversary\` found in $TIME seconds on one core from the default seed, sizes 1 to"
    echo "100, outputs kept to the end, with the two peaks.  No order of such a graph of n nodes is"
    echo "worse than (n + 1) / 2 rounded down, for any sizes (see the paper): what a search found is"
    echo "a lower bound of what there is."
    machine
    awk -F '"evaluations":' '
        { split($2, part, ","); rated[FILENAME] += part[1] }
        END {
            for (name in rated) {
                if (!least || rated[name] < least) least = rated[name]
                if (rated[name] > most) most = rated[name]
            }
            printf "From %d to %d graphs a search were rated in lanes that ended in time.\n", least, most
        }' "$cells"/*/found.jsonl
    for accounting in alloc-first free-first; do
        printf '\n## %s\n\n| solver |' "$accounting"
        for nodes in $NODES; do printf ' n = %s |' "$nodes"; done
        printf '\n| --- |'
        for nodes in $NODES; do printf ' ---: |'; done
        printf '\n| (n + 1) / 2 |'
        for nodes in $NODES; do printf ' %s |' $(((nodes + 1) / 2)); done
        echo
        for solver in $SOLVERS; do
            # shellcheck disable=SC2016
            printf '| `%s` |' "$solver"
            for nodes in $NODES; do
                cell=$cells/$(echo "$solver" | tr ':=,' '----')-$accounting-$nodes-$TIME.jsonl
                sed 's/.*"ratio":\([0-9.]*\),"over":\([0-9]*\),"under":\([0-9]*\).*/\1 \2 \3/' "$cell" |
                    awk '{ printf " %.3f (%d / %d) |", $1, $2, $3 }'
            done
            echo
        done
    done
} >"$folder/adversary.md"
cat "$folder/adversary.md"
echo "in $folder: adversary.md; the graphs are in $cells"
