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

# run NAME PROGRAM: what it writes, into $work/NAME.
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
    commands >"$work/said" 2>&1
    sed 's/"seconds":[^,}]*/"seconds":null/g' "$work/said" >commands/said
    cd "$top"
    verdict=same
    diff -rq "$work/first" "$work/$name" || verdict=DIFFERENT status=1
    echo "$name: $verdict ($(find "$work/$name" -type f | wc -l) files, $(wc -l <"$lines") runs," \
        "$(($(date +%s) - begin)) s)"
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

rm -f "$work/results.jsonl"
jobs=2 status=0
run first "$1"
cc=${CC:-gcc}
$cc -O2 -fPIC -shared -o "$work/qsort.so" "$top/tests/determinism/qsort.c"
MALLOC_PERTURB_=165
export MALLOC_PERTURB_
run perturbed-memory "$1"
unset MALLOC_PERTURB_
LD_PRELOAD=$work/qsort.so
export LD_PRELOAD
run other-qsort "$1"
unset LD_PRELOAD
jobs=1
run one-process "$1"
jobs=2
shift
for program; do
    run "$(basename "$(dirname "$program")")" "$program"
done
exit $status
