#!/bin/sh
# What do the bad cases of a solver share?  sh scripts/bench-traits.sh PROGRAM WORK RESULTS
#
# Puts the claim to the test that bad cases share one trait, two branches with
# large blocks of similar size: on random graphs, and on graphs that a search
# found, which are kept in the folder WORK.  Writes RESULTS/traits.md (verdicts
# first), traits.csv (each reading under each meaning of its words),
# traits-ACCOUNTING.svg, and counter-examples of few nodes into RESULTS/traits.
#
#   SOLVER=greedy   COUNT=9600   random graphs an accounting
#   SMALL=6000      random graphs of 3 to 6 nodes, for counter-examples
#   SEARCHES=12     searches for each number of nodes and shape
#   EVALUATIONS=4000   graphs that each rates; JOBS=2 processes
set -eu
program=${1:?usage: bench-traits.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-traits.sh PROGRAM WORK RESULTS}/traits
folder=${3:?usage: bench-traits.sh PROGRAM WORK RESULTS}
SOLVER=${SOLVER:-greedy} COUNT=${COUNT:-9600} SMALL=${SMALL:-6000} SEARCHES=${SEARCHES:-12}
EVALUATIONS=${EVALUATIONS:-4000} JOBS=${JOBS:-2}

rm -rf "$work" "$folder/traits"
mkdir -p "$work" "$folder"
for accounting in alloc-first free-first; do
    found=$work/found-$accounting
    mkdir -p "$found"
    for shape in any series-parallel layered; do
        for nodes in 6 8 10 12; do
            seed=1
            while [ "$seed" -le "$SEARCHES" ]; do
                "$program" adversary "$SOLVER" --accounting $accounting --nodes $nodes \
                    --shape $shape --evaluations "$EVALUATIONS" --seed $seed -j "$JOBS" -q \
                    -o "$found/$shape-$nodes-$seed" >"$work/last.txt"
                seed=$((seed + 1))
            done
        done
    done
    for format in markdown readings; do
        "$program" traits --solver "$SOLVER" --accounting $accounting --count "$COUNT" \
            --format $format -q --plot "$folder/traits-$accounting.svg" \
            -o "$work/random-$accounting.$format"
        (cd "$found" && "$OLDPWD/$program" traits --solver "$SOLVER" --accounting $accounting \
            --format $format -q -- */) >"$work/found-$accounting.$format"
    done
    "$program" traits --solver "$SOLVER" --accounting $accounting --count "$SMALL" --nodes 3:6 \
        --family erdos:p=0.3 --family layered --family series-parallel-order --family daggen \
        --resamples 0 -q --examples "$folder/traits" -o "$work/small-$accounting.txt"
done

{
    head -n 1 "$work/random-alloc-first.readings"
    for accounting in alloc-first free-first; do
        tail -qn +2 "$work/random-$accounting.readings" "$work/found-$accounting.readings"
    done
} >"$folder/traits.csv"

{
    cat <<END
# What the bad cases of $SOLVER share

Written by \`make bench-traits\`.  The claim: bad cases share one trait, two branches with large
blocks of similar size.  It is put to random graphs of 10 to 14 nodes ($COUNT an accounting: twelve
families, four laws of sizes) and to graphs that \`highwater adversary\` found ($SEARCHES searches of
$EVALUATIONS graphs for each of 6, 8, 10, 12 nodes and three shapes; each kept graph once; finds of
one search are alike, so that intervals on them are too short, and they are compared with each other
only).  What each reading means, and when it holds, is said in highwater-traits(1).

## Verdicts

| graphs | accounting | reading | bad that have it | others that have it | odds ratio | verdict |
| --- | --- | --- | ---: | ---: | ---: | --- |
END
    awk -F, '
    function share(k, n) {
        return n ? sprintf("%.1f %% of %d", 100 * k / n, n) : "-"
    }
    NR > 1 && $17 != "" {
        others = $10 + $12
        only = $0
        sub(/^[^"]*"/, "", only); sub(/"$/, "", only)
        set = ($1 == "given" ? "found" : $1)
        printf "| %s | %s | %s | %s |", set, $3, $4, share($7, $8)
        printf " %s |", share($9 + $11, others)
        odds = $13 == "" ? "-" : sprintf("%.2f [%.2f, %.2f]", $13, $14, $15)
        printf " %s | %s%s |\n", odds, $17, ($17 == "holds only if" ? " " only : "")
        total[set]++
        count[set, $17]++
    }
    END {
        split("holds,holds only if,shared,fails,open", word, ",")
        for (s = 1; s <= 2; s++) {
            set = s == 1 ? "random" : "found"
            if (!total[set]) continue
            printf "\nOn %s graphs, of %d readings and accountings:", set, total[set]
            separator = " "
            for (i = 1; i <= 5; i++)
                if (count[set, word[i]]) {
                    printf "%s%d %s", separator, count[set, word[i]], word[i]
                    separator = ", "
                }
            printf ".\n"
        }
        verdict = "fails in every reading"
        if (count["random", "holds only if"])
            verdict = "holds in no reading as it stands, in some under the conditions above"
        if (count["random", "holds"])
            verdict = "holds in some readings only"
        if (count["random", "holds"] == total["random"])
            verdict = "holds"
        printf "\nSo for graphs drawn at random the claim %s.\n", verdict
        have = count["found", "shared"] + count["found", "holds"]
        if (have)
            printf "Of graphs bred to be bad it is true in %d of %d readings and accountings: they share it.\n", have, total["found"]
    }' "$folder/traits.csv"
    echo
    echo "Counter-examples of 3 to 6 nodes, as graphs: \`traits/*-bad-without.json\` and"
    echo "\`traits/*-optimal-with.json\`."
    for accounting in alloc-first free-first; do
        for set in random found; do
            echo
            sed '1,2d' "$work/$set-$accounting.markdown"
        done
    done
} >"$folder/traits.md"
sed -n '/^## Verdicts/,/^Counter/p' "$folder/traits.md"
echo "in $folder: traits.md, traits.csv, traits-*.svg, traits/"
