#!/bin/sh
# What README.md and ARTIFACT.md say of the results, from paper/*.in:
#
#   sh scripts/paper-texts.sh [--check] PROGRAM RESULTS OUT
#
# {nNAME} in a template is the number of that name (paper/numbers.txt), {claims} a row for each
# claim.  README.md has it between two markers; --check writes nothing and ends with 1 where a text
# is not current.
set -eu
check=
if [ "${1:-}" = --check ]; then
    check=yes
    shift
fi
program=${1:?usage: paper-texts.sh [--check] PROGRAM RESULTS OUT}
results=${2:?usage: paper-texts.sh [--check] PROGRAM RESULTS OUT}
out=${3:?usage: paper-texts.sh [--check] PROGRAM RESULTS OUT}
scripts=$(dirname "$0")
root=$scripts/..
sh "$scripts/paper-inputs.sh" "$program" "$results" "$out"

# put NAME FILE: FILE becomes what OUT/NAME holds, or is compared with it.
status=0
put() {
    if [ -n "$check" ]; then
        diff -u "$2" "$out/$1" || {
            echo "$2 is not current: sh scripts/paper-texts.sh PROGRAM results build/paper" >&2
            status=1
        }
    elif ! cmp -s "$out/$1" "$2"; then
        cp "$out/$1" "$2"
    fi
}

fill() {
    awk -v claims="$out/claims-rows.md" -f "$scripts/paper-fill.awk" "$out/numbers.tex" "$1"
}

fill "$root/paper/artifact.md.in" >"$out/ARTIFACT.md"
put ARTIFACT.md "$root/ARTIFACT.md"

fill "$root/paper/readme.md.in" >"$out/readme.md"
awk -v part="$out/readme.md" '
    /<!-- results: end -->/ { inside = 0 }
    !inside { print }
    /<!-- results: begin/ {
        inside = 1
        found = 1
        while ((getline line < part) > 0)
            print line
    }
    END { exit !found }' "$root/README.md" >"$out/README.md"
put README.md "$root/README.md"
exit $status
