#!/bin/sh
# Run all tests: every cmocka program, then the command-line tests.
#
#   sh scripts/check.sh BUILD_FOLDER
#
# Prints one line a test program, the output of those that fail, and ends with
# "N passed, N failed, N skipped", counted over single tests.  Skipped tests
# and their reasons are listed.  Exit status 1 when anything failed, or when
# HW_SHARED is set and a test that needs it was skipped.
set -u

out=$1
logs=$out/test-logs
rm -rf "$logs"
mkdir -p "$logs"
passed=0 failed=0 skipped=0
failures=

# count FILE: add the TAP lines of a log to the totals.
count() {
    ok=$(grep -c '^ok ' "$1" || true)
    skip=$(grep -c '# SKIP' "$1" || true)
    bad=$(grep '^not ok ' "$1" | grep -vc '# SKIP' || true)
    okskip=$(grep '^ok ' "$1" | grep -c '# SKIP' || true)
    passed=$((passed + ok - okskip))
    failed=$((failed + bad))
    skipped=$((skipped + skip))
}

# run NAME COMMAND...: one test program with its log.
run() {
    name=$1
    shift
    log=$logs/$name.log
    begin=$(date +%s)
    CMOCKA_MESSAGE_OUTPUT=TAP "$@" >"$log" 2>&1
    status=$?
    count "$log"
    if [ "$status" = 0 ] && grep -q '^ok \|# SKIP' "$log"; then
        echo "pass  $name ($(($(date +%s) - begin)) s)"
    else
        [ "$bad" = 0 ] && failed=$((failed + 1))
        failures="$failures $name"
        echo "FAIL  $name (exit status $status)"
        tail -n 60 "$log"
    fi
}

for test in "$out"/tests/test_*; do
    case $test in *.o | *.d | *.gcno | *.gcda) continue ;; esac
    run "$(basename "$test")" "$test"
done
run cli sh tests/cli/run.sh "$out/highwater"
if [ -z "${HW_SKIP_VALGRIND:-}" ]; then
    run valgrind sh scripts/check-valgrind.sh "$out/highwater"
fi

if [ "$skipped" -gt 0 ]; then
    echo "Skipped:"
    grep -h '# SKIP\|^skip:' "$logs"/*.log | sort | uniq | sed 's/^/    /'
    if [ -n "${HW_SHARED:-}" ] && grep -q 'HW_SHARED' "$logs"/*.log; then
        if grep -h '# SKIP\|^skip:' "$logs"/*.log | grep -q 'HW_SHARED'; then
            echo "HW_SHARED is set, yet tests that need it were skipped"
            failures="$failures shared"
        fi
    fi
fi
[ -z "$failures" ] || echo "Failed:$failures"
echo "$passed passed, $failed failed, $skipped skipped"
[ -z "$failures" ] && [ "$passed" -gt 0 ]
