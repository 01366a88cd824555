#!/bin/sh
# What ordering is worth before and after fusion: sh scripts/bench-fusion.sh PROGRAM WORK RESULTS
#
# Takes decoders and other nets of the family `nets`, the models of
# $HW_SHARED/onnx and every graph of tests/graphs and $HW_SHARED/graphs; fuses
# each in two ways, with its in-place pairs and without; and writes into RESULTS fusion.csv and fusion.md: the peaks
# of source, level and depth-first order, of greedy, and the optimum.  JOBS and
# FRESH as for bench-exact.sh.  GRAPHS="a b" takes only the graphs of these names.
set -eu
program=${1:?usage: bench-fusion.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-fusion.sh PROGRAM WORK RESULTS}
folder=${3:?usage: bench-fusion.sh PROGRAM WORK RESULTS}
here=$(dirname "$0")
# shellcheck source=scripts/bench-lib.sh
. "$here/bench-lib.sh"
find_shared

HW_FUSION=$work/fusion
export HW_FUSION
rm -rf "$HW_FUSION"
for section in as-is fused fused-all plain plain-fused plain-fused-all; do
    mkdir -p "$HW_FUSION/$section"
done
mkdir -p "$folder"
case $HW_FUSION in /*) ;; *) HW_FUSION=$PWD/$HW_FUSION ;; esac

wanted() {
    case " ${GRAPHS:-$1} " in *" $1 "*) ;; *) return 1 ;; esac
    [ ! -e "$HW_FUSION/as-is/$1.json" ] || return 1 # a file that is in both folders
}

# keep NAME FILE: the graph of a file of any format, and what becomes of it.
keep() {
    all=fuse:residual=yes,attention=yes
    "$program" convert "$2" "$HW_FUSION/as-is/$1.json" -q
    change "$1" fused fuse
    change "$1" fused-all $all
    change "$1" plain strip-inplace
    change "$1" plain-fused strip-inplace fuse
    change "$1" plain-fused-all strip-inplace $all
}

# change NAME SECTION STEP...
change() {
    from=$HW_FUSION/as-is/$1.json to=$HW_FUSION/$2/$1.json
    shift 2
    "$program" transform "$from" "$@" -o "$to" -q
}

# net NAME PARAMS: of the family nets.
net() {
    wanted "$1" || return 0
    "$program" gen "nets:$2" -q -o "$work/net.json"
    keep "$1" "$work/net.json"
}

net decoder-t1024 net=gpt2
net decoder-t4096 net=gpt2,sequence=4096
net decoder-t8192 net=gpt2,sequence=8192
net decoder-train net=gpt2,mode=training
net decoder-block net=transformer-block
net decoder-block-train net=transformer-block,mode=training
for tokens in 1024 2048 4096 6144 7168 8192; do
    net decoder-heads-t$tokens net=gpt2-heads,sequence=$tokens
done
net decoder-heads-9-t8900 net=gpt2-heads,width=576,sequence=8900
net decoder-heads-train net=gpt2-heads,mode=training
net unet net=unet
net unet-train net=unet,mode=training
net resnet50 net=resnet50
net resnet50-train-b8 net=resnet50,mode=training,batch=8
net densenet121 net=densenet121
net mobilenet-v2 net=mobilenet-v2
for graph in ${HW_SHARED:+"$HW_SHARED"/onnx/*.onnx} "$here"/../tests/graphs/*.json \
    ${HW_SHARED:+"$HW_SHARED"/graphs/*.json}; do
    [ -f "$graph" ] || continue
    name=$(basename "$graph")
    name=${name%.*}
    if wanted "$name"; then keep "$name" "$graph"; fi
done

results=$work/fusion.jsonl
same_program "$program" "$results"
sweep "$program" "$here/suites/fusion.suite" "$results"
"$program" table "$results" --show units --format csv | cut -d, -f 1-14 >"$folder/fusion.csv"
awk -f "$here/fusion.awk" -v machine="$(machine)" "$folder/fusion.csv" >"$folder/fusion.md"
echo "in $folder: fusion.md, fusion.csv; the runs are in $results"
exit "$swept"
