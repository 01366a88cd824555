#!/bin/sh
# Every entry of a corpus, computed anew and compared, and every proof checked.
#
#   sh scripts/verify-corpus.sh BUILD_FOLDER CORPUS
#
# `highwater corpus verify` runs the solver again and compares its order, the
# peaks, the wrong turn and the description byte by byte; highwater-check, which
# shares no code with it, verifies that no order beats the optimum.  Exit status
# 1 when an entry fails, or there is none.
set -u
out=${1:?usage: verify-corpus.sh BUILD_FOLDER CORPUS}
corpus=${2:?usage: verify-corpus.sh BUILD_FOLDER CORPUS}
failed=0 proofs=0

"$out/highwater" corpus verify "$corpus" || failed=1
for entry in "$corpus"/*/; do
    [ -f "$entry/graph.json" ] || continue
    if said=$("$out/highwater-check" "$entry/graph.json" "$entry/optimum.json" "$entry/proof" 2>&1); then
        proofs=$((proofs + 1))
    else
        failed=1
        echo "$entry: $said" >&2
    fi
done
[ "$proofs" -gt 0 ] || failed=1
echo "$proofs proofs hold"
exit "$failed"
