#!/bin/sh
# The census of small graphs: sh scripts/bench-census.sh PROGRAM WORK RESULTS
#
# Takes the census of all graphs with all source orders, with its lines in the
# folder WORK, and writes RESULTS/census.md (worst ratio by number of nodes, where
# rules fail first, how often), census.csv (all figures, with the worst graphs)
# and census.svg; with NUMBERINGS=one census-one.md and so on.  The worst graphs as
# files are in WORK/census-graphs.  A stopped run goes on where it was; every
# figure is solved again by the second route before it is written.
#
#   NODES=5      the most nodes (6: minutes; 7: days)
#   SIZES=2      the greatest size (3)
#   NUMBERINGS=one  one source order a graph: a fifth of the time, at 6 nodes
#   FAILS=all    count a graph as missed for any of its cases: twice the time (first)
#   JOBS=2       processes; FRESH=1: forget earlier results
#   ALSO=FILE    lines of a further census, of other numbers of nodes
set -eu
program=${1:?usage: bench-census.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-census.sh PROGRAM WORK RESULTS}
folder=${3:?usage: bench-census.sh PROGRAM WORK RESULTS}
# shellcheck source=scripts/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"
JOBS=${JOBS:-2} NODES=${NODES:-6} SIZES=${SIZES:-3} NUMBERINGS=${NUMBERINGS:-all} FAILS=${FAILS:-first} ALSO=${ALSO:-}

mkdir -p "$work" "$folder"
name=census
[ "$NUMBERINGS" = all ] || name=census-$NUMBERINGS
lines=$work/census-$NODES-$SIZES-$NUMBERINGS-$FAILS.jsonl
same_program "$program" "$lines"
begun=$(date +%s) fresh=yes
[ ! -s "$lines" ] || fresh=
"$program" census --nodes "$NODES" --sizes "$SIZES" --numberings "$NUMBERINGS" --fails "$FAILS" -j "$JOBS" \
    --lines "$lines" --resume --format csv -o "$work/$name.csv"
spent=$(($(date +%s) - begun))

rm -rf "$work/$name-graphs"
# shellcheck disable=SC2086
"$program" census --merge "$lines" $ALSO --format csv --plot "$folder/$name.svg" \
    --graphs "$work/$name-graphs" -o "$folder/$name.csv"
{
    echo "# How bad every rule can be on small graphs"
    echo
    echo "Written by \`make census\`: all acyclic graphs with all sizes 1 to m, each node with one"
    echo "tensor for all its readers, results kept; every figure is exact. A case is a graph with a"
    echo "source order, by which most rules break ties; here with"
    if [ "$NUMBERINGS" = all ]; then
        echo "all of them. Under both accountings; see highwater-census(1)."
    else
        echo "one of them, the least numbering, so that a rule can be worse in another source order."
        echo "Under both accountings; see highwater-census(1)."
    fi
    if [ -n "$fresh" ]; then
        echo "Up to $NODES nodes in $spent s on $(machine)."
    fi
    echo
    echo "| nodes | m | graphs without sizes | graphs | cases | source orders |"
    echo "| ---: | ---: | ---: | ---: | ---: | --- |"
    # A control runs on one graph for each one without sizes, so it counts those.
    awk -F, '
        NR > 1 && $5 == "alloc-first" && $6 == "dp" {
            if (!($1 in m) || $2 > m[$1]) { m[$1] = $2; dags[$1] = $10; graphs[$1] = $8; cases[$1] = $9; of[$1] = $3 }
            if ($1 > most) most = $1
        }
        END {
            for (n = 1; n <= most; n++)
                if (n in m) printf "| %d | %d | %d | %d | %d | %s |\n", n, m[n], dags[n], graphs[n], cases[n], of[n]
        }' "$folder/$name.csv"
    echo
    echo "## Worst ratio of peak to optimum, by number of nodes"
    echo
    echo "Beside it the number of nodes at which the rule can first miss the optimum with those"
    if [ "$FAILS" = all ]; then
        echo "sizes, and on how many graphs of the most nodes it does, in any case of the graph."
    else
        echo "sizes, and on how many graphs of the most nodes it does, in the first case of the graph"
        echo "(its least numbering)."
    fi
    echo "(any order) is the worst of all orders; it never passes (n + 1) / 2, rounded down. Exact"
    echo "solvers are controls, each on one graph for every graph without sizes: the one where the"
    echo "worst order is worst."
    echo
    # shellcheck disable=SC2086
    "$program" census --merge "$lines" $ALSO --format markdown -q
    echo
    echo "Every row for every m, with the worst graphs, is in $name.csv; the curves are in $name.svg."
} >"$folder/$name.md.new"
mv "$folder/$name.md.new" "$folder/$name.md"
sed -n '1,30p' "$folder/$name.md"
echo "in $folder: $name.md, $name.csv, $name.svg; the graphs are in $work/$name-graphs"
