#!/bin/sh
# What the suite `large` costs, into README.md beside this file, between its
# marks.
#
#   sh scripts/slurm/expect.sh PROGRAM [PARTS [BENCH_OPTION]...]
#
# The options are those of `bench --dry-run`: --try-for SECONDS on a quiet
# machine (60 unless given), or --times RESULTS of a pilot.
set -eu

program=$1 parts=${2:-100}
shift
[ $# = 0 ] || shift
[ $# -gt 0 ] || set -- --try-for 60
here=$(dirname "$0")
readme=$here/README.md
plan=$(mktemp)
trap 'rm -f "$plan" "$readme.tmp"' EXIT
"$program" bench "$here/../suites/large.suite" --dry-run -q "$@" >"$plan"
awk -v parts="$parts" -v how="$*" '
    # Bytes a run of the plan that merging takes: a slot, and its share of the table of keys.
    function memory(runs) { return runs * 90 / 1024 ^ 3 }
    function seconds(number, unit) {
        return number * (unit == "h" ? 3600 : unit == "min" ? 60 : unit == "ms" ? 0.001 : 1)
    }
    NR == FNR {
        if ($1 == "large:") { units = $4 + 0; runs = $6 + 0 }
        if ($1 == "expected:") {
            at_least = $2 == "at"
            work = seconds($(at_least ? 4 : 2), $(at_least ? 5 : 3))
            match($0, /\(.*\)/)
            storage = substr($0, RSTART + 1, RLENGTH - 2)
        }
        next
    }
    /^<!-- expected/ {
        print
        print "| by `--dry-run " how "` | |\n| --- | --- |"
        printf "| units (an instance under an accounting) | %d |\n| runs | %d |\n", units, runs
        printf "| work | %s%.0f processor hours |\n", at_least ? "at least " : "", work / 3600
        printf "| of one of %d parts | %s%.0f minutes |\n", parts, at_least ? "at least " : "", work / 60 / parts
        printf "| storage | %s of parts, as much of merged results |\n", storage
        printf "| digests | %.1f MB |\n", units * 13 / 1e6
        printf "| memory of the merging job | %.1f GiB |\n", memory(runs)
        inside = 1
        next
    }
    /^<!-- end/ { inside = 0 }
    !inside' "$plan" "$readme" >"$readme.tmp"
grep -q '^| work' "$readme.tmp" || { echo "expect.sh: no figures for $readme" >&2; exit 1; }
mv "$readme.tmp" "$readme"
