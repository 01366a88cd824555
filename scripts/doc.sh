#!/bin/sh
# Reference of the library as HTML, by doxygen, out of its public headers.
#
#   sh scripts/doc.sh FOLDER VERSION HEADER...
#
# FOLDER/html/index.html is where to begin.  A declaration without a comment,
# or a comment that cannot be read, is told and an error.
set -eu
cd "$(dirname "$0")/.."
folder=$1 version=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"
{
    cat scripts/Doxyfile
    echo "INPUT = $*"
    echo "OUTPUT_DIRECTORY = $folder"
    echo "PROJECT_NUMBER = $version"
} | doxygen - >"$folder/log" 2>&1 || {
    sed "s|^$PWD/||" "$folder/log" >&2
    exit 1
}
