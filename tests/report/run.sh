#!/bin/sh
# The page of `highwater report` in a browser: does it render, sort, slide and
# print, on a desk, a phone and in the dark, and stay harmless whatever names
# the files hold?
#
#   sh tests/report/run.sh PROGRAM
#
# Makes a folder of results in which names, tables, drawings and claims are
# hostile, and hands the page to browser.py.  Prints TAP; skipped with a note
# where there is no Chromium.
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)

if ! browser=$(command -v chromium || command -v chromium-browser) ||
    ! command -v python3 >/dev/null; then
    echo "ok 1 - the page in a browser # SKIP no Chromium or no Python (sh scripts/setup.sh --test installs them)"
    echo "1..1"
    exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
cd "$scratch"
mkdir results
"$program" bench "$here/hostile.suite" -q -o results/results.jsonl
"$program" table results/results.jsonl --by solver,family,accounting --format csv \
    -o results/families.csv -q
"$program" plot results/results.jsonl --kind gaps -o results/gaps.svg
"$program" plot results/results.jsonl --kind profile -o results/profile.svg
"$program" table results/results.jsonl --summary -o results/summary.txt
cp "$here/hostile.svg" "results/<i>hostile.svg"
cp "$here/hostile.csv" "$here/claims.json" results
"$program" report results --graph "$here/hostile.json" --machine '<i>two & a half</i>' -q -o page.html
"$program" report results --where family=tree --where accounting=alloc-first -q -o trees.html
mkdir empty
"$program" report empty -q -o empty.html
python3 "$here/browser.py" "$browser" "$program" "$scratch" "$here/hostile.json"
