#!/bin/sh
# The program under valgrind: no memory error, no use of what was never
# written, no leak; every command once, and a bad file of each stage of reading
# (a start takes a second and a half; the sanitizers see all of them).  Prints TAP.
#
#   sh scripts/check-valgrind.sh PROGRAM
#
# A build with the sanitizers does not run in valgrind.
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
top=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
number=0
status=0
leaks=full

# expect STATUS NAME COMMAND...
expect() {
    wanted=$1 name=$2
    shift 2
    number=$((number + 1))
    valgrind -q --read-inline-info=no --error-exitcode=99 "--leak-check=$leaks" --show-leak-kinds=definite,indirect \
        --errors-for-leak-kinds=definite,indirect "$@" >said 2>&1
    got=$?
    if [ "$got" = "$wanted" ]; then
        echo "ok $number - $name"
    else
        echo "not ok $number - $name: exit status $got, not $wanted"
        tail -n 30 said | sed 's/^/# /'
        status=1
    fi
}

cases=$top/tests/cases
cd "$work" || exit 1
for bad in empty-file not-json truncated deep-nesting future-version duplicate-tensor-id \
    unknown-tensor view-without-input cycle sum-overflows; do
    expect 3 "refuses $bad" "$program" info "$cases/bad/$bad.json"
done

# run NAME ARGUMENT...: a command that has to succeed.
names=
run() {
    name=$1
    shift
    names="$names $1"
    expect 0 "$name" "$program" "$@"
}

graph=$cases/random-rich-03.json
run "generates and writes lines" gen layered --n 12 --count 3 -o three.hwl -q
run "tells about graphs" info three.hwl --json
run "imports" import "$cases/import/workflow-1.5.json" -o imported.json -q
run "converts" convert "$graph" --format dot
run "transforms" transform "$graph" relabel:ids=random,order=random fuse --seed 7
solvers=
for solver in $("$program" list solvers | sed -n 's/^  \([a-z][^ ]*\) .*/\1/p' | grep -v '^milp$\|^external$'); do
    solvers="$solvers --solver $solver"
done
# Every solver but those that start programs, on a tree, which all of them take.
"$program" gen tree --n 7 -q -o tree.json
# shellcheck disable=SC2086
run "solves with every solver" solve tree.json $solvers --json
run "proves" solve "$graph" --proof graph.proof --order-out order.json
expect 0 "verifies the proof" "$(dirname "$program")/highwater-check" "$graph" order.json graph.proof
run "shows what a larger peak buys" tradeoff "$graph" --json
run "finds orders for many sizes" buckets "$graph" --dim H=1:3 --scale all --json
run "simulates" simulate "$graph" --order order.json --live --json
run "checks an order" check "$graph" order.json
run "explains" explain "$graph" --json
run "advises" advise "$graph" --state-limit 1000 --json
run "gives addresses" arena "$graph" --order greedy --allocator all --json
run "searches" adversary greedy --nodes 6 --evaluations 300 --json
run "shrinks" shrink "$graph" --solver source
run "finds traits" traits --count 40 --resamples 10 --json
run "takes a census" census --nodes 3 --sizes 2 --json
run "keeps a corpus" corpus add corpus "$graph" --solver source --found valgrind
# The process of a claim ends by _exit, with what its parent held when it forked.
leaks=no
run "puts a claim to the test" claims C02 --effort quick
leaks=full
printf 'name = t\naccounting = alloc-first\nsolver = greedy\noptimum = dp\nfamily = tree:n=5..7 x2\n' >t.suite
run "runs a suite" bench t.suite -o results.jsonl -q
run "merges" merge t.suite results.jsonl -o merged.jsonl --digest digests --sqlite index.db -q
run "sums up" table results.jsonl --by solver,family --format csv
run "computes statistics" stats results.jsonl --show gaps --format latex
run "draws" plot results.jsonl --kind gaps --script
run "reports" report . --results results.jsonl -o report.html -q
run "lists" list solvers --json
run "completes" complete sol

# Replay starts itself anew by /proc/self/exe, which is valgrind then.
names="$names replay"
for command in $("$program" list commands | sed 's/^ *\([^ ]*\).*/\1/'); do
    number=$((number + 1))
    case " $names " in
    *" $command "*) echo "ok $number - $command is part of this test" ;;
    *)
        echo "not ok $number - $command: it is to have a line in this test"
        status=1
        ;;
    esac
done
echo "1..$number"
exit $status
