#!/bin/sh
# The whole campaign of the paper, and what it leaves in results/paper:
#
#   sh scripts/reproduce-full.sh PROGRAM CAMPAIGN_FOLDER RESULTS [SUITE]
#
# Runs SUITE (scripts/suites/paper.suite) into CAMPAIGN_FOLDER/results.jsonl and goes on
# where an earlier call was stopped; JOBS processes (all processors).  FRESH=1 begins anew.
# Then writes RESULTS/paper: the numbers, tables, plots and digests that are committed.  The
# raw lines stay in CAMPAIGN_FOLDER.
set -eu
program=${1:?usage: reproduce-full.sh PROGRAM CAMPAIGN_FOLDER RESULTS [SUITE]}
campaign=${2:?usage: reproduce-full.sh PROGRAM CAMPAIGN_FOLDER RESULTS [SUITE]}
folder=${3:?usage: reproduce-full.sh PROGRAM CAMPAIGN_FOLDER RESULTS [SUITE]}/paper
scripts=$(dirname "$0")
suite=${4:-$scripts/suites/paper.suite}
results=$campaign/results.jsonl

# Further real graphs, where a folder beside this one holds them.
if [ -z "${HW_SHARED:-}" ] && [ -d ../shared/graphs ]; then
    HW_SHARED=../shared
    export HW_SHARED
fi
mkdir -p "$campaign" "$folder"

how=--resume
[ -z "${FRESH:-}" ] || how=--overwrite
status=0
# shellcheck disable=SC2086
"$program" bench "$suite" -o "$results" $how ${JOBS:+-j "$JOBS"} || status=$?
# 1: two proofs disagree; the tables say where.  More: stopped, or nothing to sum up.
[ "$status" -le 1 ] || exit "$status"

# What was run, counted from the lines themselves.
awk -f "$scripts/paper-campaign.awk" "$results" >"$folder/campaign.csv.new"
mv "$folder/campaign.csv.new" "$folder/campaign.csv"

# table NAME OPTION...: into NAME.csv.
table() {
    name=$1
    shift
    "$program" table "$results" --format csv "$@" -o "$folder/$name.csv"
}

# Random graphs stand together; what is real or a network stands apart.
random=
for section in $(sed -n 's/^\[\([a-z0-9-]*\)\].*/\1/p' "$suite"); do
    case $section in
    nets* | graphs* | shared* | real*) ;;
    *) random="$random --where section=$section" ;;
    esac
done
# shellcheck disable=SC2086
{
    table solvers --show quality --by accounting,solver $random
    table families --show quality --by family,accounting,solver $random
    table nodes --show quality --by nodes,accounting,solver $random
    table ten --show quality --by accounting,solver --where nodes=10 $random
    table ten-families --show quality --by family,accounting,solver --where nodes=10 $random
    table density --show quality --by density,accounting,solver $random
    table ten-density --show quality --by density,accounting,solver --where nodes=10 \
        --where family=erdos $random
    table sizes --show quality --by sizes,accounting,solver $random
    table features --show quality --by features,accounting,solver $random
    table pairs --show pairs --against greedy --by accounting $random
    for kind in profile gaps runtime; do
        "$program" plot "$results" --kind $kind --where accounting=alloc-first $random \
            -o "$folder/$kind.svg"
    done
}
table sections --show quality --by section,accounting,solver
"$program" table "$results" --summary -o "$folder/summary.txt" || status=1

# What `make verify-results` compares with.
"$program" merge "$suite" "$results" --digest "$folder/digests.txt" -o "$campaign/merged.jsonl"
cat "$folder/summary.txt"
echo
echo "in $folder: campaign, tables (csv), plots (svg), digests; in $campaign: the lines"
exit "$status"
