#!/bin/sh
# Static checks of all sources.  Every finding is an error; what is switched
# off is switched off here or in .clang-tidy, with the reason beside it.
#
#   FLAGS=... ANALYZER=... sh scripts/lint.sh BUILD_FOLDER [PART...]
#
# (`make lint` sets FLAGS, what the compilers are given, and ANALYZER, what
# switches gcc's on, and makes the headers that are generated.)  The parts, all of them where none is named:
#
#   layout    clang-format on all C
#   shell     shellcheck on all scripts and on the commands of tests/cli
#   cppcheck  on src, gen and solvers
#   tidy      clang-tidy on src, gen and solvers: its checks, clang's warnings
#             and clang's analyzer
#   analyzer  gcc's warnings and its analyzer on src, gen and solvers
#   gcc       gcc's warnings on the tests
#   clang     clang's warnings on the tests
#
# The last three are what builds with CFLAGS=-Werror show, by gcc with ANALYZE=1
# and by clang.
#
# JOBS (the processors) files at a time.  NODES (20000) bounds clang's analyzer:
# the states of a function that it looks at; its own bound of 225000 takes ten
# times as long.  Exit status 1 when anything was found.
set -u

# --one PART FILE: what PART finds in FILE, in one piece, whoever else prints.
if [ "$1" = --one ]; then
    part=$2 file=$3
    case $part in
    # One file a call: clang-tidy 14 carries state from one file to the next and
    # then finds uninitialised va_lists where there are none.
    tidy) set -- clang-tidy --quiet --warnings-as-errors='*' "$file" -- -Xclang -analyzer-config -Xclang "max-nodes=${NODES:-20000}" ;;
    # As a build with ANALYZE=1.  Without optimisation gcc 12 takes what grows
    # in an array (strndup into a[n++]) for leaks.
    analyzer) eval "set -- gcc -O2 $ANALYZER -Werror -S '$file' -o /dev/null" ;;
    gcc) set -- gcc -O2 -Werror -c "$file" -o /dev/null ;;
    clang) set -- clang -Werror -fsyntax-only "$file" ;;
    esac
    # FLAGS is quoted for a shell.
    said=$(eval '"$@"' "$FLAGS" 2>&1) && exit 0
    printf '%s\n' "$said" | grep -v '^[0-9]* warnings\{0,1\} .*generated\.$\|^Suppressed [0-9]* warnings'
    exit 1
fi

git rev-parse --git-dir >/dev/null 2>&1 || {
    echo "lint: what is looked at is what git lists: this is no clone" >&2
    exit 2
}
out=$1
shift
[ $# -gt 0 ] || set -- layout shell cppcheck tidy analyzer gcc clang
jobs=${JOBS:-$(getconf _NPROCESSORS_ONLN)}
lists=$out/lint
rm -rf "$lists"
mkdir -p "$lists"
# The reader of ONNX is left out where there is no schema, as in the build.
git ls-files 'src/*.c' 'gen/*.c' 'solvers/*.c' | if [ -e "$out/onnx/onnx.pb-c.h" ]; then
    grep -v '^src/import/no_onnx\.c$'
else
    grep -v '^src/import/onnx_'
fi >"$lists/sources"
git ls-files 'tests/*.c' >"$lists/tests"
git ls-files '*.c' '*.h' >"$lists/layout"
git ls-files '*.sh' .ci/run >"$lists/shell"
git ls-files 'tests/cli/*/cmd' 'tests/cli/*/needs' >"$lists/cmd"

each() { xargs -P "$jobs" -L 1 sh "$0" --one "$@"; }

status=0
for part in "$@"; do
    begin=$(date +%s)
    found=0
    case $part in
    layout) xargs -P "$jobs" -n 100 clang-format --dry-run --Werror <"$lists/layout" || found=1 ;;
    shell)
        # A function that is called by its name in "$@" counts as unreachable
        # (SC2317); `for` over what a command writes means its words (SC2013).
        xargs -P "$jobs" -n 20 shellcheck -x -e SC2317,SC2013 <"$lists/shell" || found=1
        # In commands of tests names are plain: words are split where that is
        # meant (SC2086), and `ls | grep` counts files (SC2010); a name that
        # stands twice in a pipeline is a graph that is read twice (SC2094);
        # `cat |` tests a pipe (SC2002), `2>&1 >/dev/null` messages alone (SC2069);
        # a script that is written has quotes around what it expands (SC2016).
        xargs -P "$jobs" -n 100 shellcheck -s sh -e SC2086,SC2010,SC2094,SC2002,SC2069,SC2016 <"$lists/cmd" || found=1
        ;;
    cppcheck)
        xargs cppcheck --quiet -j "$jobs" --std=c11 --enable=warning,performance,portability \
            --inline-suppr --error-exitcode=1 -Isrc -I. <"$lists/sources" || found=1
        ;;
    tidy | analyzer) each "$part" <"$lists/sources" || found=1 ;;
    gcc | clang) each "$part" <"$lists/tests" || found=1 ;;
    *)
        echo "lint: no part is called $part" >&2
        exit 2
        ;;
    esac
    [ $found = 0 ] && verdict=clean || verdict=FINDINGS status=1
    echo "lint: $part: $verdict ($(($(date +%s) - begin)) s)"
done
exit $status
