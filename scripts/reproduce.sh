#!/bin/sh
# The main experiment: sh scripts/reproduce.sh PROGRAM FOLDER
# Runs the suite small and writes results, tables and plots into FOLDER.
set -eu
program=${1:?usage: reproduce.sh PROGRAM FOLDER}
folder=${2:?usage: reproduce.sh PROGRAM FOLDER}
suite=$(dirname "$0")/suites/small.suite
results=$folder/results.jsonl
# Further real graphs, where a folder beside this one holds them.
if [ -z "${HW_SHARED:-}" ] && [ -d ../shared/graphs ]; then
    HW_SHARED=../shared
    export HW_SHARED
fi
mkdir -p "$folder"

# A sweep that finds a contradiction ends with 1: its tables still say where.
status=0
"$program" bench "$suite" -o "$results" --overwrite || status=$?
[ "$status" -le 1 ] || exit "$status"

for format in csv markdown latex; do
    case $format in
    csv) ending=csv ;;
    markdown) ending=md ;;
    latex) ending=tex ;;
    esac
    "$program" table "$results" --by section,accounting,solver --format $format \
        -o "$folder/solvers.$ending"
    "$program" table "$results" --by section,family,accounting,solver --format $format \
        -o "$folder/families.$ending"
    "$program" stats "$results" --by accounting --format $format -o "$folder/stats.$ending"
done

# Random graphs together, for they were drawn at many sizes; real ones apart.
random="--where section=small --where section=larger --where section=wide"
# shellcheck disable=SC2086
"$program" plot "$results" --kind all --pdf $random -q -o "$folder"
for ending in svg pdf; do
    for kind in gaps profile; do
        "$program" plot "$results" --kind $kind --where section=nets --where section=graphs \
            -o "$folder/$kind-real.$ending"
    done
done

"$program" table "$results" --summary -o "$folder/summary.txt" || status=1
cat "$folder/summary.txt"
"$program" report "$folder" -q -o "$folder/report.html" \
    --machine "$(uname -sm), $(getconf _NPROCESSORS_ONLN) processors"
echo
echo "in $folder: results.jsonl; solvers, families, stats (csv, md, tex); plots (svg, pdf);"
echo "report.html, which shows all of it"
exit "$status"
