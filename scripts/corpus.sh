#!/bin/sh
# Search for bad graphs for every rule and keep the worst, shrunk.
#
#   sh scripts/corpus.sh BUILD_FOLDER CORPUS
#
# For each rule, number of nodes and accounting: `highwater adversary` with a
# limit of evaluations (the same graphs anywhere), then `highwater corpus add
# --shrink`, which keeps what is worse than the entry that stands there.  Then
# the same with small graphs of the families that were made to be bad.  Ends with
# pictures and the tables CORPUS/README.md and CORPUS/corpus.csv.
#   SOLVERS="SPEC..."  NODES="N..." (none: families alone)  ACCOUNTINGS="WORD..."  EVALUATIONS=N  JOBS=N
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

# keep SOLVER ACCOUNTING GRAPH FOUND: a rule that the graph does not defeat, or
# that takes no such graph, has no entry of it.
keep() {
    "$program" corpus add "$corpus" "$3" --solver "$1" --accounting "$2" --found "$4" --shrink -q \
        2>"$work/why" && return
    [ $? = 1 ] && grep -q 'reaches the optimum\|has no order' "$work/why" && return
    cat "$work/why" >&2
    exit 1
}

for nodes in ${NODES-8 10 12}; do
    for accounting in ${ACCOUNTINGS:-alloc-first free-first}; do
        for solver in $solvers; do
            rm -rf "$work/found"
            "$program" adversary "$solver" --nodes "$nodes" --accounting "$accounting" \
                --evaluations "${EVALUATIONS:-100000}" ${JOBS:+-j "$JOBS"} -q \
                -o "$work/found" >"$work/said"
            found=$(sed -n 's/.*"command":"\([^"]*\)".*/\1/p' "$work/found/run.json")
            keep "$solver" "$accounting" "$work/found/best.json" "$found"
        done
    done
done

# The families whose ratios are proven, small and of the same sizes.
sizes="--big 99 --small 1"
for rungs in 2 3 4 5 6; do
    for numbers in late paired; do
        echo "adversarial-ladder --rungs $rungs $sizes --numbers $numbers"
        echo "adversarial-ladder --rungs $rungs $sizes --numbers $numbers --from sinks"
    done
    [ "$rungs" -gt 3 ] || echo "adversarial-ladder --rungs $rungs $sizes --from both"
    for kept in yes no; do
        echo "adversarial-fan --rungs $rungs $sizes --excess 1 --kept $kept"
    done
    echo "adversarial-branches --branches $rungs --rise 50 --block 100 --small 1"
    echo "adversarial-ladder --rungs $rungs $sizes --hang gate"
    echo "adversarial-ladder --rungs $rungs $sizes --from sinks --loose yes"
    [ "$rungs" = 2 ] || echo "adversarial-fan --rungs $rungs $sizes --kept no --lean yes"
    if [ "$rungs" -le 4 ]; then
        for depth in 1 2; do
            echo "adversarial-pairs --rungs $rungs --big 49 --small 1 --depth $depth"
        done
        [ "$rungs" = 2 ] || echo "adversarial-pairs --rungs $rungs --big 49 --small 1 --spike yes"
    fi
done >"$work/families"
while read -r family; do
    # shellcheck disable=SC2086
    "$program" gen $family -q -o "$work/graph.json"
    for accounting in ${ACCOUNTINGS:-alloc-first free-first}; do
        for solver in $solvers; do
            keep "$solver" "$accounting" "$work/graph.json" "highwater gen $family"
        done
    done
done <"$work/families"

# Pictures of the worst of each rule and accounting: the graph with the wrong
# turn, and both memory curves.
rm -f "$corpus"/*/*.svg
"$program" corpus table "$corpus" --format csv -q -o "$corpus/corpus.csv"
sed -n 's/^\([^,]*\),"\([^"]*\)",\([a-z-]*\),[0-9]*,[0-9]*,[0-9]*,[0-9]*,\([0-9.]*\),.*/\1 \2 \3 \4/p' \
    "$corpus/corpus.csv" | sort -k 2,3 -k 4,4gr -k 1,1 |
    awk '$2 " " $3 != last { print $1, $2, $3; last = $2 " " $3 }' >"$work/worst"
while read -r name solver accounting; do
    entry=$corpus/$name
    "$program" explain "$entry/graph.json" --solver "$solver" --accounting "$accounting" \
        --draw "$entry/graph.svg" --curves "$entry/curves.svg" -q >"$work/said"
done <"$work/worst"

{
    echo "# Graphs on which rules fail"
    echo
    echo "The worst graph that was found for each rule, number of nodes and accounting, shrunk until"
    echo "every single step loses the ratio of peak and optimum. \`make corpus\` finds them;"
    echo "\`make verify-corpus\` computes every figure anew and checks every proof;"
    echo "highwater-formats(5), CORPUS, says what the files hold. Of the worst of each rule and"
    echo "accounting graph.svg shows the wrong turn, curves.svg the memory of the rule's order above that"
    echo "of the optimum."
    echo
    "$program" corpus table "$corpus" --format markdown -q
} >"$work/README.md"
mv "$work/README.md" "$corpus/README.md"
