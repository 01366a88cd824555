#!/bin/sh
# Kill a campaign -9 at random moments, resume it each time, and compare what
# comes out with a sweep that nothing has disturbed: every deterministic column
# of every line must be the same.
#
#   sh scripts/check-kill.sh PROGRAM
#
# KILLS: how many times, over all numbers of jobs (20).
# JOBS: the numbers of jobs, each from an empty file ("1 2").
# SEED: of the moments (1).
# Exit status 1: something was lost, doubled or changed.
set -u
program=$1
kills=${KILLS:-20} jobs=${JOBS:-1 2} seed=${SEED:-1}
work=$(mktemp -d)
sweep=
trap 'test -n "$sweep" && kill -9 "$sweep" 2>/dev/null; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# About a second of work on one processor, in units of different lengths.
cat >"$work/kill.suite" <<'SUITE'
name = kill
state-limit = 200000
solver = source
solver = greedy
solver = random:n=20
solver = lns
optimum = dp
optimum = exact
family = layered:n=6..12 x12
family = erdos:n=6..14/4,degree=2 x12
family = tree:n=20 x12
SUITE

# The deterministic columns (highwater-results(5)), in the order of the lines.
strip() {
    sed -e 's/"wall_seconds":[^,]*,"cpu_seconds":[^,]*,"repeats":[^,]*,"peak_memory_bytes":[^,]*,"seal":[^,]*,//' \
        -e 's/"version":"[^"]*","compiler":"[^"]*",//' "$1"
}

# A whole number from 0 to $1 - 1.
draw() {
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    drawn=$((seed / 65536 % $1))
}

now() { date +%s%N | sed 's/......$//'; }

from=$(now)
"$program" bench "$work/kill.suite" -q -j 1 -o "$work/whole.jsonl" || exit 1
span=$(($(now) - from))
strip "$work/whole.jsonl" >"$work/whole.txt"

status=0 total=0 cut=0 late=0
n_jobs=$(echo "$jobs" | wc -w)
for j in $jobs; do
    file=$work/killed-$j.jsonl
    done_here=0
    while [ $((done_here * n_jobs)) -lt "$kills" ]; do
        "$program" bench "$work/kill.suite" -q -j "$j" -o "$file" --resume &
        sweep=$!
        # Within what the file lacks of a sweep, so that most come while it runs.
        has=$(if [ -f "$file" ]; then wc -l <"$file"; else echo 0; fi)
        lines=$(wc -l <"$work/whole.jsonl")
        draw $((span * (lines - has) / lines / j + 30))
        sleep "$(awk -v ms="$drawn" 'BEGIN { print ms / 1000 }')"
        if kill -9 $sweep 2>/dev/null; then
            total=$((total + 1)) done_here=$((done_here + 1))
        else
            late=$((late + 1))
        fi
        wait $sweep 2>/dev/null
        sweep=
        # A write that the kill interrupts leaves a torn line. It hardly ever does, so help.
        if [ $((total % 3)) = 0 ] && [ -s "$file" ]; then
            draw 900
            head -c "-$((drawn + 1))" "$file" >"$file.cut" && cat "$file.cut" >"$file"
            cut=$((cut + 1))
        fi
        # Nothing is missing: begin anew, so that further kills find work.
        if [ -f "$file" ] && [ "$(wc -l <"$file")" -ge "$lines" ]; then
            "$program" bench "$work/kill.suite" -q -j "$j" -o "$file" --resume || status=1
            strip "$file" | cmp - "$work/whole.txt" || status=1
            rm "$file"
        fi
    done
    "$program" bench "$work/kill.suite" -q -j "$j" -o "$file" --resume || status=1
    strip "$file" | cmp - "$work/whole.txt" || status=1
done
lines=$(wc -l <"$work/whole.jsonl" | tr -d ' ')
echo "check-kill: $total kills ($cut with a torn line, $late more came too late), -j $jobs," \
    "$lines lines: $([ $status = 0 ] && echo the same || echo NOT THE SAME)"
exit $status
