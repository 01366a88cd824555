#!/bin/sh
# Lines of src, gen and solvers that the tests run.
#
#   sh scripts/coverage.sh BUILD_FOLDER
#
# (`make coverage` builds that folder with COVERAGE=1.)  Runs all tests, then
# writes lines.txt there, a file a line, the least covered first, and missed.txt,
# each line that no test runs.  Counts are kept in files that are mapped into
# memory, so that workers that end by _exit() or are killed count as well; for
# the same reason valgrind, which would only run the same again, is left out.
# Exit status 1 below LEAST per cent (95), or when a test fails.
set -u
out=$1
counts=$(pwd)/$out/counts
rm -rf "$counts"
mkdir -p "$counts"

SKIP="valgrind contributing" LLVM_PROFILE_FILE="$counts/%m%c.profraw" sh scripts/check.sh "$out"
status=$?
llvm-profdata merge -sparse -o "$out/counts.profdata" "$counts"/*.profraw || exit 1

# All that was linked; each holds the whole library, which is counted once.
set -- "$out/highwater" -object "$out/highwater-check"
for test in "$out"/tests/test_*; do
    case $test in *.o | *.d) ;; *) set -- "$@" -object "$test" ;; esac
done
llvm-cov export -format=lcov -instr-profile="$out/counts.profdata" "$@" >"$out/counts.lcov" || exit 1

# A line that several programs hold is run when one of them runs it.
awk -F '[:,]' -v top="$(pwd)/" -v least="${LEAST:-95}" -v lines="$out/lines.txt" -v missed="$out/missed.txt" '
    /^SF:/ { file = substr($0, 4); if (index(file, top) == 1) file = substr(file, length(top) + 1); next }
    /^DA:/ && file ~ /^(src|gen|solvers)\// { if (!((file, $2) in run)) run[file, $2] = 0; if ($3 + 0 > 0) run[file, $2] = 1 }
    END {
        for (key in run) {
            split(key, at, SUBSEP)
            all[at[1]]++
            if (run[key]) hit[at[1]]++
            else print at[1] ":" at[2] | "sort -t: -k1,1 -k2,2n >" missed
        }
        for (file in all) {
            printf "%5d of %5d missed  %5.1f %%  %s\n", all[file] - hit[file], all[file], 100 * hit[file] / all[file], file | "sort -rn >" lines
            total += all[file]
            covered += hit[file]
        }
        if (total == 0) exit 1
        share = 100 * covered / total
        printf "coverage: %d of %d lines of src, gen and solvers run by the tests: %.2f %% (%s)\n", covered, total, share, lines
        exit share < least
    }' "$out/counts.lcov" || status=1
exit "$status"
