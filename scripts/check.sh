#!/bin/sh
# Run all tests: every cmocka program, the command line, the manual pages,
# completion in shells, what `make install` gives others, a page of
# `highwater report` in a browser.
#
#   sh scripts/check.sh BUILD_FOLDER
#
# JOBS (the processors) test programs run at a time, each with a log of its
# own; SKIP="NAME..." leaves some out.  Prints one line a test program, the
# output of those that fail, and ends with "N passed, N failed, N skipped",
# counted over single tests.  Skipped tests and their reasons are listed.  Exit
# status 1 when anything failed, or when HW_SHARED is set and a test that needs
# it was skipped.
set -u

# --one BUILD_FOLDER NAME: run one, leave NAME.log, NAME.failed where it failed, and say so.
if [ "$1" = --one ]; then
    out=$2 name=$3
    log=$out/test-logs/$name.log
    begin=$(date +%s)
    case $name in
    cli) set -- sh tests/cli/run.sh "$out/highwater" ;;
    report) set -- sh tests/report/run.sh "$out/highwater" ;;
    man) set -- sh tests/man/run.sh "$out/highwater" ;;
    completions) set -- sh tests/completions/run.sh "$out/highwater" ;;
    install) set -- sh tests/install/run.sh "$out" ;;
    valgrind) set -- sh scripts/check-valgrind.sh "$out/highwater" ;;
    threats) set -- sh tests/threats/run.sh "$out/highwater" ;;
    faults) set -- sh tests/fault/run.sh "$out" --sample ;;
    paper) set -- sh scripts/check-paper.sh "$out/highwater" ;;
    tutorials) set -- sh scripts/check-tutorials.sh "$out/highwater" ;;
    contributing) set -- sh scripts/check-contributing.sh "$out" ;;
    citations) set -- sh scripts/check-citations.sh ;;
    *) set -- "$out/tests/$name" ;;
    esac
    CMOCKA_MESSAGE_OUTPUT=TAP "$@" >"$log" 2>&1
    status=$?
    if [ "$status" = 0 ] && grep -q '^ok \|# SKIP' "$log"; then
        said="pass  $name ($(($(date +%s) - begin)) s)"
    else
        said="FAIL  $name (exit status $status)
$(tail -n 60 "$log")"
        printf '%s\n' "$said" >"$out/test-logs/$name.failed"
    fi
    printf '%s\n' "$said" # in one piece, whoever else prints
    exit 0
fi

out=$1
logs=$out/test-logs
rm -rf "$logs"
mkdir -p "$logs"

# Those that take longest begin first.
{
    echo cli
    echo report
    echo threats
    echo install
    echo test_tampered_proofs
    echo test_census
    echo paper
    echo man
    echo completions
    echo tutorials
    echo contributing
    echo citations
    echo valgrind
    echo faults
    for test in "$out"/tests/test_*; do
        case $test in *.o | *.d | *.gcno | *.gcda | *test_census | *test_tampered_proofs) continue ;; esac
        basename "$test"
    done
} | while read -r name; do
    case " ${SKIP:-} " in *" $name "*) ;; *) echo "$name" ;; esac
done >"$logs/list"
xargs -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" -L 1 sh "$0" --one "$out" <"$logs/list"

passed=0 failed=0 skipped=0
failures=
while IFS= read -r name; do
    log=$logs/$name.log
    ok=$(grep -c '^ok ' "$log" || true)
    skip=$(grep -c '# SKIP' "$log" || true)
    bad=$(grep '^not ok ' "$log" | grep -vc '# SKIP' || true)
    okskip=$(grep '^ok ' "$log" | grep -c '# SKIP' || true)
    passed=$((passed + ok - okskip))
    failed=$((failed + bad))
    skipped=$((skipped + skip))
    if [ -e "$logs/$name.failed" ]; then
        [ "$bad" = 0 ] && failed=$((failed + 1))
        failures="$failures $name"
    fi
done <"$logs/list"

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
if [ -n "$failures" ]; then # once more, where they are found at once
    echo
    cat "$logs"/*.failed 2>/dev/null
    echo "Failed:$failures"
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ -z "$failures" ] && [ "$passed" -gt 0 ]
