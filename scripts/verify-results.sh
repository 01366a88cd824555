#!/bin/sh
# Does the campaign of the paper still come out the same?
#
#   sh scripts/verify-results.sh PROGRAM FOLDER RESULTS [SUITE]
#
# Draws SAMPLE (400) units of SUITE (scripts/suites/paper.suite) by SEED (1), runs every solver on
# them with JOBS processes (all processors), and compares every deterministic column with the
# digests in RESULTS/paper.  Says what was compared; ends with 1 and names the units where something
# differs.
set -eu
program=${1:?usage: verify-results.sh PROGRAM FOLDER RESULTS [SUITE]}
folder=${2:?usage: verify-results.sh PROGRAM FOLDER RESULTS [SUITE]}
results=${3:?usage: verify-results.sh PROGRAM FOLDER RESULTS [SUITE]}
suite=${4:-$(dirname "$0")/suites/paper.suite}
digests=$results/paper/digests.jsonl
if [ ! -s "$digests" ]; then
    echo "verify-results: $digests is not there: make reproduce-full writes it" >&2
    exit 3
fi
mkdir -p "$folder"
status=0
# shellcheck disable=SC2086
"$program" bench "$suite" --sample "${SAMPLE:-400}" --sample-seed "${SEED:-1}" \
    -o "$folder/sample.jsonl" --overwrite ${JOBS:+-j "$JOBS"} || status=$?
# 1: two proofs disagree; the comparison says where.
[ "$status" -le 1 ] || exit "$status"
"$program" merge "$suite" "$folder/sample.jsonl" --verify "$digests" || status=$?
exit "$status"
