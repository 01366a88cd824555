#!/bin/sh
# Run a suite on a cluster: an array job of its parts, and a job behind it that
# merges them.
#
#   sh scripts/slurm/submit.sh SUITE PARTS FOLDER [OPTION]...
#   sh scripts/slurm/submit.sh --again FOLDER
#
# FOLDER is made, on a file system that all nodes share; it holds the results of
# the parts, logs, and in the end results.jsonl and digests.jsonl with the file
# `done`, or the file `failed`, which says why.  Parts that died or ran out of
# time are submitted again, going on where they were, at most --rounds times;
# --again does so once more by hand, with the settings that FOLDER keeps.
#
#   --program FILE      highwater (the one on PATH, else build/highwater)
#   --cpus N            processors a task, bench -j N (1)
#   --memory SIZE       memory a task, as sbatch takes it (4G)
#   --time TIME         wall time a task, as sbatch takes it (04:00:00)
#   --partition NAME    (that of the cluster)
#   --at-once N         tasks at work at a time (as many as the cluster lets)
#   --tries N           starts of a part within one task (3)
#   --rounds N          submissions of what is missing, after the first (5)
#   --seed S            campaign seed (that of the suite)
#   --merge-memory SIZE, --merge-time TIME   of the merging job (8G, 01:00:00)
#   --sbatch "WORDS"    more options for every sbatch ("--account=a --qos=b")
#
# README.md beside this file tells how to choose them.
# shellcheck disable=SC2154,SC2034 # names of the settings, which are written and read by eval and .
set -eu

scripts=$(cd "$(dirname "$0")" && pwd)

usage() {
    echo "submit.sh: $1; the head of $scripts/submit.sh tells the options" >&2
    exit 2
}

# quote WORD: as a word of a script.
quote() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }

# A path that holds from any folder.
absolute() { (cd "$(dirname "$1")" && printf '%s/%s' "$(pwd)" "$(basename "$1")"); }

command -v sbatch >/dev/null || usage "no sbatch here: run this where jobs are submitted"

if [ "${1:-}" = --again ]; then
    [ $# = 2 ] || usage "--again takes the folder of a campaign"
    [ -f "$2/settings" ] || usage "$2 holds no campaign"
    exec sh "$scripts/merge.sh" "$(absolute "$2")" 0
fi

[ $# -ge 3 ] || usage "SUITE PARTS FOLDER are wanted"
suite=$1 parts=$2 folder=$3
shift 3
program='' cpus=1 memory=4G time=04:00:00 partition='' at_once='' tries=3 rounds=5 seed=''
merge_memory=8G merge_time=01:00:00 more=''
while [ $# -gt 0 ]; do
    [ $# -ge 2 ] || usage "option $1 lacks its value"
    case $1 in
    --program) program=$2 ;;
    --cpus) cpus=$2 ;;
    --memory) memory=$2 ;;
    --time) time=$2 ;;
    --partition) partition=$2 ;;
    --at-once) at_once=$2 ;;
    --tries) tries=$2 ;;
    --rounds) rounds=$2 ;;
    --seed) seed=$2 ;;
    --merge-memory) merge_memory=$2 ;;
    --merge-time) merge_time=$2 ;;
    --sbatch) more=$2 ;;
    *) usage "unknown option $1" ;;
    esac
    shift 2
done
for number in "$parts" "$cpus" "$tries" "$rounds" "${at_once:-1}"; do
    case $number in
    '' | *[!0-9]* | ???????*) usage "'$number' stands where a number should" ;;
    esac
done
for number in "$parts" "$cpus" "$tries"; do
    [ "$number" -ge 1 ] || usage "PARTS, --cpus and --tries are 1 at least"
done
[ -f "$suite" ] || usage "no suite is named $suite"
if [ -z "$program" ]; then
    program=$(command -v highwater || echo "$scripts/../../build/highwater")
fi
[ -x "$program" ] || usage "no program $program: build it, or name it (--program)"
program=$(absolute "$program") suite=$(absolute "$suite")
# Found out here rather than by every task.
"$program" bench "$suite" ${seed:+--seed "$seed"} --part "1/$parts" --plan -q >/dev/null

mkdir -p "$folder"
folder=$(absolute "$folder")
if [ -e "$folder/settings" ]; then
    usage "$folder holds a campaign: --again goes on with it"
fi
mkdir -p "$folder/parts" "$folder/logs"
{
    echo "# How this campaign is run; read by the jobs and by submit.sh --again."
    for name in scripts program suite parts cpus memory time partition at_once tries rounds seed \
        merge_memory merge_time more; do
        eval "value=\$$name"
        # shellcheck disable=SC2154 # set by eval
        echo "$name=$(quote "$value")"
    done
} >"$folder/settings"

exec sh "$scripts/merge.sh" "$folder" 0
