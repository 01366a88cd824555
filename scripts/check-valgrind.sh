#!/bin/sh
# The refusals under valgrind: every bad file must end with the exit status of
# bad input and without a memory error or leak.  Prints TAP.
#
#   sh scripts/check-valgrind.sh PROGRAM
set -u
program=$1
number=0
status=0

# expect STATUS NAME ARGUMENT...
expect() {
    wanted=$1 name=$2
    shift 2
    number=$((number + 1))
    if ldd "$program" 2>/dev/null | grep -q 'libasan'; then
        # A sanitizer build brings its own checks and does not run in valgrind.
        "$program" "$@" >/dev/null 2>&1
    else
        valgrind -q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
            --errors-for-leak-kinds=definite,indirect "$program" "$@" >/dev/null 2>&1
    fi
    got=$?
    if [ "$got" = "$wanted" ]; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name: exit status $got, not $wanted"
        status=1
    fi
}

for file in tests/cases/bad/*.json; do
    expect 3 "refuses $(basename "$file")" info "$file"
done
for solver in source greedy greedy-reverse lookahead dp enumerate; do
    expect 0 "solves with $solver" solve tests/cases/random-rich-00.json --solver "$solver" --json
done
expect 0 "simulates" simulate tests/cases/random-rich-03.json --order source --json
expect 0 "generates" gen layered
echo "1..$number"
exit $status
