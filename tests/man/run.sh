#!/bin/sh
# Tests of the manual pages.
#
#   sh tests/man/run.sh PROGRAM
#
# Every command has a page that agrees with its --help (options.awk says in
# what), and tells the keys of what it writes with --json; highwater(1) lists the commands as `highwater --help` does, README.md the
# solvers as `highwater list solvers`; a page that another one refers to is there.  Each man/NAME.SECTION.md has its page of roff
# and the other way round; where pandoc is the version that made them, making
# them anew gives the same bytes; groff has nothing to warn of.
# Prints TAP lines; exit status 1 when anything failed.
set -u

program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
top=$(cd "$here/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
LC_ALL=C
export LC_ALL
cd "$top" || exit 1

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

for command in $("$program" list commands | awk '{print $1}'); do
    page=man/highwater-$command.1.md
    if [ ! -f "$page" ]; then
        verdict "manual of $command" "there is no $page"
        continue
    fi
    "$program" "$command" --help >"$scratch/help"
    verdict "manual of $command" \
        "$(awk -f "$here/options.awk" -v command="$command" "$scratch/help" "$page")"
done

# The list of commands: headings, names, what each is for.
"$program" --help | awk '
    /^Options of every command:/ { exit }
    /^[A-Z].*:$/ { sub(/:$/, ""); print "## " $0; shown = 1 }
    /^  / && shown { name = $1; sub(/^ +[a-z]+ +/, ""); print name ": " $0 }' >"$scratch/expected"
awk '
    /^# / { inside = $0 == "# COMMANDS" }
    !inside { next }
    /^## / { print }
    /^\*\*highwater-/ { name = $0; gsub(/\*\*|highwater-|\(1\)/, "", name) }
    /^:   / { text = substr($0, 5); next_line = 1; print name ": " text }' man/highwater.1.md >"$scratch/got"
verdict "highwater(1) lists the commands as --help does" "$(diff "$scratch/expected" "$scratch/got")"

# What is written with --json: each key stands on the page, in bold.  Left out are objects whose keys are
# names: features of graphs, numbers of a claim.
mkdir "$scratch/json"
cp tests/cli/fixtures/graph.json "$scratch/json"
printf 'a b 64\nb c 32\n' >"$scratch/json/edges.txt"
while read -r command rest; do
    (cd "$scratch/json" && eval "\"$program\" $command $rest" 2>&1) >"$scratch/said" || true
    sed 's/"features":{[^}]*}//; s/"numbers":{.*},"examples"/"examples"/' "$scratch/said" |
        grep -o '"[a-z][a-z_0-9]*":' | tr -d '":' | sort -u >"$scratch/keys"
    reason=
    [ -s "$scratch/keys" ] || reason=$(cat "$scratch/said")
    while read -r key; do
        grep -Fq "**$key**" "man/highwater-$command.1.md" || reason="$reason lacks $key"
    done <"$scratch/keys"
    verdict "highwater-$command(1) tells what --json writes: $rest" "$reason"
done <<'COMMANDS'
adversary greedy --nodes 6 --evaluations 200 --json
advise graph.json --json
arena graph.json --json
arena graph.json --capacity 1MB --json
arena graph.json --joint --state-limit 10 --json
buckets graph.json --dim H=1:3 --scale some=0.5 --times --json
census --nodes 2 --json
check graph.json source --json
claims C02 --json
explain graph.json --json
import edges.txt -o imported.json --json
info graph.json --json
list solvers --json
list families --json
list allocators --json
list formats --json
list commands --json
replay graph.json --json
shrink graph.json --solver level --ratio 1 --json -o small.json
simulate graph.json --live --json
solve graph.json --then area --budget 1000000 --json
tradeoff graph.json --json
traits --count 24 --resamples 10 --json
COMMANDS

# The table of solvers in README.md: each of `highwater list solvers` once, and no other.
"$program" list solvers --json | sed -n 's/^ *{"name":"\([^"]*\)".*/\1/p' | sort >"$scratch/expected"
# shellcheck disable=SC2016 # backquotes of Markdown
awk '/^\| from \| solvers \|$/ { inside = 1; next } inside && !/^\|/ { exit } inside' README.md |
    grep -o '`[a-z-]*`' | tr -d '`' | sort >"$scratch/got"
verdict "README.md has every solver in its table" "$(diff "$scratch/expected" "$scratch/got")"

# References: **page**(section), to pages of ours.
reason=
for source in man/*.md; do
    for page in $(grep -o '\*\*\(lib\)\{0,1\}highwater[a-z-]*\*\*([0-9])' "$source" |
        sed 's/\*\*//g; s/(\([0-9]\))/.\1/' | sort -u); do
        [ -f "man/$page.md" ] || reason="$reason
$source refers to $page, which is not there"
    done
done
verdict "references lead to pages" "${reason#?}"

reason=
for source in man/*.md; do
    [ -f "${source%.md}" ] || reason="$reason
${source%.md} is missing: make man"
done
for page in man/*.[0-9]; do
    [ -f "$page.md" ] || reason="$reason
$page has no source $page.md"
done
verdict "each page of roff has its Markdown" "${reason#?}"

# The library: each header that is installed is told, and each declaration in
# them has a comment; the program that the page shows compiles and runs.
make -s --no-print-directory installed-headers | sed 's/^src\///' | sort >"$scratch/expected"
sed -n '/^# HEADERS/,/^# EXIT/s/^\*\*\([a-z_/]*\.h\)\*\*$/\1/p' man/libhighwater.3.md | sort >"$scratch/got"
verdict "libhighwater(3) lists the headers" "$(diff "$scratch/expected" "$scratch/got")"

documented="every public declaration has a comment"
if ! command -v doxygen >/dev/null 2>&1; then
    skip "$documented" "needs doxygen"
else
    # The list is of plain file names: splitting it at blanks is meant.
    # shellcheck disable=SC2046
    verdict "$documented" \
        "$(sh scripts/doc.sh "$scratch/doc" test $(make -s --no-print-directory installed-headers) 2>&1)"
fi

# The first block of code with a main() in it.
sed -n '/^# DESCRIPTION/,/^# CONVENTIONS/s/^    //p' man/libhighwater.3.md >"$scratch/example.c"
sanitizers=
case $program in */sanitize/*) sanitizers=-fsanitize=address,undefined ;; esac
# shellcheck disable=SC2046,SC2086
reason=$(${CC:-cc} -std=c11 -Wall -Wextra -Werror $sanitizers -Isrc -I. $(pkg-config --cflags gsl) \
    -o "$scratch/example" "$scratch/example.c" -L"${program%/*}" -lhighwater \
    -Wl,-rpath,"${program%/*}" 2>&1)
if [ -z "$reason" ]; then
    "$scratch/example" tests/cli/fixtures/graph.json >"$scratch/got" 2>&1
    "$program" solve tests/cli/fixtures/graph.json --solver exact --json |
        sed 's/.*"status":"\([a-z]*\)","peak":\([0-9]*\).*/\1: peak \2/' >"$scratch/expected"
    reason=$(head -n 1 "$scratch/got" | diff "$scratch/expected" -)
fi
verdict "the program in libhighwater(3)" "$reason"

made="the pages are what their Markdown gives"
if ! command -v pandoc >/dev/null 2>&1; then
    skip "$made" "needs pandoc"
else
    mkdir "$scratch/man"
    sh scripts/man.sh "$scratch/man" 2>"$scratch/notes"
    if [ -s "$scratch/notes" ]; then
        skip "$made" "$(cat "$scratch/notes")"
    else
        reason=
        for page in man/*.[0-9] man/libhighwater-*.md; do
            cmp -s "$page" "$scratch/man/$(basename "$page")" || reason="$reason
$page is older than its Markdown, or was edited: make man"
        done
        verdict "$made" "${reason#?}"
    fi
fi

warned="groff has nothing to warn of"
if ! command -v groff >/dev/null 2>&1; then
    skip "$warned" "needs groff"
else
    reason=
    for page in man/*.[0-9]; do
        said=$(groff -man -t -ww -Tutf8 -Kutf8 -z "$page" 2>&1)
        [ -z "$said" ] || reason="$reason
$said"
    done
    verdict "$warned" "${reason#?}"
fi

linted="mandoc has nothing to warn of"
if ! command -v mandoc >/dev/null 2>&1; then
    skip "$linted" "needs mandoc"
else
    verdict "$linted" "$(mandoc -Tlint -Wwarning man/*.[0-9] 2>&1)"
fi

echo "1..$number"
echo "# $((number - failed)) passed, $failed failed"
[ "$failed" = 0 ]
