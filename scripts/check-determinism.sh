#!/bin/sh
# Do all compilers and optimisation levels give the same bytes?
#
#   sh scripts/check-determinism.sh BUILD_FOLDER [PROGRAM...]
#
# Builds the programs anew by each of BUILDS ("gcc:-O0 gcc:-O3 clang:-O0
# clang:-O3") in BUILD_FOLDER/determinism, or takes PROGRAMs, each with its
# highwater-check beside it.  Each writes, into a folder of its own,
#
#   lines     the deterministic columns of SAMPLE (300) units, drawn by SEED (1),
#             of suites/quality.suite: every solver on every family, ended by states
#   digests   of the same units
#   figures   statistics, tables and plots of one and the same file of results,
#             that of the first program
#   graphs    five instances of every family
#   proofs    certificates and orders of exact, and what highwater-check says of them
#   commands  what the others print: searches, census, traits, arenas, ...
#
# and all files have to be those of the first.  The first runs three times more:
# with memory that is never zero where nobody made it so (MALLOC_PERTURB_), with
# a qsort that turns round what compares equal, and with one process instead of
# two.  Prints a line a run and where they differ; exit status 1 when they do.
set -eu
out=${1:?usage: check-determinism.sh BUILD_FOLDER [PROGRAM...]}
shift
top=$(cd "$(dirname "$0")/.." && pwd)
work=$out/determinism
mkdir -p "$work"
work=$(cd "$work" && pwd)
suite=$top/scripts/suites/quality.suite
LC_ALL=C
export LC_ALL

if [ $# = 0 ]; then
    for build in ${BUILDS:-gcc:-O0 gcc:-O3 clang:-O0 clang:-O3}; do
        folder=$work/build$(echo "$build" | tr ':' '-')
        echo "build: ${build%%:*} ${build#*:}"
        make -C "$top" --no-print-directory -j2 BUILD="$folder" CC="${build%%:*}" \
            OPTIMIZE="${build#*:}" CFLAGS=-Werror "$folder/highwater" "$folder/highwater-check" \
            >"$work/build.log" 2>&1 || {
            tail -n 20 "$work/build.log" >&2
            exit 1
        }
        set -- "$@" "$folder/highwater"
    done
fi

# run NAME PROGRAM: what it writes, into $work/NAME, and what became of it, into $work/NAME.verdict.
run() {
    name=$1
    program=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
    begin=$(date +%s)
    rm -rf "${work:?}/$name"
    mkdir -p "$work/$name/figures" "$work/$name/graphs" "$work/$name/proofs" "$work/$name/commands"
    # Commands name their files in what they print: the same names everywhere.
    cd "$work/$name"
    lines=$work/$name.jsonl
    "$program" bench "$suite" --sample "${SAMPLE:-300}" --sample-seed "${SEED:-1}" -q \
        -o "$lines" --overwrite -j "$jobs"
    "$program" merge "$suite" "$lines" --partial -q --strip -o lines
    "$program" merge "$suite" "$lines" --partial -q --digest digests
    [ -e "$work/results.jsonl" ] || cp "$lines" "$work/results.jsonl"
    figures
    graphs
    proofs
    commands >"$work/$name.said" 2>&1
    sed 's/"seconds":[^,}]*/"seconds":null/g' "$work/$name.said" >commands/said
    cd "$top"
    if [ "$name" = first ] || diff -rq "$work/first" "$work/$name" >"$work/$name.differs"; then
        verdict=same
    else
        verdict=DIFFERENT
    fi
    echo "$name: $verdict ($(find "$work/$name" -type f | wc -l) files, $(wc -l <"$lines") runs," \
        "$(($(date +%s) - begin)) s)" >"$work/$name.verdict"
}

# beside NAME PROGRAM [VARIABLE=VALUE]: the same while others run, two at a time.
beside() {
    (
        [ $# = 2 ] || export "${3?}"
        run "$1" "$2"
    ) >"$work/$1.log" 2>&1 &
    names="$names $1"
    waiting="$waiting $!"
    at_work=$((at_work + 1))
    [ $at_work -lt 2 ] || collect
}

# Wait for those that run; what became of them.
collect() {
    for number in $waiting; do
        wait "$number" || status=1
    done
    for name in $names; do
        if [ -e "$work/$name.verdict" ]; then
            cat "$work/$name.verdict"
            grep -q ': same' "$work/$name.verdict" || status=1
            cat "$work/$name.differs"
        else
            echo "$name: stopped"
            tail -n 20 "$work/$name.log" >&2
            status=1
        fi
    done
    names='' waiting='' at_work=0
}

figures() {
    ln -s "$work/results.jsonl" results.jsonl
    "$program" stats results.jsonl --show all --by family,accounting -q -o figures/stats
    "$program" stats results.jsonl --show all --format macros -q -o figures/macros.tex
    "$program" table results.jsonl --show quality --by solver,family -q -o figures/quality
    "$program" table results.jsonl --show pairs --against greedy -q -o figures/pairs
    "$program" table results.jsonl --show effort --by section,solver --across nodes -q -o figures/effort
    "$program" plot results.jsonl --kind all -q -o figures/plots
    for kind in gaps runtime profile pareto heat shares; do
        # A small sample may hold nothing to draw, which has to be said alike.
        "$program" plot results.jsonl --kind $kind --script -q -o figures/$kind.gnuplot \
            2>figures/$kind.said || :
    done
}

graphs() {
    for family in $("$program" list families | sed -n 's/^  \([a-z]\)/\1/p' | sed 's/ .*//'); do
        "$program" gen "$family" --count 5 -q -o "graphs/$family.hwl"
    done
}

proofs() {
    for graph in "$top"/tests/cases/random-*.json "$top"/tests/graphs/*cell*.json; do
        stem=$(basename "$graph" .json)
        "$program" solve "$graph" --state-limit 200000 --proof "proofs/$stem.proof" \
            --order-out "proofs/$stem.order" -q >/dev/null 2>&1 || continue
        "$(dirname "$program")/highwater-check" "$graph" "proofs/$stem.order" \
            "proofs/$stem.proof" >"proofs/$stem.said" 2>&1
    done
}

commands() {
    graph=$top/tests/cases/random-rich-03.json
    "$program" adversary lookahead --evaluations 20000 --json -q
    "$program" adversary dp --hard --nodes 10:12 --sizes 1:9 --evaluations 500 --json -q
    "$program" census --nodes 4 --sizes 2 --json -q
    "$program" traits --count 240 --resamples 50 --json -q
    "$program" explain "$graph" --json -q
    "$program" tradeoff "$graph" --json -q
    "$program" advise "$graph" --json -q --state-limit 100000
    "$program" arena "$graph" --order greedy --allocator all --json -q
    "$program" simulate "$graph" --live --json -q
    "$program" info "$graph" --json -q
    "$program" transform "$graph" relabel:ids=random,order=random fuse --seed 7 -q
    "$program" buckets nets:net=unet --dim resolution=256:1024:256 --solver greedy --json -q
    "$program" gen layered --n 24 -q | "$program" shrink - --solver by-output -q
    "$program" list solvers --json -q
}

rm -f "$work/results.jsonl" "$work"/*.verdict
jobs=2 status=0 names='' waiting='' at_work=0
run first "$1"
cat "$work/first.verdict"
cc=${CC:-gcc}
$cc -O2 -fPIC -shared -o "$work/qsort.so" "$top/tests/determinism/qsort.c"
first=$1
shift
for program; do # the slow ones first
    beside "$(basename "$(dirname "$program")")" "$program"
done
beside perturbed-memory "$first" MALLOC_PERTURB_=165
beside other-qsort "$first" LD_PRELOAD="$work/qsort.so"
jobs=1
beside one-process "$first"
collect
exit $status
