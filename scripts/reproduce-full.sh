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
    "$program" table "$results" --show quality --format csv "$@" -o "$folder/$name.csv"
}

# where SECTION...: the options that choose these sections.
where() {
    for section in "$@"; do
        printf ' --where section=%s' "$section"
    done
}

size() {
    if [ "$1" = pdf ]; then
        echo "--size column"
    fi
}

# The families at the same sizes: a section each.
mixture=$(where layered erdos random-order series-parallel sp-order in-tree out-tree fan chains \
    randwire daggen)
themes=$(where with-inputs with-workspace with-inplace with-views with-discarded with-split with-all)
# Lists of options are to be split at blanks.
# shellcheck disable=SC2046,SC2086
{
    table solvers --by accounting,solver $mixture
    table families --by section,accounting,solver $mixture
    table nodes --by nodes,accounting,solver $mixture
    table ten --by accounting,solver --where nodes=10 $mixture
    table ten-families --by section,accounting,solver --where nodes=10 $mixture
    table sparse --by accounting,solver $(where sparse-10)
    table density --by section,params,accounting,solver $(where density-erdos density-layered) \
        --where solver=greedy --where solver=greedy-reverse
    table laws --by section,sizes,accounting,solver $(where laws-erdos laws-layered)
    table features --by section,accounting,solver $themes
    table wide --by section,params,accounting,solver $(where wide)
    table nets --by section,accounting,solver $(where nets graphs)
    "$program" table "$results" --show effort --by section,nodes,accounting,solver --format csv \
        --where solver=exact $(where wide nets graphs) -o "$folder/effort.csv"
    "$program" stats "$results" --by accounting --format csv $mixture -o "$folder/stats.csv"
    "$program" table "$results" --show pairs --against greedy --by accounting --format csv \
        $mixture -o "$folder/pairs.csv"

    # Figures: PDF of a column's width for the paper, SVG for README.md and the web.
    shown=
    for solver in level greedy greedy-reverse lookahead xla-best inductor-best ort-memory beam; do
        shown="$shown --where solver=$solver"
    done
    for ending in pdf svg; do
        "$program" plot "$results" --kind profile --where accounting=alloc-first $mixture $shown \
            $(size $ending) -o "$folder/profile.$ending"
        "$program" plot "$results" --kind pareto --where accounting=alloc-first $mixture $shown \
            $(size $ending) -o "$folder/pareto.$ending"
        "$program" plot "$results" --kind heat --where accounting=alloc-first \
            $(where density-erdos) --solver greedy --solver greedy-reverse $(size $ending) \
            -o "$folder/heat.$ending"
    done
    "$program" plot "$results" --kind shares --by section --where accounting=alloc-first $mixture \
        --solver greedy --solver greedy-reverse -o "$folder/shares.svg"
    "$program" plot "$results" --kind counts $mixture -o "$folder/counts.svg"
}
"$program" table "$results" --summary -o "$folder/summary.txt" || status=1

# What `make verify-results` compares with.
"$program" merge "$suite" "$results" --digest "$folder/digests.jsonl"

# All of it as one page, with the answer for the families at the same sizes.
claims=
[ ! -e "$3/claims.json" ] || claims="--claims $3/claims.json"
# shellcheck disable=SC2086
"$program" report "$folder" --results "$results" $mixture -q -o "$campaign/report.html" \
    --title "The study of the paper" \
    --machine "$(uname -sm), $(getconf _NPROCESSORS_ONLN) processors" $claims
cat "$folder/summary.txt"
echo
echo "in $folder: campaign, tables (csv), plots (svg), digests; in $campaign: the lines, report.html"
exit "$status"
