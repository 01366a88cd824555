#!/bin/sh
# Tests of the command line.
#
#   sh tests/cli/run.sh PROGRAM [NAME...]
#
# A test is a folder tests/cli/NAME with
#   cmd     shell commands, run in a fresh folder that holds the fixtures
#   stdout  what they must print, byte for byte; absent: nothing
#   stderr  extended regular expressions: line i must match the whole of line i
#           of standard error, and there are no more lines; absent: nothing
#   status  the exit status; absent: 0
#   needs   shell commands that fail where the test has nothing to look at: it is skipped
# Then every example of every --help is run, all in one folder that holds the
# fixtures and the suites.
# Prints TAP lines and a count; exit status 1 when anything failed.
set -u

program=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
mkdir "$scratch/bin"
beside=$(cd "$(dirname "$program")" && pwd)
ln -s "$beside/$(basename "$program")" "$scratch/bin/highwater"
ln -s "$beside/highwater-check" "$scratch/bin/highwater-check"
PATH=$scratch/bin:$PATH
HW_TOP=$top
LC_ALL=C
export PATH LC_ALL HW_TOP

number=0 failed=0

# verdict NAME REASON: print one TAP line; an empty reason is a pass.
verdict() {
    number=$((number + 1))
    if [ -z "$2" ]; then
        echo "ok $number - $1"
    else
        failed=$((failed + 1))
        echo "not ok $number - $1: $2"
    fi
}

# fresh: an empty folder with the fixtures in $work.
fresh() {
    work=$scratch/work
    rm -rf "$work"
    mkdir "$work"
    cp "$here"/fixtures/* "$work"
}

# match_lines PATTERNS TEXT: line by line, as the head of this file says.
match_lines() {
    [ "$(wc -l <"$1")" = "$(wc -l <"$2")" ] || return 1
    while IFS= read -r pattern <&3 && IFS= read -r line <&4; do
        printf '%s\n' "$line" | grep -Eqx -e "$pattern" || return 1
    done 3<"$1" 4<"$2"
}

# ill_formed TEXT: its lines that are no message: a program, what it is about, cause and cure in one line of
# printable signs, that neither begins like a sentence nor ends like one.
ill_formed() {
    {
        grep -Ev '^(highwater|highwater-check|bench-[a-z]+): ' "$1"
        grep -E '[^.][.]$|[[:cntrl:]]|: $|[(]null[)]|^highwater: [A-Z][a-z]+ [a-z]' "$1"
    } | grep .
}

run_test() {
    name=$1
    folder=$here/$1
    if [ -f "$folder/needs" ] && ! sh "$folder/needs" >"$scratch/needs" 2>&1; then
        number=$((number + 1))
        echo "ok $number - $name # SKIP $(tail -n 1 "$scratch/needs")"
        return
    fi
    fresh
    (cd "$work" && sh "$folder/cmd") >"$scratch/stdout" 2>"$scratch/stderr" </dev/null
    status=$?
    expected=0
    [ -f "$folder/status" ] && expected=$(cat "$folder/status")
    reason=
    [ "$status" = "$expected" ] || reason="exit status $status, not $expected"
    stdout=/dev/null stderr=/dev/null
    [ -f "$folder/stdout" ] && stdout=$folder/stdout
    [ -f "$folder/stderr" ] && stderr=$folder/stderr
    if ! cmp -s "$stdout" "$scratch/stdout"; then
        reason="$reason; standard output differs"
        diff "$stdout" "$scratch/stdout" | head -n 20 | sed 's/^/# /'
    fi
    if ! match_lines "$stderr" "$scratch/stderr"; then
        reason="$reason; standard error differs"
        head -n 5 "$scratch/stderr" | sed 's/^/# got: /'
    fi
    if ill_formed "$scratch/stderr" >"$scratch/ill"; then
        reason="$reason; no message of one form"
        head -n 5 "$scratch/ill" | sed 's/^/# ill-formed: /'
    fi
    verdict "$name" "${reason#; }"
}

# The examples of a command, one a line.
examples() {
    highwater "$1" --help | sed -n '/^Examples:/,$p' | sed -n 's/^  //p'
}

run_examples() {
    examples "$1" >"$scratch/examples"
    : >"$scratch/begin"
    [ -s "$scratch/examples" ] || verdict "examples of $1" "it has none"
    while IFS= read -r example <&3; do
        reason=
        (cd "$work" && timeout 120 sh -c "$example") >"$scratch/stdout" 2>"$scratch/stderr" \
            </dev/null || reason="exit status $?: $(tail -n 1 "$scratch/stderr")"
        written=$(find "$work" -newer "$scratch/begin" -type f)
        [ -n "$reason" ] || [ -s "$scratch/stdout" ] || [ -n "$written" ] ||
            reason="it wrote nothing"
        verdict "example: $example" "$reason"
    done 3<"$scratch/examples"
}

if [ $# -gt 0 ]; then
    for name; do run_test "$name"; done
else
    for folder in "$here"/*/cmd; do
        run_test "$(basename "$(dirname "$folder")")"
    done
    # One folder for all: a table is made of what bench wrote.
    fresh
    cp "$top"/scripts/suites/*.suite "$work"
    commands=$(highwater list commands | awk '{print $1}')
    for command in $commands; do
        run_examples "$command"
    done
fi
echo "1..$number"
echo "# $((number - failed)) passed, $failed failed"
[ "$failed" = 0 ]
