#!/bin/sh
# The long tests of the exact solvers, in slices, several at a time.
#
#   sh scripts/check-long.sh BUILD_FOLDER [JOBS [PART]]
#
# Each slice is one call of a test program on graphs of its own, set by the
# environment variables that the program documents:
#
#   solver    200,000 graphs of up to 11 nodes: all ways of running `exact`
#             against backtracking by the definitions
#   rules     200,000 graphs of up to 10 nodes: the search engine by itself,
#             both directions, combinations of rules, falling budgets
#   dp        5,000 graphs of 12 to 24 nodes against `dp`
#   windows   20,000 graphs with windows against `dp`
#   pieces, profiles, contract, images
#             100,000 graphs each: reductions before the search
#   liu       100,000 in-trees against `exact`, 60,000 forests against backtracking
#   xla       100,000 graphs: XLA's schedulers against slow twins
#   series    100,000 series-parallel graphs against `exact` and the definitions
#   inductor  100,000 graphs: PyTorch Inductor's schedulers against slow twins
#   tflite    100,000 graphs: tflite-tools against `dp`
#   ort       100,000 graphs: ONNX Runtime's orders against slow twins
#   beam      100,000 graphs of up to 12 nodes: wide beams against `dp`
#   backtrack 100,000 graphs: against a slow twin, greedy and `dp`
#   anneal    50,000 graphs: between optimum and start
#   lns       50,000 graphs: stretches measured, merges against all, answers between
#             optimum and start
#   proofs    10,000 proofs, written and verified
#   serenity, hmcos
#             100,000 graphs each against `dp`
#   milp      500 graphs against the integer program (where cbc is there)
#   programs  2,000 graphs: solver milp against `dp` (cbc, glpsol where they are)
#
# JOBS: slices at a time (2).  PART p: only every p-th slice (1: all).  A line
# tells of each slice as it ends; the sums come last.  A slice that passed is
# not run again until its program changes, so a run that was stopped goes on
# where it was.  Exit status 1 when a slice failed; its log is kept in
# BUILD_FOLDER/long.
set -u

# --slice FOLDER NAME PROGRAM VARIABLE=VALUE...: one of them.
if [ "$1" = --slice ]; then
    folder=$2 name=$3 program=$4
    shift 4
    if [ -f "$folder/$name.ok" ] && [ -z "$(find "$program" -newer "$folder/$name.ok")" ]; then
        exit 0
    fi
    begin=$(date +%s)
    if env "$@" nice -n 10 "$program" >"$folder/$name.part" 2>&1; then
        mv "$folder/$name.part" "$folder/$name.ok"
        status=0 word=pass
    else
        mv "$folder/$name.part" "$folder/$name.log"
        rm -f "$folder/$name.ok"
        status=1 word=FAIL
    fi
    done=$(while read -r line; do
        [ -f "$folder/${line%% *}.ok" ] && echo "$line"
    done <"$folder/plan" | wc -l)
    printf '%s  %s (%d s; %d of %d passed)\n' "$word" "$name" $(($(date +%s) - begin)) "$done" \
        "$(wc -l <"$folder/plan")"
    [ $status = 0 ] || tail -n 20 "$folder/$name.log"
    exit $status
fi

out=$1 jobs=${2:-2} part=${3:-1}
folder=$out/long
mkdir -p "$folder"
rm -f "$folder"/*.part "$folder"/*.log

# slices NAME TEST ALL EACH COUNT FIRST VARIABLE=VALUE...: lines of the plan.
# COUNT and FIRST name the variables for the size and the place of a slice.
slices() {
    name=$1 test=$2 all=$3 each=$4 count=$5 first=$6
    shift 6
    at=0
    while [ "$at" -lt "$all" ]; do
        echo "$name-$at $out/tests/$test $count=$each $first=$at${*:+ $*}" # xargs joins lines after a space
        at=$((at + each))
    done
}

{
    slices solver test_exact 200000 2000 HW_EXACT_GRAPHS HW_EXACT_FIRST \
        HW_EXACT_TURNS=1 HW_EXACT_DP_GRAPHS=0 HW_EXACT_WINDOWS=0
    slices rules test_exact_rules 200000 10000 HW_EXACT_GRAPHS HW_EXACT_FIRST
    slices dp test_exact 5000 100 HW_EXACT_DP_GRAPHS HW_EXACT_FIRST \
        HW_EXACT_TURNS=1 HW_EXACT_GRAPHS=0 HW_EXACT_WINDOWS=0
    slices windows test_exact 20000 1000 HW_EXACT_WINDOWS HW_EXACT_FIRST \
        HW_EXACT_TURNS=1 HW_EXACT_GRAPHS=0 HW_EXACT_DP_GRAPHS=0
    slices pieces test_exact_pieces 100000 5000 HW_EXACT_PIECES HW_EXACT_SEED
    slices profiles test_exact_profile 100000 5000 HW_EXACT_PIECES HW_EXACT_SEED
    slices contract test_exact_contract 100000 5000 HW_CONTRACT_GRAPHS HW_CONTRACT_SEED
    slices backtrack test_backtrack 100000 5000 HW_MODELS_GRAPHS HW_MODELS_FIRST HW_SHAPE_NODES=1000
    slices anneal test_anneal 50000 5000 HW_MODELS_GRAPHS HW_MODELS_FIRST
    slices lns test_lns 50000 5000 HW_LNS_GRAPHS HW_LNS_FIRST
    slices images test_exact_images 100000 5000 HW_IMAGES_GRAPHS HW_IMAGES_SEED
    slices liu test_liu 100000 10000 HW_LIU_TREES HW_LIU_FIRST HW_LIU_FORESTS=6000
    slices xla test_xla 100000 5000 HW_XLA_GRAPHS HW_XLA_FIRST HW_XLA_NODES=1000
    slices serenity test_serenity 100000 5000 HW_SERENITY_GRAPHS HW_SERENITY_FIRST
    slices series test_series_parallel 100000 10000 HW_SP_GRAPHS HW_SP_FIRST
    slices inductor test_inductor 100000 5000 HW_MODELS_GRAPHS HW_MODELS_FIRST HW_SHAPE_NODES=1000
    slices hmcos test_hmcos 100000 5000 HW_HMCOS_GRAPHS HW_HMCOS_FIRST
    slices tflite test_tflite_tools 100000 10000 HW_TFLITE_GRAPHS HW_TFLITE_FIRST
    slices ort test_ort 100000 5000 HW_MODELS_GRAPHS HW_MODELS_FIRST HW_SHAPE_NODES=1000
    slices beam test_beam 100000 5000 HW_BEAM_GRAPHS HW_BEAM_SEED
    slices programs test_milp 2000 500 HW_MILP_ORDERS HW_MILP_FIRST HW_MILP_GLPSOL=100
    # One slice each: these have no other place to begin.
    slices proofs test_exact_proof 10000 10000 HW_PROOF_GRAPHS UNUSED
    slices milp test_milp_route 500 500 HW_MILP_GRAPHS UNUSED
} | awk -v part="$part" 'NR % part == 0' >"$folder/plan"

begin=$(date +%s)
xargs -P "$jobs" -L 1 sh "$0" --slice "$folder" <"$folder/plan"
status=$?

echo "slices passed:"
while read -r name rest; do
    [ -f "$folder/$name.ok" ] && echo "pass ${name%-*}" || echo "- ${name%-*}"
done <"$folder/plan" | awk '
    !($2 in all) { name[++names] = $2 }
    { all[$2]++; passed[$2] += $1 == "pass" }
    END { for (i = 1; i <= names; i++) print "  " name[i] ": " passed[name[i]] + 0 " of " all[name[i]] }'

# Lines "# WHAT: N graphs, M ..., ..." of the programs, added up.
while read -r name rest; do
    [ -f "$folder/$name.ok" ] && cat "$folder/$name.ok"
done <"$folder/plan" | awk '
    /^# .*: [0-9]+ graphs/ {
        split($0, half, ": ")
        n = split(half[2], item, ", ")
        for (i = 1; i <= n; i++)
            if (item[i] + 0 > 0) {
                space = index(item[i], " ")
                key = half[1] SUBSEP i
                sum[key] += item[i] + 0
                word[key] = substr(item[i], space)
                if (!(half[1] in seen)) { seen[half[1]] = 1; name[++names] = half[1] }
            }
    }
    END {
        for (k = 1; k <= names; k++) {
            line = substr(name[k], 3) ":"
            for (i = 1; (name[k] SUBSEP i) in sum; i++)
                line = line (i > 1 ? "," : "") " " sum[name[k], i] word[name[k], i]
            print line
        }
    }'
echo "$(wc -l <"$folder/plan") slices in $(($(date +%s) - begin)) s"
[ $status = 0 ]
