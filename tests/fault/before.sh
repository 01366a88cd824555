#!/bin/sh
# The folder that the commands of `commands` find.
#
#   sh tests/fault/before.sh BUILD_FOLDER FOLDER
set -eu
out=$1 folder=$2
top=$(cd "$(dirname "$0")/../.." && pwd)
hw() { "$out/highwater" "$@"; }
mkdir -p "$folder"
cp "$top"/tests/cli/fixtures/*.json "$folder"
cp "$top"/tests/cases/import/*.txt "$top"/tests/cases/import/*.dot "$top"/tests/cases/import/*.json "$folder"
cp "$top"/tests/cases/onnx/*.onnx "$folder"
cp "$top"/tests/cases/random-plain-05.json "$folder/g.json"
cp "$top"/tests/cases/random-rich-03.json "$folder/rich.json"
cd "$folder"
hw gen layered --n 8 -o s.hwl -q
hw gen erdos --n 5 -o t.hwl -q
hw gen erdos --n 5 --count 2 -o two.hwl -q
hw gen erdos --n 14 -o deep.hwl -q
hw gen tree --n 8 -o tree.hwl -q
hw gen series-parallel --n 8 --share no -o sp.hwl -q
hw gen nets --net mlp -o mlp.hwl -q
hw convert g.json g.graphml -q
printf 'Relu inplace\n' >rules
hw transform mlp.hwl fuse:residual=yes --record net.fusion -o fused.hwl -q
cp t.hwl pr.hwl
hw solve pr.hwl --proof pr.proof --order-out pr.order.json -q >pr.txt
rm pr.txt
hw arena t.hwl --offsets t.csv -q >arena.txt
rm arena.txt
hw solve t.hwl --solver enumerate --trace-out trace.jsonl -q >solve.txt
rm solve.txt
for i in 1 2; do
    hw census --nodes 3 --sizes 2 --solver greedy --part $i/2 --lines part.jsonl -q >census.txt
    if [ "$i" = 1 ]; then mv part.jsonl one.jsonl; else mv part.jsonl two.jsonl; fi
done
rm census.txt
hw corpus add corpus g.json --solver level --found hand -q >corpus.txt
rm corpus.txt
printf 'name = t\nsolver = greedy\nsolver = level\noptimum = dp\nmeasure-for = 0\n[a]\nfamily = layered:n=5 x2\n' >t.suite
hw bench t.suite -q -o results.jsonl
hw bench t.suite -q --part 1/2 -o part-1.jsonl
hw bench t.suite -q --part 2/2 -o part-2.jsonl
head -n 2 results.jsonl >half.jsonl
hw merge t.suite results.jsonl -q -o merged.jsonl --digest digests.jsonl
rm merged.jsonl
