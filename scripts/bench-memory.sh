#!/bin/sh
# Where order matters: sh scripts/bench-memory.sh PROGRAM WORK RESULTS
#
# Takes every graph of tests/graphs and of the folder $HW_SHARED/graphs, where
# there is one, and every net of the `nets` family, for inference and training,
# as it stands and without views, in-place pairs, or both, and writes
# memory.md and memory.csv into RESULTS: how far source, level, dfs, greedy and
# portfolio are above the optimum, what views and in-place are worth beside
# order, and the height of an arena for the source's and the best order.
# TIME (60) seconds a run, ARENA (5) seconds an arena; JOBS and FRESH as for
# bench-exact.sh.
set -eu
program=${1:?usage: bench-memory.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-memory.sh PROGRAM WORK RESULTS}
folder=${3:?usage: bench-memory.sh PROGRAM WORK RESULTS}
here=$(dirname "$0")
# shellcheck source=scripts/bench-lib.sh
. "$here/bench-lib.sh"
TIME=${TIME:-60} ARENA=${ARENA:-5}
find_shared

HW_MEMORY=$work/memory
case $HW_MEMORY in /*) ;; *) HW_MEMORY=$PWD/$HW_MEMORY ;; esac
export HW_MEMORY
rm -rf "$HW_MEMORY"
mkdir -p "$HW_MEMORY/whole" "$HW_MEMORY/no-views" "$HW_MEMORY/no-inplace" "$HW_MEMORY/plain" "$folder"

# A file that is in both folders is taken once.
for graph in "$here"/../tests/graphs/*.json ${HW_SHARED:+"$HW_SHARED"/graphs/*.json}; do
    [ -f "$graph" ] || continue
    whole=$HW_MEMORY/whole/$(basename "$graph")
    [ ! -e "$whole" ] || cmp -s "$graph" "$whole" || fail "two graphs are named $(basename "$graph")"
    cp "$graph" "$whole"
done
nets=$("$program" gen nets --help | tr -d '\n' | sed 's/ //g; s/.*--netWORDthearchitecture(\([^;]*\);.*/\1/; s/|/ /g')
[ -n "$nets" ] || fail "the nets of the family nets are not to be read from its help"
for net in $nets; do
    for mode in inference training; do
        "$program" gen nets --net "$net" --mode "$mode" -q -o "$HW_MEMORY/whole/net-$net-$mode.json"
    done
done
for whole in "$HW_MEMORY"/whole/*.json; do
    name=$(basename "$whole")
    "$program" convert "$whole" "$HW_MEMORY/no-views/$name" --strip-views -q
    "$program" convert "$whole" "$HW_MEMORY/no-inplace/$name" --strip-inplace -q
    "$program" convert "$whole" "$HW_MEMORY/plain/$name" --strip-views --strip-inplace -q
done

part=$work/memory.suite
sed -e "s/^time-limit = .*/time-limit = $TIME/" -e "s/^kill-after = .*/kill-after = $((3 * TIME + 120))/" \
    "$here/suites/memory.suite" >"$part"
results=$work/memory-${TIME}s.jsonl
same_program "$program" "$results"
sweep "$program" "$part" "$results"
"$program" table "$results" --show units --format csv -o "$work/memory-units.csv"

heights=$work/memory-heights.csv
: >"$heights"
for whole in "$HW_MEMORY"/whole/*.json; do
    for accounting in alloc-first free-first; do
        for order in source portfolio; do
            "$program" arena "$whole" --order "$order" --allocator exact --time-limit "$ARENA" \
                --accounting "$accounting" --json -q >"$work/arena.json" || continue
            field() { sed -n 's/.*"'"$1"'": *\([0-9][0-9]*\).*/\1/p' "$work/arena.json" | head -n 1; }
            echo "$(basename "$whole" .json),$accounting,$order,$(field height),$(field bound),$(field load)" \
                >>"$heights"
        done
    done
done

{
    echo "# Where order matters, and what views and in-place are worth beside it"
    echo
    echo "Written by \`make bench-memory\` ($(machine)): $TIME s a run, $ARENA s an arena."
    echo
    echo "Optimum: the least peak of any order, without constants; with \`<=\` the best that was found, not"
    echo "proven. The orders and the optima of the graph without views, in-place pairs, or both stand as"
    echo "percentages above it. Arena: the least height that was found for the buffers of the source's and"
    echo "of the best order, over the peak of that order; \`?\`: not proven least. Every figure in bytes:"
    echo "memory.csv."
    awk -v heights="$heights" -v csv="$folder/memory.csv" -f "$here/bench-memory.awk" "$work/memory-units.csv"
} >"$folder/memory.md"
grep -A 5 '^Of ' "$folder/memory.md"
echo "in $folder: memory.md, memory.csv; the runs are in $results"
exit "$swept"
