#!/bin/sh
# Every entry of a corpus, computed anew and compared, and every proof checked.
#
#   sh scripts/verify-corpus.sh BUILD_FOLDER CORPUS
#
# `highwater corpus verify` runs the solver again and compares its order, the
# peaks, the wrong turn and the description byte by byte.  highwater-check,
# which shares no code with it, then finds the peaks of both orders and verifies
# that none has less than the optimum.  Exit status 1 when an entry fails, or
# there is none.
set -u
out=${1:?usage: verify-corpus.sh BUILD_FOLDER CORPUS}
corpus=${2:?usage: verify-corpus.sh BUILD_FOLDER CORPUS}
failed=0 proofs=0

# number KEY FILE: its value in a line of JSON.
number() {
    sed -n "s/.*\"$1\":\\([0-9]*\\).*/\\1/p" "$2"
}

# complain ENTRY WHAT
complain() {
    failed=1
    echo "$1: $2" >&2
}

"$out/highwater" corpus verify "$corpus" || failed=1
for entry in "$corpus"/*/; do
    [ -f "$entry/entry.json" ] || continue
    peak=$(number peak "$entry/entry.json")
    optimum=$(number optimum "$entry/entry.json")
    said=$("$out/highwater-check" "$entry/graph.json" "$entry/optimum.json" "$entry/proof" 2>&1)
    if [ "$said" = "s VERIFIED optimum $optimum" ]; then
        proofs=$((proofs + 1))
    else
        complain "$entry" "$said"
    fi
    # An order that is not optimal is refused, with its peak told.
    said=$("$out/highwater-check" "$entry/graph.json" "$entry/order.json" "$entry/proof" 2>&1)
    case $said in
    *"the order has peak $peak, the proof is for $optimum") ;;
    *) complain "$entry" "the solver's order: $said" ;;
    esac
done
[ "$proofs" -gt 0 ] || failed=1
echo "$proofs proofs hold"
exit "$failed"
