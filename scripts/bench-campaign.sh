#!/bin/sh
# How well a campaign uses the processors: wall time of -j 1 over N times that
# of -j N, the best of some turns taken by both; and what the parent costs.
#
#   sh scripts/bench-campaign.sh PROGRAM [SUITE]
#
# JOBS: N (the processors).  TURNS (3).
# Prints one line a turn and the efficiency; exit status 1 below LEAST per cent
# (0: any).  The machine should have nothing else to do.
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
jobs=${JOBS:-$(nproc)} turns=${TURNS:-3} least=${LEAST:-0}

# As the campaigns of the paper: cheap units for the most part, and some that take long.
cat >"$work/campaign.suite" <<'SUITE'
name = campaign
state-limit = 200000
solver = source
solver = level
solver = dfs
solver = random
solver = by-output
solver = greedy
solver = greedy-mixed
solver = greedy-reverse
solver = lookahead
solver = backtrack
solver = lpmf
solver = xla-best
solver = ort-memory
solver = hmcos
solver = beam
solver = lns
optimum = dp
optimum = exact
family = layered:n=6..10 x100
family = erdos:n=6..10,degree=1.5|2.5 x50
family = tree:n=6..12/2 x50
family = layered:n=24 x20
SUITE
suite=${2:-$work/campaign.suite}

# wall JOBS: seconds of a sweep.
wall() {
    begin=$(date +%s%N)
    "$program" bench "$suite" -q -j "$1" -o "$work/$1.jsonl" --overwrite
    end=$(date +%s%N)
    awk -v ns=$((end - begin)) 'BEGIN { printf "%.3f", ns / 1e9 }'
}

echo "load before: $(cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || echo unknown), $(nproc) processors"
turn=1
while [ "$turn" -le "$turns" ]; do
    one=$(wall 1)
    many=$(wall "$jobs")
    echo "turn $turn: -j 1 $one s, -j $jobs $many s"
    echo "$one $many" >>"$work/times"
    turn=$((turn + 1))
done
lines=$(wc -l <"$work/1.jsonl" | tr -d ' ')
awk -v jobs="$jobs" -v least="$least" -v lines="$lines" '
    NR == 1 || $1 < one { one = $1 }
    NR == 1 || $2 < many { many = $2 }
    END {
        efficiency = 100 * one / (jobs * many)
        printf "efficiency of -j %d: %.1f %% (%d runs, %.0f a second)\n", jobs, efficiency, lines,
            lines / many
        exit efficiency < least
    }' "$work/times"
