#!/bin/sh
# Faults on purpose: the k-th allocation or system call of every command of the
# file `commands` fails, for every k (serve.c says what is judged).
#
#   sh tests/fault/run.sh BUILD_FOLDER [NAME...]
#   sh tests/fault/run.sh BUILD_FOLDER --sample    a few, in seconds
#
#   KINDS   kinds of faults (all): memory, clock-late, clock-early, those of calls.c;
#           all-KIND: from the k-th on all fail; workers-KIND: in the processes that
#           the command forks
#   STEP    every how many (1)
#   JOBS    commands at a time (the processors)
#
# Prints a TAP line for each command and kind, below it what went wrong, and
# their sum.  Exit status 1: something did.
set -u

# --one BUILD_FOLDER SCRATCH KIND SETTINGS NAME WORDS
if [ "$1" = --one ]; then
    out=$2 scratch=$3 kind=$4 settings=$5 name=$6 words=$7
    mine=$(mktemp -d "$scratch/run-XXXXXX")
    mkdir "$mine/work" "$mine/log"
    program=$out/highwater
    case $words in %check\ *) program=$out/highwater-check words=${words#%check } ;; esac
    set --
    for setting in $settings; do
        [ "$setting" = - ] || set -- "$@" "FAULT_$(printf '%s' "$setting" | tr _% ' _')"
    done
    case $kind in
    workers-*) set -- "$@" FAULT_WORKERS=1 ;;
    all-*) set -- "$@" FAULT_ALL=1 ;;
    esac
    plain=${kind#workers-} plain=${plain#all-}
    eval "env \"\$@\" LD_PRELOAD=\"$out/tests/fault.so\" FAULT_KIND=\"$plain\" FAULT_BEFORE=\"$scratch/before\" \
        FAULT_WORK=\"$mine/work\" FAULT_LOG=\"$mine/log\" FAULT_NAME=\"$name ${kind%"$plain"}\" \
        FAULT_STEP=\"$STEP\" \"$program\" $words" >"$mine/said" 2>&1
    status=$?
    cat "$mine/said"
    [ "$status" = 0 ] || [ "$status" = 1 ] || echo "not ok $name $kind: the server ended with status $status"
    rm -rf "$mine"
    exit 0
fi

out=$(cd "$1" && pwd)
shift
[ -e "$out/tests/fault.so" ] || {
    echo "1..0 # SKIP the sanitizers have a malloc() of their own"
    exit 0
}
if [ "${1:-}" = --sample ]; then
    set -- info import-dot convert solve-exact simulate checker arena table merge bench
    KINDS=${KINDS:-memory all-memory write-full read-bad open-denied rename-bad}
    STEP=${STEP:-7}
fi
export STEP="${STEP:-1}"
: "${KINDS:=memory all-memory workers-memory write-full all-write-full write-bad write-short
    write-interrupted read-bad read-interrupted open-many open-denied open-gone close-bad sync-bad
    rename-bad unlink-bad mkdir-bad stat-bad list-bad lock-bad seek-bad fork-bad exec-bad pipe-bad
    wait-interrupted map-bad kill workers-kill clock-late clock-early}"
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
sh "$here/before.sh" "$out" "$scratch/before" || exit 99

grep -v '^#' "$here/commands" >"$scratch/commands"
for kind in $KINDS; do
    while read -r name rest; do
        if [ $# -gt 0 ]; then
            case " $* " in *" $name "*) ;; *) continue ;; esac
        fi
        printf '%s\0%s\0%s\0%s\0' "$kind" "${rest%% -- *}" "$name" "${rest#* -- }"
    done <"$scratch/commands"
done >"$scratch/list"
xargs -0 -n 4 -P "${JOBS:-$(getconf _NPROCESSORS_ONLN)}" sh "$0" --one "$out" "$scratch" \
    <"$scratch/list" >"$scratch/said"
cat "$scratch/said"
awk '/^(not )?ok / { n++; for (i = 1; i < NF; i++) if ($(i + 1) == "runs,") runs += $i }
     /^not ok / { failed++ }
     END { printf "# %d commands and kinds, %d faults, %d commands and kinds failed\n", n, runs, failed + 0
           exit failed > 0 || n == 0 }' "$scratch/said"
