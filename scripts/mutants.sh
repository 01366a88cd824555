#!/bin/sh
# Do the tests catch wrong rules?  Each file of tests/mutants plants one in a
# copy of a source file; the test programs that it names, linked with that
# copy, have to fail.
#
#   CC=... FLAGS=... LINK=... LIBS=... sh scripts/mutants.sh BUILD_FOLDER [NAME...]
#
# (`make check-mutants` sets these and builds the programs.)  A mutant holds
# lines of the following kinds:
#
#   # TEXT         what is wrong, and why
#   tests NAME...  test programs that shall catch it
#   file PATH      the .c file to change; then, once or more often,
#   --- from       lines that the file holds exactly once (space counts as space,
#   --- to         however much of it), the lines to put in their place, and
#   --- end        the end of them
#
# Where the file no longer holds the lines the mutant is stale, which is an
# error: rewrite it along with the code.  A mutant that does not compile is an
# error too.  A program is done with at its first test that fails; time that
# runs out counts as caught.  Exit status 1 when a mutant survives or is in
# error.  JOBS mutants at a time (2).
set -u

# Replace all the pairs of a mutant in a text: awk -f, mutant first.
# shellcheck disable=SC2016 # awk
plant='
    function pattern(text) {
        gsub(/[][\\.^$*+?(){}|\/]/, "\\\\&", text)
        gsub(/[ \t\n]+/, "[ \t\n]+", text)
        return text
    }
    NR == FNR {
        if ($0 == "--- from") { kind = 1; n++ }
        else if ($0 == "--- to") kind = 2
        else if ($0 == "--- end") kind = 0
        else if (kind == 1) { gsub(/^[ \t]+|[ \t]+$/, ""); from[n] = from[n] (from[n] == "" ? "" : "\n") $0 }
        else if (kind == 2) to[n] = to[n] $0 "\n"
        next
    }
    { text = text $0 "\n" }
    END {
        for (i = 1; i <= n; i++) {
            wanted = pattern(from[i])
            if (!match(text, wanted)) exit 1
            head = substr(text, 1, RSTART - 1)
            tail = substr(text, RSTART + RLENGTH)
            if (match(tail, wanted)) exit 1
            text = head to[i] tail
        }
        if (n == 0) exit 1
        printf "%s", text
    }'

# --one BUILD_FOLDER MUTANT
if [ "$1" = --one ]; then
    out=$2 mutant=$3 name=$(basename "$3")
    folder=$out/mutants/$name
    file=$(sed -n 's/^file //p' "$mutant")
    mkdir -p "$folder"
    case $file in
    *.c) ;;
    *)
        # What a header says is compiled into other files, which would keep the right rule.
        echo "ERROR     $name: $file is no .c file"
        exit 1
        ;;
    esac
    if ! awk "$plant" "$mutant" "$file" >"$folder/planted.c"; then
        echo "ERROR     $name: stale, or found twice in $file"
        exit 1
    fi
    if ! eval "$CC $FLAGS -w -c '$folder/planted.c' -o '$folder/planted.o'" 2>"$folder/log"; then
        echo "ERROR     $name: does not compile, see $folder/log"
        exit 1
    fi
    for test in $(sed -n 's/^tests //p' "$mutant"); do
        # Names for debuggers (-S) are most of what would be linked.
        eval "$CC $FLAGS $LINK -Wl,-S -o '$folder/$test' '$out/tests/$test.o' '$out'/tests/support*.o \
            '$folder/planted.o' '$out/libhighwater.a' $LIBS" 2>"$folder/log" || {
            echo "ERROR     $name: does not link, see $folder/log"
            exit 1
        }
        # Behind grep, which ends at the first failure, the next line of the program ends it.
        {
            CMOCKA_MESSAGE_OUTPUT=TAP timeout 60 "$folder/$test" 2>"$folder/log"
            echo "status $?"
        } | grep -m 1 '^not ok [^#]*$\|^status ' >"$folder/said"
        said=$(cat "$folder/said")
        if [ "$said" != "status 0" ]; then
            [ "$said" = "status 124" ] && test="$test (time ran out)"
            echo "caught    $name by $test"
            exit 0
        fi
    done
    echo "SURVIVED  $name"
    exit 1
fi

out=$1
shift
rm -rf "$out/mutants"
mkdir -p "$out/mutants"
# shellcheck disable=SC2046 # plain names, to be split
[ $# -gt 0 ] || set -- $(ls tests/mutants)
for name in "$@"; do
    echo "tests/mutants/$name"
done >"$out/mutants/list"

# Without a mutant everything passes, or nothing below would mean anything: as
# `make check` has just found, or finds out here.
xargs sed -n 's/^tests //p' <"$out/mutants/list" | tr ' ' '\n' | sort -u >"$out/mutants/tests"
# shellcheck disable=SC2016 # for the inner shell
xargs -P "${JOBS:-2}" -I '{}' sh -c '
log=$1/test-logs/$2.log
[ -n "$(find "$log" -newer "$1/tests/$2" 2>/dev/null)" ] && [ ! -e "${log%.log}.failed" ] && exit 0
"$1/tests/$2" >"$1/mutants/$2.log" 2>&1 || {
    echo "$2 fails without any mutant:"
    tail -n 20 "$1/mutants/$2.log"
    exit 1
}' sh "$out" '{}' <"$out/mutants/tests" || exit 1
xargs -P "${JOBS:-2}" -L 1 sh "$0" --one "$out" <"$out/mutants/list" >"$out/mutants/results"
sort "$out/mutants/results"
echo "$(grep -c '^caught' "$out/mutants/results") of $(wc -l <"$out/mutants/list") mutants caught"
! grep -qv '^caught' "$out/mutants/results"
