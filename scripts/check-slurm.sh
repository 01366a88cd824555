#!/bin/sh
# The scripts of scripts/slurm on a real Slurm: a cluster of one node, started
# here, with ports, keys and folders of its own, and stopped in the end.
#
#   sh scripts/check-slurm.sh PROGRAM
#
# A suite is run in 2 and in 7 parts.  Of the 7 one loses its program in the
# middle, which its task starts again, and one its whole task, which the next
# round goes on with.  The merged results must be those of a sweep without
# Slurm, in every deterministic column.  Needs root, for slurmd wants it, and
# Debian's slurm-wlm and munge; says "skip" where that is not so.
set -u

program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
top=$(cd "$(dirname "$0")/.." && pwd)

if [ "$(id -u)" != 0 ]; then
    echo "skip: check-slurm: only root can start a cluster"
    exit 0
fi
PATH=$PATH:/usr/sbin:/sbin
for tool in munged slurmctld slurmd sbatch scontrol; do
    if ! command -v "$tool" >/dev/null; then
        echo "skip: check-slurm: no $tool here (packages slurm-wlm and munge)"
        exit 0
    fi
done

work=$(mktemp -d)
SLURM_CONF=$work/slurm.conf
export SLURM_CONF

# Numbers of the processes of this cluster: what it has started carries its
# configuration in the environment, as do the shells of this script.
ours() {
    grep -lzFx "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ 2>/dev/null |
        while IFS=/ read -r _ _ number _; do
            case $(cat "/proc/$number/comm" 2>/dev/null) in
            munged | slurm* | highwater) echo "$number" ;;
            esac
        done
}
none_of_ours() { [ -z "$(ours)" ]; }

stop_cluster() {
    scancel -u root
    for number in $(ours); do kill "$number"; done
    wait_for "the end of the cluster" 50 none_of_ours
    for number in $(ours); do kill -KILL "$number"; done
}

finish() {
    status=$?
    trap - EXIT INT TERM
    stop_cluster >/dev/null 2>&1
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

# wait_for WHAT TENTHS COMMAND...: until it succeeds.
wait_for() {
    what=$1 left=$2
    shift 2
    until "$@"; do
        left=$((left - 1))
        if [ "$left" -le 0 ]; then
            echo "waited in vain: $what" >&2
            return 1
        fi
        sleep 0.1
    done
}

# fail TEXT: with what the daemons and the jobs have said.
fail() {
    echo "not ok - $1"
    for log in "$work"/*.log "$work"/*/logs/*.txt "$work"/*/failed; do
        [ -s "$log" ] && tail -n 15 "$log" | sed "s|^|# $(basename "$log"): |"
    done
    exit 1
}

# A port that nobody listens on.
free_port() {
    awk -v first="$1" '
        { split($2, at, ":"); used[toupper(at[2])] = 1 }
        END { for (p = first; p < first + 2000; p++) if (!(sprintf("%04X", p) in used)) { print p; exit } }
    ' /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

start_cluster() {
    host=$(hostname -s)
    mkdir "$work/munge" "$work/state" "$work/spool"
    chmod 755 "$work" "$work/munge" # munged wants it open to those who ask, and the key closed
    (umask 277 && dd if=/dev/urandom of="$work/munge/key" bs=1 count=128 2>/dev/null)
    controller=$(free_port $((20000 + $$ % 10000)))
    cat >"$SLURM_CONF" <<END
ClusterName=highwater
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket
SlurmUser=root
SlurmctldPort=$controller
SlurmdPort=$(free_port $((controller + 1)))
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
MailProg=/bin/true
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
KillWait=2
MaxArraySize=5
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) RealMemory=1000 State=UNKNOWN
PartitionName=test Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
    munged --socket="$work/munge/socket" --key-file="$work/munge/key" \
        --log-file="$work/munge.log" --pid-file="$work/munge/pid" \
        --seed-file="$work/munge/seed" || fail "munged does not start"
    slurmctld -f "$SLURM_CONF" || fail "slurmctld does not start"
    slurmd -f "$SLURM_CONF" -N "$host" || fail "slurmd does not start"
    wait_for "an idle node" 200 node_is_idle || fail "the node does not come up"
}
node_is_idle() { sinfo -h -o %T 2>/dev/null | grep -q idle; }

# The suite: two seconds and some for two processors, so that there is a middle.
cat >"$work/t.suite" <<'END'
name = slurm
accounting = alloc-first free-first
solver = greedy
solver = lookahead
solver = random:n=100000
solver = lns
optimum = dp
optimum = exact
state-limit = 200000
[small]
family = layered:n=8..20/4 x6
family = erdos:n=8..20/4 x6
family = tree:n=12,direction=in|out x10
END

# campaign NAME PARTS OPTION...: submitted, in $work/NAME.
campaign() {
    name=$1 parts=$2
    shift 2
    sh "$top/scripts/slurm/submit.sh" "$work/t.suite" "$parts" "$work/$name" --memory 100M \
        --merge-memory 100M --time 5 --merge-time 5 "$@" ||
        fail "the campaign $name is not submitted"
}
is_over() { [ -e "$work/$1/done" ] || [ -e "$work/$1/failed" ]; }

parent_of() { sed -n 's/^PPid:[[:space:]]*//p' "/proc/$1/status" 2>/dev/null; }

# The program of the 7 parts.  Two of them it stops at their first result, once
# each, so that the middle of a part does not depend on the speed of a machine.
cat >"$work/stopping" <<END
#!/bin/sh
for part in 2 5; do
    case "\$*" in
    bench*"--part \$part/7 "*)
        mkdir "$work/stopped-\$part" 2>/dev/null || continue
        (
            until [ -s "$work/7/parts/part-\$part.jsonl" ]; do :; done
            kill -STOP \$\$
        ) &
        ;;
    esac
done
exec "$program" "\$@"
END
chmod 755 "$work/stopping"

# The number of the program of part $1 that waits in the middle, which the
# script of its task has started: $victim, $task.
stopped_in_the_middle() {
    for victim in $(ours); do
        { tr '\0' ' ' <"/proc/$victim/cmdline"; } 2>/dev/null | grep -q -e " bench .*--part $1/7 " || continue
        task=$(parent_of "$victim")
        [ "$(cat "/proc/$task/comm" 2>/dev/null)" = slurm_script ] || continue
        grep -q '^State:[[:space:]]*T' "/proc/$victim/status" 2>/dev/null && return 0
    done
    return 1
}

start_cluster
"$program" bench "$work/t.suite" -q -o "$work/plain.jsonl" || fail "the suite does not run"
"$program" merge "$work/t.suite" "$work/plain.jsonl" -q --strip -o "$work/expected" ||
    fail "the results do not merge"

campaign 7 7 --program "$work/stopping" --tries 2 --rounds 2
wait_for "part 2 at work" 300 stopped_in_the_middle 2 || fail "part 2 was not seen at work"
kill -KILL "$victim"
echo "# the program of part 2 was killed"
wait_for "part 5 at work" 300 stopped_in_the_middle 5 || fail "part 5 was not seen at work"
# Its task first, so that nobody starts the program again.
kill -KILL "$task" "$victim"
echo "# the task of part 5 was killed"
campaign 2 2 --program "$program" --rounds 0
for parts in 7 2; do
    wait_for "the campaign of $parts parts" 1200 is_over "$parts"
    [ -e "$work/$parts/done" ] || fail "the campaign of $parts parts did not end well"
    "$program" merge "$work/t.suite" "$work/$parts/results.jsonl" -q --strip -o "$work/got" ||
        fail "the results of $parts parts do not merge"
    cmp "$work/expected" "$work/got" || fail "$parts parts give other results than none"
    "$program" merge "$work/t.suite" "$work/plain.jsonl" -q --verify "$work/$parts/digests.jsonl" ||
        fail "the digests of $parts parts are others"
    echo "ok - $parts parts under Slurm: $(wc -l <"$work/got") runs, as without"
done
grep -q "part 2 of 7, try 2" "$work"/7/logs/*.txt || fail "the task did not start its program again"
echo "ok - a program that was killed was started again by its task"
grep -q "part 5 of 7, try 1" "$work"/7/logs/round-1-part-*.txt || fail "no second round ran part 5"
echo "ok - a task that was killed was submitted again"

# A program that fails as long as there is a file: nothing is left after one round.
cat >"$work/failing" <<END
#!/bin/sh
case "\$*" in *--plan*) ;; bench*) [ -e "$work/hindrance" ] && exit 3 ;; esac
exec "$program" "\$@"
END
chmod 755 "$work/failing"
touch "$work/hindrance"
campaign fails 1 --program "$work/failing" --tries 1 --rounds 0
wait_for "a campaign that fails" 300 is_over fails
grep -q "1 parts are still not whole after 0 rounds" "$work/fails/failed" ||
    fail "a campaign that cannot end well does not say so"
echo "ok - a campaign that cannot end well says so"
rm "$work/hindrance"
sh "$top/scripts/slurm/submit.sh" --again "$work/fails" || fail "it cannot be submitted again"
wait_for "the campaign that failed before" 300 is_over fails
cmp "$work/fails/digests.jsonl" "$work/2/digests.jsonl" || fail "it does not go on"
echo "ok - and goes on once it can"
