#!/bin/sh
# What `make install` puts where, and whether others can build on it.
#
#   sh tests/install/run.sh BUILD_FOLDER
#
# Installs a plain build into scratch folders: layout, repetition, removal; the
# shared library's name and symbols against scripts/debian/libhighwater0.symbols;
# the headers alone, from C11 and C++; highwater.pc, moved and static; the
# programs of examples/ against it, in C and Python.  Prints TAP.  The builds of
# sanitizers and coverage, which nobody installs, are skipped.
set -u
out=$1
top=$(cd "$(dirname "$0")/../.." && pwd)
here=$top/tests/install
case $out in
*/sanitize | */coverage)
    echo "ok 1 - installation # SKIP nobody installs a build for tests"
    echo "1..1"
    exit 0
    ;;
esac
cd "$top" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
unset MAKEFLAGS MFLAGS MAKELEVEL PKG_CONFIG_PATH
LC_ALL=C
export LC_ALL
cc=${CC:-gcc}
number=0 failed=0

# verdict NAME: whether the last command succeeded; its output is in $log.
log=$scratch/log
verdict() {
    status=$?
    number=$((number + 1))
    if [ "$status" = 0 ]; then
        echo "ok $number - $1"
    else
        failed=$((failed + 1))
        echo "not ok $number - $1 (status $status)"
        tail -n 20 "$log" | sed 's/^/# /'
    fi
}

put() { make --no-print-directory -s BUILD="$out" "$@" >"$log" 2>&1; }
listing() { (cd "$1" && find . | sort && find . -type f -exec sha256sum {} + | sort -k 2); }

# ---- Layout. ----
stage=$scratch/stage
begin=$scratch/begin
: >"$begin"
put install DESTDIR="$stage" prefix=/opt/hw
verdict "install below DESTDIR and prefix"
listing "$stage" >"$scratch/first"
put install DESTDIR="$stage" PREFIX=/opt/hw && listing "$stage" >"$scratch/second" &&
    diff "$scratch/first" "$scratch/second" >"$log"
verdict "a second time: the same, by either spelling of prefix"
find "$stage" ! -type d ! -path "$stage/opt/hw/*" >"$log" && [ ! -s "$log" ] &&
    find . -path ./.git -prune -o -path "./${out%%/*}" -prune -o -name __pycache__ -prune -o -type f -newer "$begin" -print >"$log" &&
    [ ! -s "$log" ]
verdict "nothing is written elsewhere"
put uninstall DESTDIR="$stage" prefix=/opt/hw &&
    find "$stage" ! -type d -o -name '*highwater*' >"$log" && [ ! -s "$log" ] &&
    put uninstall DESTDIR="$stage" prefix=/opt/hw
verdict "uninstall leaves nothing, and may be repeated"

set -- DESTDIR="$stage" prefix=/p
for folder in bindir libdir libexecdir includedir mandir docdir pkgconfigdir \
    bashcompletiondir zshcompletiondir fishcompletiondir; do
    set -- "$@" "$folder=/gnu/$folder"
done
put install "$@" && (
    cd "$stage/gnu" && [ -x bindir/highwater ] && [ -x bindir/highwater-check ] &&
        [ -e libdir/libhighwater.so ] && [ -f libdir/libhighwater.a ] &&
        [ -f includedir/highwater/highwater.h ] && [ -f mandir/man1/highwater.1 ] &&
        [ -f docdir/README.md ] && [ -f docdir/examples/Makefile ] &&
        [ -f bashcompletiondir/highwater ] && [ -f zshcompletiondir/_highwater ] &&
        [ -f fishcompletiondir/highwater.fish ] && [ -f pkgconfigdir/highwater.pc ] && grep -q 'libdir=/gnu/libdir' pkgconfigdir/highwater.pc
) && put uninstall "$@" && find "$stage/gnu" ! -type d >"$log" && [ ! -s "$log" ]
verdict "every folder of the GNU standards has its variable"

# ---- Odd folders. ----
odd="$scratch/a b/c d"
put install prefix="$odd" && "$odd/bin/highwater" --version >"$log" 2>&1 &&
    flags=$(PKG_CONFIG_PATH="$odd/lib/pkgconfig" pkg-config --cflags --libs highwater) &&
    eval "$cc -std=c11 examples/count-orders.c -o '$scratch/odd' $flags" >"$log" 2>&1 &&
    printf 'a b 64\na c 32\n' | LD_LIBRARY_PATH="$odd/lib" "$scratch/odd" - >"$log" 2>&1
verdict "folders with blanks in their names"
: >"$odd/include/highwater/model/mine.h"
: >"$odd/bin/mine"
put uninstall prefix="$odd" && (cd "$odd" && find . ! -type d -o -name '*highwater*' | sort) >"$log" &&
    printf '%s\n' ./bin/mine ./include/highwater ./include/highwater/model/mine.h | diff - "$log" >"$log.diff" &&
    [ ! -d "$odd/share/doc/highwater" ]
verdict "uninstall leaves what others put there"
! put install DESTDIR="$stage" prefix=relative && grep -q 'prefix=relative: folders are absolute' "$log" &&
    ! put install DESTDIR="$stage" libdir=lib/here && grep -q 'libdir=lib/here: folders are absolute' "$log" &&
    [ ! -e relative ] && [ ! -e lib ]
verdict "a relative folder is refused"

# ---- What the rest builds on: installed at one place, moved to another. ----
put install prefix="$scratch/made" && mv "$scratch/made" "$scratch/moved"
verdict "install for use"
home=$scratch/moved
so=$home/lib/libhighwater.so
PATH=$home/bin:$PATH
PKG_CONFIG_LIBDIR=$(pkg-config --variable pc_path pkg-config)
PKG_CONFIG_LIBDIR=$home/lib/pkgconfig:$PKG_CONFIG_LIBDIR
LD_LIBRARY_PATH=$home/lib
export PATH PKG_CONFIG_LIBDIR LD_LIBRARY_PATH

[ "$(readlink "$so")" = libhighwater.so.0 ] &&
    readelf -d "$so" | grep -q 'SONAME.*\[libhighwater\.so\.0\]'
verdict "the shared library has its name"
nm -D --defined-only "$so" | awk '{print $3}' | sort >"$scratch/symbols"
grep -v '^hw_' "$scratch/symbols" >"$log"
[ ! -s "$log" ] && grep -q '^hw_solve$' "$scratch/symbols"
verdict "it exports names of hw_* alone"
# A symbol that is gone breaks programs built before: a new SOVERSION, or keep it.
sed -n 's/^ \(.*\)@.*/\1/p' scripts/debian/libhighwater0.symbols | sort >"$scratch/record"
diff "$scratch/record" "$scratch/symbols" >"$log"
verdict "they are those of scripts/debian/libhighwater0.symbols (make symbols: after a wanted change)"

# ---- Documents. ----
(
    cd "$home/share/doc/highwater" || exit 1
    # shellcheck disable=SC2016 # backquotes of Markdown
    sed '/^```/,/^```/d' README.md | grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//' | grep -v : | while IFS= read -r file; do
        [ -f "$file" ] || echo "README.md leads to $file, which is not there"
    done >"$log"
    [ ! -s "$log" ] && grep -q '](results/tour/memory.svg)' README.md
)
verdict "the links of README.md lead somewhere"

# ---- Headers. ----
flags=$(pkg-config --cflags highwater)
moved="--define-variable=prefix=$home"
flags=$(pkg-config "$moved" --cflags highwater) && libs=$(pkg-config "$moved" --libs highwater) &&
    [ "$(pkg-config --modversion highwater)" = "$("$home/bin/highwater" --version | awk 'NR == 1 {print $2}')" ] &&
    case "$flags $libs" in *"$scratch/made"*) false ;; *"-I$home/include/highwater"*"-L$home/lib"*) ;; *) false ;; esac
verdict "highwater.pc names the version, and moves with prefix"
: >"$log"
(cd "$home/include/highwater" && find . -name '*.h' | sed 's|^\./||') | while IFS= read -r header; do
    printf '#include "%s"\n' "$header" >"$scratch/one.c"
    # shellcheck disable=SC2086
    "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror $flags -fsyntax-only "$scratch/one.c" >>"$log" 2>&1 || exit 1
    cp "$scratch/one.c" "$scratch/one.cc"
    # shellcheck disable=SC2086
    [ -z "${CXX-g++}" ] || "${CXX:-g++}" -std=c++11 -Wall -Wextra -Wpedantic -Werror $flags -fsyntax-only \
        "$scratch/one.cc" >>"$log" 2>&1 || exit 1
done
verdict "every header stands alone, in C11 and in C++"
# shellcheck disable=SC2086
echo '#include <highwater.h>' | "$cc" -std=c11 $flags -x c -M - | tr ' ' '\n' |
    sed -n "s|^$home/include/highwater/||p" | sort -u >"$scratch/reached"
(cd "$home/include/highwater" && find . -name '*.h') | sed 's|^\./||' | sort | diff "$scratch/reached" - >"$log"
verdict "installed is what highwater.h includes"
cat >"$scratch/plus.cc" <<'CC'
#include <highwater.h>
#include <cstdio>
int main(int argc, char **argv)
{
    hw_error err;
    hw_graph *g = nullptr;
    hw_solution *found = nullptr;
    static const char lines[] = "p highwater 1 1 1 0\nt 0 8 o\nv 0 - > 0\n";
    if (hw_graph_parse(lines, sizeof lines - 1, "lines", &g, &err) != HW_OK ||
        hw_solution_find(g, "exact", false, 0, 0, 0, &found, &err) != HW_OK)
        return std::puts(err.message), 1;
    std::printf("%s %u\n", hw_solution_status(found), static_cast<unsigned>(hw_solution_peak(found)));
    hw_solution_free(found);
    hw_graph_free(g);
    if (argc < 2)
        return 0;
    static const hw_dim dims[] = {{"batch", 1}, {"height", 8}, {"width", 8}};
    hw_import_options options = hw_import_options();
    options.dims = dims;
    options.n_dims = 3;
    if (hw_import_load(argv[1], &options, nullptr, &g, &err) != HW_OK)
        return std::puts(err.message), 1;
    hw_graph_free(g);
}
CC
# shellcheck disable=SC2086
"${CXX:-g++}" -std=c++11 -Wall -Wextra -Werror $flags "$scratch/plus.cc" -o "$scratch/plus" $libs >"$log" 2>&1 &&
    "$scratch/plus" >"$log" 2>&1 && [ "$(cat "$log")" = "optimal 8" ]
verdict "a program in C++"
helper=$home/libexec/highwater/highwater-onnx-shapes
if [ -x "$helper" ]; then
    net=$top/tests/cases/onnx/net.onnx
    (
        cd / || exit 1
        env PATH=/nowhere "$home/bin/highwater" import "$net" --dim batch=1 --dim height=8 --dim width=8 &&
            env PATH=/nowhere "$scratch/plus" "$net"
    ) >"$log" 2>&1
    verdict "after the move, program and library find the helper for shapes"
    mv "$helper" "$helper.away"
    ! "$scratch/plus" "$net" >"$log" 2>&1 && grep -q 'highwater-onnx-shapes' "$log"
    verdict "where it is gone the message names it"
    mv "$helper.away" "$helper"
else
    number=$((number + 1))
    echo "ok $number - the helper for shapes # SKIP built without ONNX's inference"
fi

# ---- Examples, and the library linked into a program. ----
mkdir "$scratch/built"
sed -i.bak "s|^prefix=.*|prefix=$home|" "$home/lib/pkgconfig/highwater.pc"
examples=$home/share/doc/highwater/examples
make --no-print-directory -s -C "$examples" CC="$cc" OUT="$scratch/built" \
    CFLAGS='-O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror' all >"$log" 2>&1
verdict "the programs of examples/ compile against what is installed"
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
make --no-print-directory -s -C "$examples" OUT="$scratch/built" check >"$scratch/said" 2>"$log" &&
    diff "$here/examples.txt" "$scratch/said" >"$log"
verdict "they say what they should"
# Orders that no window forbids are 1,362 (`solve --solver enumerate:prune=no`), of 2,826.
"$scratch/built/count-orders" "$top/tests/cases/random-window-00.json" >"$log" 2>&1 &&
    grep -q '^counted 2826 .* without regard to windows$' "$log" && grep -q '^listed  1362 orders' "$log"
verdict "count-orders heeds windows"
echo '[]' >"$scratch/no-graph.json"
for file in "$scratch/no-graph.json" "$scratch/absent.json" "$top/examples/highwater.py"; do
    python3 "$examples/highwater.py" "$file" 2>&1 && echo "it takes $file"
done >"$log"
[ "$(grep -c "^highwater.py: .*json: \|^highwater.py: .*py: " "$log")" = 3 ] && [ "$(wc -l <"$log")" = 3 ]
verdict "highwater.py says in one line what it cannot read"
HIGHWATER_LIBRARY=$scratch/absent.so python3 "$examples/highwater.py" x 2>&1 | grep -q 'HIGHWATER_LIBRARY' >"$log" 2>&1
verdict "and which library it does not find"
rm -f "$so"*
# shellcheck disable=SC2086 # flags, to be split
static=$(pkg-config --static --libs highwater) &&
    "$cc" -std=c11 $flags examples/count-orders.c -o "$scratch/static" $static >"$log" 2>&1 &&
    printf 'a b 64\na c 32\nb d 16\nc d 16\n' | "$scratch/static" - >"$log" 2>&1
verdict "pkg-config --static links the archive"
put install prefix="$home"

if python3 -c 'import networkx' 2>/dev/null; then
    (cd "$examples" && python3 networkx_example.py) >"$scratch/said" 2>"$log" &&
        diff "$here/networkx.txt" "$scratch/said" >"$log"
    verdict "the example for networkx"
else
    number=$((number + 1))
    echo "ok $number - the example for networkx # SKIP no python3-networkx (sh scripts/setup.sh --test installs it)"
fi
python3 "$here/check_python.py" "$examples" >"$log" 2>&1
verdict "the Python module"

# ---- The tarball. ----
if git rev-parse --git-dir >"$log" 2>&1; then
    (umask 077 && TZ=Asia/Tokyo put dist DIST="$scratch/dist") &&
        (cd "$scratch/dist" && umask 022 && tar -xzf highwater-*.tar.gz && cd highwater-*/ &&
            TZ=America/Lima sh scripts/dist.sh "$(basename "$PWD")" "$scratch/again") >"$log" 2>&1 &&
        cmp "$scratch/dist"/*.tar.gz "$scratch/again"/*.tar.gz >"$log" 2>&1 &&
        tar -tvzf "$scratch/again"/*.tar.gz | grep -v '^[-d]rw[-x]r-[-x]r-[-x] 0/0 ' >"$log"
    [ -s "$scratch/again/$(basename "$scratch"/again/*.tar.gz)" ] && [ ! -s "$log" ]
    verdict "the tarball makes itself again, whatever the mask of modes and the zone of time"
else
    number=$((number + 1))
    echo "ok $number - the tarball # SKIP no repository here"
fi

echo "1..$number"
[ "$failed" = 0 ]
