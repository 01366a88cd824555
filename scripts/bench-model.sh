#!/bin/sh
# What two wrong models cost: sh scripts/bench-model.sh PROGRAM WORK RESULTS
#
# Constants counted among what lives, as inputs or as what nodes load, against
# constants that are resident; views taken for ordinary nodes that make copies
# or nothing, against views.  Orders found in each model are measured in the
# right one.  Takes nets of the family `nets`, and every graph of tests/graphs
# and $HW_SHARED/graphs that has constants or views; writes model-constants.csv,
# model-views.csv and model.md into RESULTS.  STATES (200000) bounds exact;
# GRAPHS="a b" takes only the graphs of these names.
set -eu
program=${1:?usage: bench-model.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-model.sh PROGRAM WORK RESULTS}/model
folder=${3:?usage: bench-model.sh PROGRAM WORK RESULTS}
here=$(dirname "$0")
# shellcheck source=scripts/bench-lib.sh
. "$here/bench-lib.sh"
STATES=${STATES:-200000}
find_shared
rm -rf "$work"
mkdir -p "$work/graphs" "$folder"

# field NAME: of the answer on standard input.
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p"; }

# find GRAPH SOLVER ACCOUNTING: peak,states,status,seconds; the order in $work/order.
find() {
    "$program" solve "$1" --solver "$2" --accounting "$3" --state-limit "$STATES" --json -q \
        --order-out "$work/order" >"$work/answer"
    echo "$(field peak <"$work/answer"),$(field states <"$work/answer")," \
        "$(field status <"$work/answer"),$(field seconds <"$work/answer")" | tr -d ' '
}

# project GRAPH: $work/order without the nodes that GRAPH has not, into $work/projected.
project() {
    "$program" convert "$1" --format line -q | awk '/^v / { print $2 }' >"$work/ids"
    tr -d '[]{}' <"$work/order" | sed 's/.*"order"://' | tr ',' '\n' |
        awk 'NR == FNR { has[$1] = 1; next } $1 in has' "$work/ids" - | paste -s -d , - |
        sed 's/.*/{"format":"highwater-order","version":1,"order":[&]}/' >"$work/projected"
}

# measure GRAPH ACCOUNTING: the peak of $work/projected.
measure() {
    "$program" check "$1" "$work/projected" --accounting "$2" --json | field peak
}

# constants NAME GRAPH
constants() {
    resident=$("$program" info "$2" --json -q | field resident)
    [ "$resident" != 0 ] || return 0
    "$program" transform "$2" live-constants -q -o "$work/live.json"
    "$program" transform "$2" split-constants -q -o "$work/split.json"
    for accounting in alloc-first free-first; do
        for solver in greedy beam exact; do
            for model in resident live split; do
                other=$work/$model.json
                [ $model != resident ] || other=$2
                found=$(find "$other" $solver $accounting)
                project "$2"
                [ $model != resident ] || cp "$work/projected" "$work/first"
                same=yes
                cmp -s "$work/projected" "$work/first" || same=no
                echo "$1,$accounting,$solver,$model,$resident,$found,$(measure "$2" $accounting),$same"
            done
        done
    done
}

# views NAME GRAPH
views() {
    "$program" convert "$2" --format line -q >"$work/lines"
    grep -q '^v .* view' "$work/lines" || return 0
    "$program" transform "$2" strip-views -q -o "$work/copies.json"
    "$program" transform "$2" strip-views:outputs=nothing -q -o "$work/nothing.json"
    for accounting in alloc-first free-first; do
        for solver in source greedy exact; do
            for model in views copies nothing; do
                other=$work/$model.json
                [ $model != views ] || other=$2
                found=$(find "$other" $solver $accounting)
                case ${found%%,*} in '' | null) continue ;; esac
                project "$2"
                echo "$1,$accounting,$solver,$model,$found,$(measure "$2" $accounting),$(
                    awk -f "$here/dangling.awk" "$work/lines" "$work/projected")"
            done
        done
    done
}

net() {
    case " ${GRAPHS:-$1} " in *" $1 "*) ;; *) return 0 ;; esac
    "$program" gen "nets:$2" -q -o "$work/graphs/$1.json"
}
net resnet50 net=resnet50
net mobilenet-v2 net=mobilenet-v2
net unet net=unet
net densenet121 net=densenet121
net gpt2 net=gpt2
net gpt2-heads net=gpt2-heads
for graph in "$here"/../tests/graphs/*.json ${HW_SHARED:+"$HW_SHARED"/graphs/*.json}; do
    [ -f "$graph" ] || continue
    name=$(basename "$graph" .json)
    case " ${GRAPHS:-$name} " in *" $name "*) ;; *) continue ;; esac
    [ -e "$work/graphs/$name.json" ] || cp "$graph" "$work/graphs/$name.json"
done

what=graph,accounting,solver,model
echo "$what,resident,own_peak,states,status,seconds,peak,same_order" >"$work/constants.csv"
echo "$what,own_peak,states,status,seconds,peak,dangling_reads,dangling_bytes" >"$work/views.csv"
for graph in "$work"/graphs/*.json; do
    name=$(basename "$graph" .json)
    [ ! -t 2 ] || printf '\r%-60s' "$name" >&2
    constants "$name" "$graph" >>"$work/constants.csv"
    views "$name" "$graph" >>"$work/views.csv"
done
[ ! -t 2 ] || printf '\r%-60s\r' '' >&2
cut -d, -f 1-8,10- "$work/constants.csv" >"$folder/model-constants.csv"
cut -d, -f 1-7,9- "$work/views.csv" >"$folder/model-views.csv"
awk -f "$here/model.awk" -v machine="$(machine)" -v states="$STATES" "$work/constants.csv" \
    "$work/views.csv" >"$folder/model.md"
echo "in $folder: model.md, model-constants.csv, model-views.csv"
