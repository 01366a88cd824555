#!/bin/sh
# What each rule of the exact solver is worth: sh scripts/bench-ablation.sh PROGRAM WORK FOLDER
# Writes ablation.md and ablation.csv into FOLDER; lines stay in WORK.  JOBS=, FRESH=1: begin anew.
set -eu
program=${1:?usage: bench-ablation.sh PROGRAM WORK FOLDER}
work=${2:?usage: bench-ablation.sh PROGRAM WORK FOLDER}
folder=${3:?usage: bench-ablation.sh PROGRAM WORK FOLDER}
scripts=$(dirname "$0")
# shellcheck source=scripts/bench-lib.sh
. "$scripts/bench-lib.sh"
mkdir -p "$work" "$folder"
results=$work/ablation.jsonl
same_program "$program" "$results"
sweep "$program" "$scripts/suites/ablation.suite" "$results"
awk -v form=csv -f "$scripts/ablation.awk" "$results" >"$folder/ablation.csv"
awk -f "$scripts/ablation.awk" "$results" >"$folder/ablation.md"
exit "$swept"
