#!/bin/sh
# What highwater-threats(7) promises of hostile input, seen from outside: names
# that a shell, gnuplot, dot, an integer-program solver, HTML or a file system
# would act on are run through every command that starts a program, makes a
# file or draws, under strace.
#
#   sh tests/threats/run.sh PROGRAM
#
# After each command: only the programs expected were started, and no shell;
# nothing was made, renamed or removed outside the folder of the command, but
# for files of mkstemp's kind that nobody else can open; and no trace is left
# that a name was executed.  Prints TAP.
set -u
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)

if ! strace -f --seccomp-bpf -o /dev/null true 2>/dev/null; then
    echo "ok 1 - threats # SKIP no strace, or it may not trace here (sh scripts/setup.sh --test installs it)"
    echo "1..1"
    exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
TMPDIR=$scratch/tmp
export TMPDIR
# The leak sanitizer traces its own process, which strace does already.
unset LLVM_PROFILE_FILE # coverage would be counted outside its folder
ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
export ASAN_OPTIONS
mkdir "$scratch/tmp" "$scratch/outside" "$scratch/marks"
n=0 failed=0

say() { # say STATUS TEXT: one test
    n=$((n + 1))
    if [ "$1" = 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        failed=$((failed + 1))
    fi
}

# try NAME PROGRAMS COMMAND...: run the program in a folder of its own, with the
# hostile files; PROGRAMS are those that it may start, split by '|'.
try() {
    name=$1 allowed=$2
    shift 2
    work=$scratch/work/$name
    mkdir -p "$work"
    # What a name would leave behind if it were executed.
    sed "s|MARK|$scratch/marks/$name|g; s|/outside|$scratch/outside|g" "$here/names.json" >"$work/names.json"
    (cd "$work" && strace -f --seccomp-bpf -qq -s 4096 -o "$scratch/trace" -e signal=none \
        -e trace=execve,execveat,open,openat,creat,rename,renameat,renameat2,unlink,unlinkat,mkdir,mkdirat,link,linkat,symlink,symlinkat,mknod,mknodat,truncate,chmod,fchmodat,chdir \
        "$program" "$@" >"$work/.stdout" 2>"$work/.stderr" </dev/null)
    status=$?
    wrong=
    [ "$status" -le 1 ] || wrong="exit status $status: $(tail -n 1 "$work/.stderr")"
    # The programs that were started; the first is highwater itself.
    started=$(sed -n 's/^[0-9]* *execve("\([^"]*\)".* = 0$/\1/p' "$scratch/trace" | sed 1d | sed 's|.*/||' | sort -u)
    for one in $started; do
        case "|$allowed|" in *"|$one|"*) ;; *) wrong="$wrong; started $one" ;; esac
    done
    # Everything that changes a folder or opens for writing, by path.
    # (O_TMPFILE makes a file that has no name.)
    sed -n -e '/ = -1 E/d' -e '/O_TMPFILE/d' \
        -e '/O_WRONLY\|O_RDWR\|O_CREAT/s/^[0-9]* *open[a-z]*([^"]*"\([^"]*\)".*/\1/p' \
        -e 's/^[0-9]* *\(creat\|unlink\|mkdir\|mknod\|truncate\|chmod\)("\([^"]*\)".*/\2/p' \
        -e 's/^[0-9]* *\(unlinkat\|mkdirat\|mknodat\|fchmodat\)([^"]*"\([^"]*\)".*/\2/p' \
        -e 's/^[0-9]* *\(rename\|link\|symlink\)[a-z0-9]*([^"]*"\([^"]*\)"[^"]*"\([^"]*\)".*/\2\n\3/p' \
        "$scratch/trace" | sort -u >"$scratch/changed"
    while IFS= read -r path; do
        case $path in
        *..*) wrong="$wrong; touched $path" ;;
        "$work"/* | "$scratch/tmp"/* | "$scratch/tmp" | /dev/null | /dev/tty | /proc/self/*) ;;
        /*) wrong="$wrong; touched $path" ;;
        esac
    done <"$scratch/changed"
    # Temporary files are new, whatever link or file stands there; a folder of mkdtemp's is nobody else's.
    if grep -F "\"$scratch/tmp" "$scratch/trace" | grep O_CREAT | grep -v 'O_EXCL\|O_TMPFILE' |
        grep -qv '/highwater-[a-z]*-[0-9]*-[A-Za-z0-9]\{6\}/'; then # in a folder of mkdtemp's
        wrong="$wrong; a file made without O_EXCL"
    fi
    [ -z "$(ls -A "$scratch/marks")" ] || wrong="$wrong; a name was executed"
    [ -z "$(ls -A "$scratch/outside")" ] || wrong="$wrong; a file outside"
    [ -z "$(ls -A "$scratch/tmp")" ] || wrong="$wrong; left in TMPDIR: $(ls "$scratch/tmp")"
    rm -rf "$scratch/marks" "$scratch/tmp" "$scratch/outside"
    mkdir "$scratch/marks" "$scratch/tmp" "$scratch/outside"
    say "$([ -z "$wrong" ]; echo $?)" "$name${wrong:+: $wrong}"
}

gnuplot='gnuplot|gnuplot-nox|gnuplot-qt|gnuplot-x11'
# Programs that are started: each by an argument vector, names in data files only.
try simulate-svg "$gnuplot" simulate names.json --order greedy --plot memory.svg
try simulate-pdf "$gnuplot" simulate names.json --order greedy --plot memory.pdf
try explain "$gnuplot|dot" explain names.json --solver source --draw turn.svg --curves memory.svg
try arena "$gnuplot" arena names.json --allocator all --draw arena.svg
try tradeoff "$gnuplot" tradeoff names.json --plot tradeoff.svg
try buckets "$gnuplot" buckets names.json --dim H=1:4 --scale all --draw regret.svg
try replay "$gnuplot|highwater|exe" replay names.json --allocator malloc --draw resident.svg
try milp 'cbc|glpsol|highs|scip' solve names.json --solver milp

# Names stay data in every format that is written, and never become paths.
for format in json hwl dot dagmem lp mps graphml; do
    try "convert-$format" '' convert names.json "out.$format"
done
try solve '' solve names.json --solver exact --proof proof --order-out order.json
try trace '' solve names.json --solver lns --trace-out trace.jsonl
try transform '' transform names.json fuse --record record.json -o fused.json
try advise '' advise names.json
try info '' info names.json
try gen-each '' gen erdos --n 6 --count 3 -o many.hwl
try adversary '' adversary greedy --nodes 6 --evaluations 300 -o found
try shrink '' shrink names.json --solver source --ratio 1 -o small.json
try corpus '' corpus add corpus names.json --solver source --found '../../outside'

# Results whose suite and instances are named so.
cat >"$scratch/hostile.suite" <<'END'
name = $(touch MARK)`touch MARK`'"; !touch MARK
accounting = alloc-first free-first
state-limit = 20000
solver = source
solver = greedy
optimum = exact
[../../outside/$(touch MARK)]
family = erdos:n=8 x6
family = layered:n=9,inputs=own x6
END
sed -i "s|MARK|$scratch/marks/suite|g; s|outside|$(printf %s "$scratch" | sed 's|^/||')/outside|" "$scratch/hostile.suite"
try bench '' bench "$scratch/hostile.suite" -q -o results.jsonl
cp "$scratch/work/bench/results.jsonl" "$scratch/results.jsonl"
try table '' table "$scratch/results.jsonl" --format latex
try stats '' stats "$scratch/results.jsonl" --by section,family
try plots "$gnuplot" plot "$scratch/results.jsonl" --kind all -o plots
try merge '' merge "$scratch/hostile.suite" "$scratch/results.jsonl" --sqlite results.db -o merged.jsonl
mkdir -p "$scratch/folder"
cp "$scratch/results.jsonl" "$scratch/folder"
try report "$gnuplot" report "$scratch/folder" --graph names.json -o page.html
grep -q '<script>alert\|onerror=' "$scratch/work/report/page.html"
say "$([ $? = 1 ]; echo $?)" "report: names are text in the page"

# Text that comes back whole where it is data, and harmless where it is markup.
section=$(sed -n 's/^\[\(.*\)\]$/\1/p' "$scratch/hostile.suite")
if command -v sqlite3 >/dev/null; then
    [ "$(sqlite3 "$scratch/work/merge/results.db" 'SELECT DISTINCT section FROM instances')" = "$section" ]
    say $? "merge --sqlite: a name is a value, whole"
fi
"$program" stats "$scratch/results.jsonl" --by section --format latex >"$scratch/table.tex"
grep 'touch' "$scratch/table.tex" | grep -q '[^\\][$]'
say "$([ $? = 1 ]; echo $?)" "LaTeX: a name opens no formula"

# The same where a hostile results file names a solver so: text, Markdown and LaTeX.
# shellcheck disable=SC2016 # backquotes are the attack
sed 's/,"seal":"[^"]*"//; s/"solver":"greedy"/"solver":"g\\u001b[2J\\u009b2J[x](javascript:y)`z`<b>"/' "$scratch/results.jsonl" >"$scratch/edited.jsonl"
for format in text markdown latex; do
    "$program" table "$scratch/edited.jsonl" --format $format
    "$program" stats "$scratch/edited.jsonl" --format $format
done >"$scratch/tables"
grep -q 'javascript' "$scratch/tables" && ! LC_ALL=C grep -q "$(printf '\033\|\302\233')" "$scratch/tables"
say $? "tables: no escape passes"
"$program" table "$scratch/edited.jsonl" --format markdown | grep 'javascript' | grep -q '](\|[^\]`\|[^\]<'
say "$([ $? = 1 ]; echo $?)" "Markdown: a name is no link, code or tag"

# Names with terminal escapes: shown, never sent.
printf '%s' '{"format": "highwater-graph", "version": 1, "name": "e\u001b[2J\u009b5m",
 "tensors": [{"id": 0, "name": "t\u001b[31m\u009b5m", "size": 4096, "kind": "input"},
  {"id": 1, "name": "u\u0007", "size": 4, "kind": "output"}],
 "nodes": [{"id": 7, "name": "n\u001b]0;x\u0007\u009b5m", "op": "o\u001b[1m", "inputs": [0], "outputs": [1]}]}' >"$scratch/escapes.json"
sed 's/"inputs": \[0\]/"inputs": [0, 99]/' "$scratch/escapes.json" >"$scratch/escapes-bad.json"
printf 'name = a\033[2J\nsolver = gre\033[2Jedy\n' >"$scratch/escapes.suite"
printf 'name = a\033[2J\302\2332J\nsolver = source\n[b\033[2J\302\2332J]\nfamily = layered:n=5 x1\n' >"$scratch/sections.suite"
printf 'digraph "\033[2J" { a -> "b\033[2J" [foo="\033[1m"]; a-> }' >"$scratch/escapes.dot"
cd "$scratch" && {
    for command in info solve 'simulate --order greedy' 'explain --solver greedy' advise arena \
        'shrink --solver greedy --ratio 1 -o small.json' traits tradeoff 'convert --format dot'; do
        # shellcheck disable=SC2086 # a command and its options
        "$program" $command "$scratch/escapes.json"
    done
    "$program" info "$scratch/escapes-bad.json"
    "$program" bench "$scratch/sections.suite" --dry-run --try-for 0.01
    "$program" bench "$scratch/sections.suite" -o sections.jsonl
    "$program" merge "$scratch/sections.suite" sections.jsonl --digest sections.digest
    sed 's/"[0-9a-f]\{12\}"/"000000000000"/' sections.digest >sections.other
    "$program" merge "$scratch/sections.suite" sections.jsonl --verify sections.other
    "$program" info "$scratch/escapes.dot"
    "$program" bench "$scratch/escapes.suite"
    "$program" info "$(printf 'no\033[2Jfile')"
    "$program" solve "$scratch/escapes.json" --solver \
        "external:command=sh -c 'printf \"a\\\\033[2J b\\\\302\\\\2332J\" >&2; exit 1'"
} >"$scratch/terminal" 2>&1
escapes=$(LC_ALL=C tr -d -c '\033\007' <"$scratch/terminal" | wc -c)
LC_ALL=C grep -q "$(printf '\302\233')" "$scratch/terminal" && escapes="more" # CSI as one character
say "$([ "$escapes" = 0 ]; echo $?)" "terminal: no escape passes ($(wc -l <"$scratch/terminal") lines)"

# A line of progress, which stands on terminals alone, has escapes of its own; none of a suite.
if command -v script >/dev/null; then
    printf 'name = a\033[2J\302\2332J\nsolver = source\nfamily = layered:n=5 x1\n' >"$scratch/progress.suite"
    script -qec "'$program' bench '$scratch/progress.suite' -o '$scratch/progress.jsonl'" /dev/null \
        </dev/null >"$scratch/progress"
    grep -q 'of 2 runs' "$scratch/progress" && ! grep -q "$(printf '\033\[2J\|\302\2332J')" "$scratch/progress"
    say $? "terminal: no escape of a suite's name in the line of progress"
fi

# Folders that others have filled: what is named there by the program is not written through a link.
links=$scratch/links
mkdir -p "$links/corpus/level-n04-alloc-first" "$links/corpus-2" "$links/set" "$links/victim"
cd "$links" || exit 1
echo mine >victim/file
"$program" gen adversarial-ladder --rungs 2 --big 50 -q -o ladder.json
ln -s ../../victim/file corpus/level-n04-alloc-first/order.json
mkfifo corpus/level-n04-alloc-first/graph.json
"$program" corpus add corpus ladder.json --solver level --found hand >/dev/null &&
    "$program" corpus verify corpus -q >/dev/null && grep -qx mine victim/file
say $? "corpus: a link or a pipe in an entry is replaced"
ln -s ../victim corpus-2/level-n04-alloc-first
"$program" corpus add corpus-2 ladder.json --solver level --found hand 2>/dev/null
[ $? = 3 ] && [ "$(ls victim)" = file ]
say $? "corpus: an entry that is a link to a folder is refused"
for file in plots.json gaps.svg cactus.svg; do ln -s ../victim/file "set/$file"; done
"$program" plot "$scratch/results.jsonl" --kind all -o set -q && grep -qx mine victim/file
say $? "plot: links in the folder are replaced"
sed '1s/"peak":/"peak":1/' "$scratch/results.jsonl" >broken.jsonl
ln -s victim/file broken.jsonl.broken
"$program" bench "$scratch/hostile.suite" -q -o broken.jsonl --resume --drop-broken 2>/dev/null
[ $? = 3 ] && grep -qx mine victim/file
say $? "bench: broken lines do not go through a link"
rm broken.jsonl.broken
mkfifo broken.jsonl.broken
timeout 20 "$program" bench "$scratch/hostile.suite" -q -o broken.jsonl --resume --drop-broken 2>/dev/null
[ $? = 3 ]
say $? "bench: broken lines do not wait for a pipe"
"$program" adversary greedy --nodes 5 --evaluations 50 -q -o found >/dev/null
rm found/found.jsonl
mkfifo found/found.jsonl
timeout 20 "$program" adversary greedy --nodes 5 --evaluations 50 -q -o found --resume >/dev/null 2>&1
status=$?
rm found/found.jsonl
ln -s ../victim/file found/found.jsonl
"$program" adversary greedy --nodes 5 --evaluations 50 -q -o found --resume >/dev/null 2>&1
[ "$status $?" = "3 3" ] && grep -qx mine victim/file
say $? "adversary: its lines go through no link, and into no pipe"

# The temporary folders of a worker that is killed, and what only looks like one.
if command -v ps >/dev/null; then
    printf 'kill-after = 1\nsolver = enumerate:prune=no\nfamily = erdos:n=40,p=0.01 x1\naccounting = alloc-first\n' >killed.suite
    "$program" bench killed.suite -q -o killed.jsonl 2>/dev/null &
    bench=$!
    worker=
    for _ in 1 2 3 4 5 6 7 8 9; do
        sleep 0.1
        worker=$(ps -o pid= --ppid "$bench" | tr -d ' ' | head -n 1)
        [ -z "$worker" ] || break
    done
    ln -s "$links/victim" "$TMPDIR/highwater-x-$worker-aaaaaa"
    mkdir -m 700 "$TMPDIR/highwater-cbc-$worker-bbbbbb"
    echo old >"$TMPDIR/highwater-cbc-$worker-bbbbbb/model.lp"
    wait "$bench"
    [ -n "$worker" ] && [ ! -e "$TMPDIR/highwater-cbc-$worker-bbbbbb" ] && grep -qx mine victim/file
    say $? "bench: of a worker that was killed its own temporary folders go, not what a link leads to"
    rm -f "$TMPDIR/highwater-x-$worker-aaaaaa"
fi

echo "1..$n"
[ "$failed" = 0 ]
