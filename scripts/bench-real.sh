#!/bin/sh
# Real graphs to the proof: sh scripts/bench-real.sh PROGRAM WORK RESULTS
#
# Takes every graph of tests/graphs and of the folder $HW_SHARED/graphs, where
# there is one, as it stands and without views and in-place pairs, and writes
# real-graphs.md and real-graphs.csv into RESULTS.  TIME (60) seconds and
# MEMORY (8GiB) a graph; JOBS and FRESH as for bench-exact.sh.  GRAPHS="a b"
# takes only the files of these names.
set -eu
program=${1:?usage: bench-real.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-real.sh PROGRAM WORK RESULTS}
folder=${3:?usage: bench-real.sh PROGRAM WORK RESULTS}
here=$(dirname "$0")
# shellcheck source=scripts/bench-lib.sh
. "$here/bench-lib.sh"
TIME=${TIME:-60} MEMORY=${MEMORY:-8GiB}
find_shared

HW_REAL=$work/real-graphs
export HW_REAL
rm -rf "$HW_REAL"
mkdir -p "$HW_REAL/whole" "$HW_REAL/stripped" "$folder"
case $HW_REAL in /*) ;; *) HW_REAL=$PWD/$HW_REAL ;; esac
# A file that is in both folders is taken once.
for graph in "$here"/../tests/graphs/*.json ${HW_SHARED:+"$HW_SHARED"/graphs/*.json}; do
    [ -f "$graph" ] || continue
    name=$(basename "$graph" .json)
    case " ${GRAPHS:-$name} " in *" $name "*) ;; *) continue ;; esac
    if [ -e "$HW_REAL/whole/$name.json" ]; then
        cmp -s "$graph" "$HW_REAL/whole/$name.json" || fail "two graphs are named $name"
        continue
    fi
    cp "$graph" "$HW_REAL/whole/$name.json"
    "$program" convert "$graph" "$HW_REAL/stripped/$name.json" --strip-views --strip-inplace -q
done

part=$work/real.suite
sed -e "s/^time-limit = .*/time-limit = $TIME/" -e "s/^memory-limit = .*/memory-limit = $MEMORY/" \
    -e "s/^kill-after = .*/kill-after = $((3 * TIME + 120))/" "$here/suites/real.suite" >"$part"
results=$work/real-${TIME}s-$MEMORY.jsonl
same_program "$program" "$results"
sweep "$program" "$part" "$results"

units() { "$program" table "$results" --show units "$@"; }
effort() {
    "$program" table "$results" --show effort --by section,accounting,solver \
        --where solver=exact "$@"
}
units --format csv -o "$folder/real-graphs.csv"
{
    echo "# Real graphs to the proof"
    echo
    echo "Written by \`make bench-real\` ($(machine)): $TIME s and $MEMORY a graph. Sections:"
    echo "\`whole\`, the graph as it stands; \`stripped\`, without views and in-place pairs."
    echo "Peaks in bytes, without constants; the gap is that between peak and bound."
    echo
    echo "All graphs:"
    echo
    effort --format markdown
    echo
    echo "Graphs of at most 255 nodes:"
    echo
    effort --where nodes=1..255 --format markdown
    echo
    echo "Each:"
    echo
    units --format markdown
} >"$folder/real-graphs.md"
echo "all graphs:"
effort
echo "graphs of at most 255 nodes:"
effort --where nodes=1..255
echo "not settled:"
units --format csv | awk -F, '$11 != "optimal"' | cut -d, -f 1-4,8-13
echo "in $folder: real-graphs.md, real-graphs.csv; the runs are in $results"
exit "$swept"
