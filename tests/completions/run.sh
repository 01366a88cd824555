#!/bin/sh
# Tests of completion in shells.
#
#   sh tests/completions/run.sh PROGRAM
#
# `highwater complete` knows every command, option and row of the registries
# that --help and list show.  The lines of tests/completions/lines, typed into
# bash and zsh on a terminal and followed by Tab, become what stands behind =>;
# fish, which tells what it would put there, has that word among its answers.
# Values that an option is said to take are taken.
# Prints TAP lines; exit status 1 when anything failed.
set -u

here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
mkdir "$scratch/bin" "$scratch/home" "$scratch/work" "$scratch/work/thefolder"
ln -s "$program" "$scratch/bin/highwater"
cp "$top/tests/cli/fixtures/graph.json" "$scratch/work"
cp "$top/tests/cli/fixtures/graph.json" "$scratch/work/a graph.json"
cd "$scratch/work" || exit 1
PATH=$scratch/bin:$PATH HOME=$scratch/home LC_ALL=C
export PATH HOME LC_ALL

number=0 failed=0

# verdict NAME REASON: print one TAP line; an empty reason is a pass.
verdict() {
    number=$((number + 1))
    if [ -z "$2" ]; then
        echo "ok $number - $1"
    else
        failed=$((failed + 1))
        echo "not ok $number - $1"
        printf '%s\n' "$2" | sed 's/^/# /' | head -n 20
    fi
}

skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

# The words that may stand in place of the last one.
words() { highwater complete -- "$@" | sed '1d; s/	.*//'; }

# ---- All that there is. ----

highwater list commands | awk '{ print $1 }' >"$scratch/commands"
words '' >"$scratch/got"
verdict "every command" "$(diff "$scratch/commands" "$scratch/got")"

reason=
while IFS= read -r command; do
    highwater "$command" --help | sed -n '/^Options:/,/^$/s/^  \(-.,\|   \) \(--[a-z-]*\).*/\2/p' >"$scratch/expected"
    words "$command" -- >"$scratch/got"
    reason=$reason$(diff "$scratch/expected" "$scratch/got")
done <"$scratch/commands"
verdict "every option" "$reason"

for kind in solvers families allocators; do
    highwater list "$kind" --json | sed -n 's/^ {"name":"\([^"]*\)".*/\1/p' >"$scratch/expected"
    words list "$kind" '' >"$scratch/got"
    verdict "all $kind" "$(diff "$scratch/expected" "$scratch/got")"
done

highwater list solvers exact --json | tr '{' '\n' | sed -n 's/^"name":"\([^"]*\)","type.*/exact:\1=/p' \
    >"$scratch/expected"
words solve graph.json --solver exact: >"$scratch/got"
verdict "all parameters of a solver" "$(diff "$scratch/expected" "$scratch/got")"
verdict "given parameters are not offered again" \
    "$(words solve --solver exact:r1=no,r2=no, | grep 'r[12]=$')"
verdict "nothing behind a word that takes none" "$(words gen layered '')"

# ---- What is offered is taken. ----

# offered WORDS...: every value offered there is none that the command calls unknown.
offered() {
    count=0 reason=
    for value in $(words "$@" ''); do
        count=$((count + 1))
        said=$(highwater "$@" "$value" 2>&1 >/dev/null </dev/null)
        case $said in *"'$value'"*) reason="$reason $said" ;; esac
    done
    [ "$count" -gt 1 ] || reason="$reason; $count values"
    verdict "values of $*" "$reason"
}
offered gen fan --format
offered convert graph.json --format
offered adversary greedy --nodes 3 --evaluations 1 --features
offered stats nosuch.jsonl --show
offered stats nosuch.jsonl --by
offered table nosuch.jsonl --across
offered plot nosuch.jsonl -o a.svg --by
offered plot nosuch.jsonl -o a.svg --kind
offered info graph.json --from

# ---- Shells. ----

sed 's/=>[^>]*$//' "$here/lines" >"$scratch/typed"
sed 's/.*=>//' "$here/lines" >"$scratch/expected"
for shell in bash zsh; do
    script=$top/scripts/completions/highwater.bash
    [ "$shell" = bash ] || script=$top/scripts/completions/_highwater
    if ! command -v "$shell" >/dev/null 2>&1 || ! command -v python3 >/dev/null 2>&1; then
        skip "lines typed into $shell" "needs $shell and python3"
        continue
    fi
    python3 "$here/type.py" "$shell" "$script" <"$scratch/typed" >"$scratch/got" 2>&1
    verdict "lines typed into $shell" "$(diff "$scratch/expected" "$scratch/got")"
done

if command -v fish >/dev/null 2>&1; then
    # Lines whose answer is one whole word, and no file, which fish quotes its own way.
    grep -v '\\\|nosuch\|=>.*/$' "$here/lines" >"$scratch/lines"
    sed 's/=>[^>]*$//' "$scratch/lines" >"$scratch/typed"
    sed 's/.*=>//; s/ $//; s/.* //' "$scratch/lines" >"$scratch/expected"
    fish --no-config -c "source $top/scripts/completions/highwater.fish
while read -l line
    complete -C \"\$line\" | string replace -r '\\t.*' '' | string join ' '
end" <"$scratch/typed" >"$scratch/got" 2>&1
    reason=$(paste "$scratch/expected" "$scratch/got" | awk -F '\t' 'index(" " $2 " ", " " $1 " ") == 0')
    [ "$(wc -l <"$scratch/got")" = "$(wc -l <"$scratch/expected")" ] || reason="$reason; lines are missing"
    verdict "lines told to fish" "$reason"
else
    skip "lines told to fish" "needs fish"
fi

echo "1..$number"
echo "# $((number - failed)) passed, $failed failed"
[ "$failed" = 0 ]
