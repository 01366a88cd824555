#!/bin/sh
# What comes behind the parts of a campaign (submit.sh): whatever is missing is
# submitted again; what is whole is merged.
#
#   merge.sh FOLDER ROUND
#
# Ends with FOLDER/done, FOLDER/failed or jobs that go on.
# shellcheck disable=SC2154,SC2034 # names of the settings, which are written and read by eval and .
set -u

folder=$1 round=$2
# shellcheck source=/dev/null
. "$folder/settings"
# shellcheck source=scripts/slurm/lib.sh
. "$scripts/lib.sh"
cd "$folder" || exit 1
rm -f 'done' failed

# fail TEXT: say why, where a person and a script look for it.
fail() {
    echo "$1" | tee failed >&2
    exit 1
}

# merge WORDS...: over the parts that there are.
merge() { "$program" merge "$suite" ${seed:+--seed "$seed"} parts/part-*.jsonl "$@"; }

# A torn last line counts as missing: its part goes on there.
if ls parts/part-*.jsonl >/dev/null 2>&1; then
    merge --parts "$parts" --list-missing --skip-broken -q >missing 2>messages
    status=$?
    if [ "$status" != 0 ] && [ ! -s missing ]; then
        fail "the parts do not fit together: $(cat messages)"
    fi
else
    seq "$parts" >missing
fi

if [ -s missing ]; then
    n=$(wc -l <missing)
    if [ "$round" -gt "$rounds" ]; then
        fail "$n parts are still not whole after $rounds rounds: their logs ($folder/logs) tell why; then: sh $scripts/submit.sh --again $folder"
    fi
    [ "$round" = 0 ] || echo "$n parts are not whole: round $round"
    submit_parts "$folder" "$round" <missing ||
        fail "the parts cannot be submitted from here; on a node that may: sh $scripts/submit.sh --again $folder"
    exit 0
fi

rm -f results.jsonl digests.jsonl
merge --parts "$parts" -o results.jsonl --digest digests.jsonl 2>messages
status=$?
cat messages
case $status in
0) ;;
1) [ -s results.jsonl ] || fail "the parts do not fit together: $(cat messages)" ;;
*) fail "merging failed: $(cat messages)" ;;
esac
rm -f missing
mv messages 'done'
