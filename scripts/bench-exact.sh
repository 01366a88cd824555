#!/bin/sh
# What proofs cost on random graphs: sh scripts/bench-exact.sh PROGRAM WORK RESULTS
#
# Runs suites/exact.suite, or the part of it that the environment names, with
# its lines of results in the folder WORK, and writes exact.md, exact.csv (a
# row a family, size, accounting and solver) and exact-laws.csv (the laws of
# sizes apart) into RESULTS.  A stopped run goes on where it was; parts that are
# run one after the other, with the same limits, come together in one table.
#
#   SEEDS=20         graphs a family, size and accounting
#   NODES="30 64"    sizes
#   FAMILIES="er2"   sections of the suite
#   SIZES="uniform"  laws of the sizes, over which SEEDS are shared out
#   TIME=60          seconds a graph         MEMORY=8GiB  for exact
#   DP_TIME=10       seconds a graph for dp  DP_NODES=64  its largest graphs
#   JOBS=1           graphs at the same time; FRESH=1: forget earlier results
set -eu
program=${1:?usage: bench-exact.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-exact.sh PROGRAM WORK RESULTS}
folder=${3:?usage: bench-exact.sh PROGRAM WORK RESULTS}
here=$(dirname "$0")
# shellcheck source=scripts/bench-lib.sh
. "$here/bench-lib.sh"
whole=$here/suites/exact.suite

SEEDS=${SEEDS:-20} NODES=${NODES:-30 64 100 128 200 256} SIZES=${SIZES:-uniform lognormal}
TIME=${TIME:-60} MEMORY=${MEMORY:-8GiB} DP_TIME=${DP_TIME:-10} DP_NODES=${DP_NODES:-64}
families=$(sed -n 's/^\[\(.*\)\]$/\1/p' "$whole" | tr '\n' ' ')
FAMILIES=${FAMILIES:-$families}
for family in $FAMILIES; do
    case " $families" in
    *" $family "*) ;;
    *) fail "FAMILIES: there is no '$family' among: $families" ;;
    esac
done
case $SEEDS in '' | *[!0-9]* | 0) fail "SEEDS=$SEEDS: give a number of graphs" ;; esac

mkdir -p "$work" "$folder"
part=$work/exact.suite
# The whole suite with sections, sizes, laws, counts and limits put in.
awk -v seeds="$SEEDS" -v nodes="$NODES" -v laws="$SIZES" -v wanted="$FAMILIES" \
    -v time="$TIME" -v memory="$MEMORY" -v dp_time="$DP_TIME" -v dp_nodes="$DP_NODES" '
BEGIN {
    gsub(/[ ,|]+/, "|", nodes)
    n_laws = split(laws, law, /[ ,|]+/)
}
/^\[/ { skip = !index(" " wanted " ", " " substr($0, 2, length($0) - 2) " ") }
skip { next }
/^time-limit =/ { $0 = "time-limit = " time }
/^kill-after =/ { $0 = "kill-after = " 3 * time + 60 }
/^memory-limit =/ { $0 = "memory-limit = " memory }
/^time-limit dp =/ { $0 = "time-limit dp = " dp_time }
/^most-nodes dp =/ { $0 = "most-nodes dp = " dp_nodes }
/^family =/ {
    for (i = 1; i <= n_laws; i++) {
        count = int((seeds + n_laws - i) / n_laws) # the first laws take the rest
        if (count == 0)
            continue
        row = $0
        sub(/n=[0-9|]+/, "n=" nodes, row)
        sub(/sizes=[a-z|]+/, "sizes=" law[i], row)
        sub(/ x[0-9]+$/, " x" count, row)
        print row
    }
    next
}
{ print }' "$whole" >"$part"

results=$work/exact-${TIME}s-$MEMORY-dp-${DP_TIME}s.jsonl
same_program "$program" "$results"
sweep "$program" "$part" "$results"

table() { "$program" table "$results" --show effort "$@"; }
table --by section,nodes,accounting,solver --format csv -o "$folder/exact.csv"
table --by section,params,nodes,accounting,solver --format csv -o "$folder/exact-laws.csv"
{
    echo "# What proofs cost on random graphs"
    echo
    echo "Written by \`make bench-exact\` ($(machine)): $TIME s and $MEMORY a graph for exact,"
    echo "$DP_TIME s for dp. A cell has the share settled, the median time (a graph that is not"
    echo "settled counts as endless) and in parentheses the longest of those that are."
    echo
    table --by section,accounting,solver --across nodes --format markdown
    echo
    echo "In full:"
    echo
    table --by section,nodes,accounting,solver --format markdown
} >"$folder/exact.md"
table --by section,accounting,solver --across nodes
"$program" table "$results" --summary | sed -n '1,/^$/p'
echo "in $folder: exact.md, exact.csv, exact-laws.csv; the runs are in $results"
exit "$swept"
