#!/bin/sh
# Static checks: layout, clang's warnings, clang-tidy, cppcheck, gcc -fanalyzer.
# Every finding is an error; what is switched off is switched off here, with
# the reason beside it.
set -u
status=0
files=$(git ls-files 'src/*.c' 'src/*.h' 'gen/*.c' 'gen/*.h' 'solvers/*.c' 'solvers/*.h' 'tests/*.c' 'tests/*.h')
sources=$(git ls-files 'src/*.c' 'gen/*.c' 'solvers/*.c')
make --no-print-directory build/onnx/onnx.pb-c.h build/report/page.css.inc build/report/page.js.inc
flags="-std=c11 -D_POSIX_C_SOURCE=200809L -D_XOPEN_SOURCE=700 -Isrc -I. -DHW_VERSION=\"lint\" -isystem build/onnx -isystem build/report $(pkg-config --cflags igraph gsl jansson libmd sqlite3 libprotobuf-c | sed 's/-I/-isystem /g')"
warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror"

echo "layout (clang-format)"
# shellcheck disable=SC2086
clang-format --dry-run --Werror $files || status=1

for compiler in gcc clang; do
    echo "warnings ($compiler)"
    for file in $(git ls-files 'src/*.c' 'gen/*.c' 'solvers/*.c' 'tests/*.c'); do
        # shellcheck disable=SC2086
        $compiler $flags $warnings -O2 -c "$file" -o /dev/null || status=1
    done
done

echo "clang-tidy"
# Checks: see .clang-tidy.
# One file a call: clang-tidy 14 carries state from one file to the next and
# then finds uninitialised va_lists where there are none.
for file in $sources; do
    # shellcheck disable=SC2086
    clang-tidy --quiet --warnings-as-errors='*' "$file" -- $flags 2>/dev/null || status=1
done

echo "cppcheck"
# shellcheck disable=SC2086
cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr \
    --error-exitcode=1 -Isrc -I. $sources || status=1
exit $status
