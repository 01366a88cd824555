#!/bin/sh
# Search for bad graphs for every rule and keep the worst, shrunk.
#
#   sh scripts/corpus.sh BUILD_FOLDER CORPUS
#
# For each rule, number of nodes and accounting: `highwater adversary` with a
# limit of evaluations (the same graphs anywhere), then `highwater corpus add
# --shrink`, which keeps what is worse than the entry that stands there.
# Ends with the pictures of each entry and the tables CORPUS/README.md and
# CORPUS/corpus.csv.
#   SOLVERS="SPEC..."  NODES="N..."  ACCOUNTINGS="WORD..."  EVALUATIONS=N  JOBS=N
set -eu
out=${1:?usage: corpus.sh BUILD_FOLDER CORPUS}
corpus=${2:?usage: corpus.sh BUILD_FOLDER CORPUS}
program=$out/highwater
solvers=${SOLVERS:-"greedy greedy-listing greedy-mixed greedy-reverse source level dfs by-output
    lpmf inductor-bfs inductor-dfs inductor-best ort-dfs ort-priority ort-memory
    lookahead:k=2,depth=1 lookahead:k=2,depth=2 lookahead:k=3,depth=1 lookahead:k=3,depth=2
    lookahead:k=5,depth=1 lookahead:k=5,depth=2 xla-list xla-dfs xla-postorder xla-best
    beam:width=8 beam-reverse:width=8 best-of-both:width=8 hmcos backtrack"}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

for nodes in ${NODES:-8 10 12}; do
    for accounting in ${ACCOUNTINGS:-alloc-first free-first}; do
        for solver in $solvers; do
            rm -rf "$work/found"
            "$program" adversary "$solver" --nodes "$nodes" --accounting "$accounting" \
                --evaluations "${EVALUATIONS:-100000}" ${JOBS:+-j "$JOBS"} -q \
                -o "$work/found" >"$work/said"
            found=$(sed -n 's/.*"command":"\([^"]*\)".*/\1/p' "$work/found/run.json")
            # A rule that no graph of this size defeats has no entry.
            "$program" corpus add "$corpus" "$work/found/best.json" --solver "$solver" \
                --accounting "$accounting" --found "$found" --shrink -q ||
                [ $? = 1 ] || exit 1
        done
    done
done

# The graph with the wrong turn, and both memory curves.
for entry in "$corpus"/*/; do
    solver=$(sed -n 's/.*"solver":"\([^"]*\)".*/\1/p' "$entry/entry.json")
    accounting=$(sed -n 's/.*"accounting":"\([^"]*\)".*/\1/p' "$entry/entry.json")
    "$program" explain "$entry/graph.json" --solver "$solver" --accounting "$accounting" \
        --draw "$entry/graph.svg" --curves "$entry/curves.svg" -q >"$work/said"
done

{
    echo "# Graphs on which rules fail"
    echo
    echo "The worst graph that was found for each rule, number of nodes and accounting, shrunk until"
    echo "every single step loses the ratio of peak and optimum. \`make corpus\` finds them;"
    echo "\`make verify-corpus\` computes every figure anew and checks every proof;"
    echo "highwater-formats(5), CORPUS, says what the files hold. graph.svg shows the graph with the"
    echo "wrong turn, curves.svg the memory of the rule's order above that of the optimum."
    echo
    "$program" corpus table "$corpus" --format markdown -q
} >"$work/README.md"
"$program" corpus table "$corpus" --format csv -q -o "$corpus/corpus.csv"
mv "$work/README.md" "$corpus/README.md"
