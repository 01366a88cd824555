#!/bin/sh
# Tests of what CONTRIBUTING.md says: src/README.md lists every file; and a copy of the sources, and of what is
# built of them, goes through "Add a solver in four steps" as it is written there.  Prints TAP.
#
#   sh scripts/check-contributing.sh BUILD_FOLDER
#
# The blocks of that section come after a comment that says what they are:
#   <!-- file PATH -->            PATH is written
#   <!-- line in PATH after X --> the block is put in below the first line that holds X
#   <!-- run -->                  commands, each of which ends with 0
set -u
LC_ALL=C
export LC_ALL
out=${1:?usage: check-contributing.sh BUILD_FOLDER}
top=$(cd "$(dirname "$0")/.." && pwd) || exit 1
out=$(cd "$out" && pwd) || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
unset MAKEFLAGS MFLAGS BUILD # of the make that runs the tests: its folder is not that of the copy
number=0 failed=0

# verdict NAME REASON: print one TAP line; an empty reason is a pass.
verdict() {
    number=$((number + 1))
    if [ -z "$2" ]; then
        printf 'ok %s - %s\n' "$number" "$1"
    else
        failed=$((failed + 1))
        printf 'not ok %s - %s: %s\n' "$number" "$1" "$2"
        sed 's/^/# /' "$work/said" 2>/dev/null | tail -n 20
    fi
}

# The blocks as files N.file, N.line and N.run, and what their comments say in N.path and N.after.
mkdir "$work/parts" "$work/tree"
reason=
sh "$top/scripts/source-tour.sh" --check >"$work/said" 2>&1 || reason="it is not current"
verdict "src/README.md lists the files that there are" "$reason"

awk -v folder="$work/parts" '
    /^## / { inside = $0 == "## Add a solver in four steps" }
    !inside { next }
    /^<!-- file [^ ]+ -->$/ { kind = "file"; path = $3 }
    /^<!-- line in [^ ]+ after .* -->$/ {
        kind = "line"
        path = $4
        after = $0
        sub(/^<!-- line in [^ ]+ after /, "", after)
        sub(/ -->$/, "", after)
    }
    /^<!-- run -->$/ { kind = "run" }
    /^```/ && block { block = 0; next }
    /^```/ {
        block = 1
        if (!kind)
            kind = "unknown"
        name = sprintf("%s/%02d", folder, ++n)
        print path > (name ".path")
        print after > (name ".after")
        target = name "." kind
        kind = path = after = ""
        next
    }
    block { print > target }
' "$top/CONTRIBUTING.md"

reason=
for part in 01.file 02.line 03.run 04.line 05.run; do
    [ -e "$work/parts/$part" ] || reason="$reason no $part;"
done
[ "$(find "$work/parts" -name '*.path' | wc -l)" = 5 ] || reason="$reason another number of blocks"
verdict "the steps have the blocks that this test follows" "$reason"
[ -z "$reason" ] || exit 1

# Sources and objects with their times, so that make sees nothing to do.
mkdir "$work/tree/build"
(cd "$top" && cp -Rp Makefile src solvers gen scripts "$work/tree" && mkdir "$work/tree/tests" &&
    cp -p tests/*.[ch] tests/*.inc "$work/tree/tests" && cp -Rp tests/cases "$work/tree/tests")
(cd "$out" && cp -Rp src solvers gen ./*.a "$work/tree/build" && mkdir "$work/tree/build/tests" &&
    cp -p tests/support*.o tests/support*.d tests/test_solvers.o tests/test_solvers.d "$work/tree/build/tests" &&
    for folder in onnx report; do [ ! -d $folder ] || cp -Rp $folder "$work/tree/build"; done)

# follow PART: do what it says.
follow() {
    path=$(cat "$work/parts/${1%.*}.path")
    case $1 in
    *.file) cp "$work/parts/$1" "$work/tree/$path" ;;
    *.line)
        AFTER=$(cat "$work/parts/${1%.*}.after") awk -v part="$work/parts/$1" '
            { print }
            !done && index($0, ENVIRON["AFTER"]) {
                while ((getline line < part) > 0)
                    print line
                done = 1
            }
            END { exit !done }' "$work/tree/$path" >"$work/changed" && cp "$work/changed" "$work/tree/$path"
        ;;
    *.run) (cd "$work/tree" && sh -e "$work/parts/$1") >"$work/said" 2>&1 </dev/null ;;
    esac
}

# step NAME PART: it goes through.
step() {
    reason=
    : >"$work/said"
    follow "$2" || reason="exit status $?"
    verdict "$1" "$reason"
}
# refused NAME WORDS: the test of step 3 fails and says so.
refused() {
    reason=
    if follow 05.run; then
        reason="it passes"
    elif ! grep -Fq -e "$2" "$work/said"; then
        reason="it does not say '$2'"
    fi
    verdict "$1" "$reason"
}

name=$(sed -n 's/.*\.name = "\([^"]*\)".*/\1/p' "$work/parts/01.file")
step "step 1: the file" 01.file
step "step 3 before step 2: the line of the test" 04.line
refused "without step 2 the test fails" "$name, which is no solver"
cp -p "$top/tests/test_solvers.c" "$work/tree/tests/test_solvers.c"
touch "$work/tree/tests/test_solvers.c"
step "step 2: the line of the table" 02.line
step "the program knows it and says what step 3 wants" 03.run
told=$(sed -n 's/^    peak *\([0-9]*\) .*/\1/p' "$work/said" | tr '\n' ' ')
wanted=$(sed -n 's/.*{\([0-9]*\), \([0-9]*\)}},.*/\1 \2 /p' "$work/parts/04.line")
[ "$told" = "$wanted" ] || reason="it prints $told, step 3 has $wanted"
verdict "the peaks of step 3 are those" "$reason"
refused "without step 3 the test fails" "solver $name has no line"
step "step 3: the line of the test" 04.line
step "the test of all solvers passes" 05.run
(cd "$work/tree" && build/highwater list solvers "$name") >"$work/said" 2>&1 || reason="exit status $?"
grep -q "file *$(cat "$work/parts/01.path")" "$work/said" || reason="$reason it does not name the file"
verdict "highwater list solvers names it, with its file" "$reason"

echo "1..$number"
echo "# $((number - failed)) passed, $failed failed"
[ "$failed" = 0 ]
