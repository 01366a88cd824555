#!/bin/sh
# How far rules fall behind on the adversarial families:
# sh scripts/bench-families.sh TEST_ADVERSARIAL RESULTS
#
# Writes RESULTS/adversarial-families.md and, for the paper, .tex.  About 15
# seconds each.
set -eu
test=${1:?usage: bench-families.sh TEST_ADVERSARIAL RESULTS}
folder=${2:?usage: bench-families.sh TEST_ADVERSARIAL RESULTS}
mkdir -p "$folder"
md=$folder/adversarial-families.md tex=$folder/adversarial-families.tex
trap 'rm -f "$md.new" "$tex.new"' EXIT
{
    cat <<'END'
# How far rules fall behind

Written by `make bench-families`: peak over optimum on families made for each rule
(`highwater list families`; the files `gen/adversarial_*.c` have the proofs), at two sizes and under
both accountings, and what the ratio tends to as the big tensors grow. No order of a plain graph of n
nodes needs more than floor((n + 1) / 2) times the optimum (paper). Every optimum is proven: below 200
nodes by `exact`, and at any size by what a single node needs, on trees by `liu`. The limits follow
from the rules as written, except "observed only": that is what these rules did there.

END
    "$test" --table md
} >"$md.new"
"$test" --table tex >"$tex.new"
mv "$md.new" "$md"
mv "$tex.new" "$tex"
