#!/bin/sh
# Set-up of highwater on Debian: install what is missing, or say how.
#
#   sh scripts/setup.sh            what building and `make reproduce` need
#   sh scripts/setup.sh --test     and what `make check` needs beside that
#   sh scripts/setup.sh --slurm    what building and `make check-slurm` need
#   sh scripts/setup.sh --lint     what building, `make lint` and CC=clang need
#   sh scripts/setup.sh --develop  and what `make coverage` and all of the above need
#   sh scripts/setup.sh --fuzz     what building and `make fuzz` need
#   sh scripts/setup.sh --package  what building, `make deb` and `make check-chroot` need
#   sh scripts/setup.sh --paper    what building and `make paper` need
#
# As root packages are installed with apt-get, else through sudo where that is
# at hand; otherwise the one command to run is printed and the exit status is 1.
# Nothing is touched when nothing is missing.
set -eu

level=${1:-}
missing=

# want PACKAGE TEST...: the package is missing when the test fails.
want() {
    package=$1
    shift
    "$@" >/dev/null 2>&1 || missing="$missing $package"
}

have() { command -v "$1"; }
module() { pkg-config --exists "$1"; }
style() { kpsewhich "$1.sty"; }
runtime() { test -e "$(clang -print-file-name="libclang_rt.$1-$(uname -m).a")"; }
library() { PATH=$PATH:/sbin:/usr/sbin ldconfig -p | grep -F "$1"; }

want "${CC_PACKAGE:-gcc}" have "${CC:-gcc}"
want make have make
want libc6-dev test -e /usr/include/stdlib.h
want pkg-config have pkg-config
want libigraph-dev module igraph
want libgsl-dev module gsl
want libjansson-dev module jansson
want libmd-dev module libmd
want libsqlite3-dev module sqlite3
want gnuplot-nox have gnuplot
want protobuf-c-compiler have protoc-c
want libprotobuf-c-dev module libprotobuf-c
want libonnx-dev test -e /usr/include/onnx/onnx.proto
want libprotobuf-dev module protobuf
want "${CXX_PACKAGE:-g++}" have "${CXX:-g++}"

case $level in
--test | --develop)
    want libcmocka-dev module cmocka
    want nauty have nauty-geng
    want valgrind have valgrind
    want strace have strace
    want libmimalloc2.0 library libmimalloc.so.2
    want graphviz have dot
    want coinor-cbc have cbc
    want sqlite3 have sqlite3
    want glpk-utils have glpsol
    want chromium have chromium
    want python3 have python3
    want pandoc have pandoc
    want groff-base have groff
    want mandoc have mandoc
    want doxygen have doxygen
    want zsh have zsh
    want fish have fish
    want python3-networkx python3 -c 'import networkx'
    ;;
esac
case $level in
--slurm)
    # The daemons are in folders that the PATH of a user need not have.
    want slurm-wlm test -x /usr/sbin/slurmctld
    want munge test -x /usr/sbin/munged
    ;;
esac
case $level in
--fuzz | --lint | --develop)
    want clang have clang
    want libclang-rt-dev runtime fuzzer
    ;;
esac
case $level in
--lint | --develop)
    want clang-format have clang-format
    want clang-tidy have clang-tidy
    want lld have ld.lld
    want cppcheck have cppcheck
    want shellcheck have shellcheck
    ;;
esac
case $level in
--develop)
    want llvm have llvm-cov
    want librsvg2-bin have rsvg-convert
    ;;
esac
case $level in
--package)
    want libcmocka-dev module cmocka
    want dpkg-dev have dpkg-buildpackage
    want debhelper have dh
    want lintian have lintian
    want debootstrap test -x /usr/sbin/debootstrap
    ;;
esac
case $level in
--paper)
    want texlive-latex-base have pdflatex
    want texlive-latex-recommended style booktabs
    want texlive-latex-extra style enumitem
    want texlive-fonts-recommended style txfonts
    want texlive-science style siunitx
    ;;
esac

[ -n "$missing" ] || exit 0

# The list is of plain package names: splitting it at blanks is meant.
command="apt-get install -y --no-install-recommends$missing"
echo "set-up: missing:$missing" >&2
if ! command -v apt-get >/dev/null 2>&1; then
    echo "set-up: this is no Debian system: install the counterparts of these packages, then go on" >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    root=
elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    root=sudo
else
    echo "set-up: run this as root, then go on:" >&2
    echo "    apt-get update && $command" >&2
    exit 1
fi
$root apt-get update -qq >&2
# shellcheck disable=SC2086
$root env DEBIAN_FRONTEND=noninteractive $command >&2
