#!/bin/sh
# Fuzz the targets of tests/fuzz, each for a while, beginning with its
# committed corpus.
#
#   sh scripts/fuzz.sh OUT_FOLDER NAME...
#
# SECONDS_EACH (60) a target, JOBS (2) targets at a time.  An input that takes
# over 10 seconds or 2 GB is a finding, as is every fault, leak and undefined
# step.  Prints a line a target: seconds, executions, edges and features that
# the corpus reaches, inputs that reach new ones (kept in OUT_FOLDER/corpus).
# Exit status 1 when anything was found, with how to see it again.
set -u

# --one OUT NAME: run one, and say what came of it.
if [ "$1" = --one ]; then
    out=$2 name=$3
    log=$out/logs/$name.log
    corpus=$out/corpus/$name
    mkdir -p "$corpus"
    rm -f "$out/findings/$name"-* "$log.failed"
    set -- -max_total_time="$SECONDS_EACH" -timeout=10 -rss_limit_mb=2048 -max_len=4096 \
        -print_final_stats=1 -artifact_prefix="$out/findings/$name-"
    case $name in # so many features that weighing the inputs takes as long as running them
    proof | solvers) set -- "$@" -entropic=0 ;;
    esac
    [ ! -f "tests/fuzz/$name.dict" ] || set -- "$@" -dict="tests/fuzz/$name.dict"
    begin=$(date +%s)
    "$out/tests/fuzz/fuzz_$name" "$@" "$corpus" "tests/fuzz/corpus/$name" >"$log" 2>&1
    status=$?
    seconds=$(($(date +%s) - begin))
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    added=$(sed -n 's/^stat::new_units_added: *//p' "$log")
    reached=$(sed -n 's/.* cov: \([0-9]*\) ft: \([0-9]*\) .*/\1 edges, \2 features/p' "$log" | tail -n 1)
    printf '%-10s %5s s  %10s executions  %s, %s new inputs, %s\n' "$name" "$seconds" \
        "${executions:-?}" "${reached:-nothing reached}" "${added:-?}" \
        "$([ "$status" = 0 ] && echo "no finding" || echo "A FINDING")"
    [ "$status" = 0 ] || : >"$log.failed"
    exit 0
fi

out=$1
shift
SECONDS_EACH=${SECONDS_EACH:-60}
export SECONDS_EACH
mkdir -p "$out/logs" "$out/findings"
rm -f "$out"/logs/*.failed
printf '%s\n' "$@" | xargs -P "${JOBS:-2}" -L 1 sh "$0" --one "$out"

found=0
for log in "$out"/logs/*.failed; do
    [ -e "$log" ] || continue
    found=1
    log=${log%.failed}
    name=$(basename "$log" .log)
    echo
    echo "$name (all of it in $log):"
    grep -a '^fault: \|ERROR: \|runtime error: \|^SUMMARY: ' "$log"
    for input in "$out/findings/$name"-*; do
        [ ! -e "$input" ] || echo "again: $out/tests/fuzz/fuzz_$name $input"
    done
done
exit "$found"
