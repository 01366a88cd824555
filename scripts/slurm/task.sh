#!/bin/sh
# One part of a campaign, as a task of an array job (submit.sh).
#
#   task.sh FOLDER OFFSET
#
# Runs what its file does not hold yet.  A program that was killed is started
# again, --tries times in all; what Slurm ends (time, preemption) stops cleanly
# and is left to the requeued task or to the next round.
# shellcheck disable=SC2154 # the settings are read below
set -u

folder=$1
part=$(($2 + SLURM_ARRAY_TASK_ID))
# shellcheck source=/dev/null
. "$folder/settings"

ended=
trap 'ended=yes; kill -TERM "$child" 2>/dev/null' TERM INT
try=1
while :; do
    echo "part $part of $parts, try $try, on $(hostname), $(date '+%Y-%m-%d %H:%M:%S')"
    "$program" bench "$suite" ${seed:+--seed "$seed"} --part "$part/$parts" -j "$cpus" \
        -o "$folder/parts/part-$part.jsonl" --resume &
    child=$!
    wait "$child"
    status=$?
    # A wait that the signal cut short ends before the program does.
    while kill -0 "$child" 2>/dev/null; do
        wait "$child"
        status=$?
    done
    echo "exit status $status"
    case $status in
    0) exit 0 ;;
    # Complete, with a bug or an instance that cannot be made: merging tells.
    1) exit 0 ;;
    # Wrong words, a file of another suite, a bug: the same the next time.
    2 | 5) exit "$status" ;;
    esac
    if [ -n "$ended" ] || [ "$try" -ge "$tries" ]; then
        exit "$status"
    fi
    try=$((try + 1))
    sleep 2
done
