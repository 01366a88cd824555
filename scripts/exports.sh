#!/bin/sh
# The version script of the shared library: exported is what the installed
# headers declare, nothing else.
#
#   sh scripts/exports.sh LIBRARY.a HEADER...
set -eu
library=$1
shift
names=$(mktemp)
trap 'rm -f "$names"' EXIT
grep -oh 'hw_[a-z0-9_]*' "$@" | sort -u >"$names"
echo "{ global:"
${NM:-nm} -g --defined-only "$library" 2>/dev/null | awk 'NF == 3 {print $3}' | sort -u |
    comm -12 - "$names" | sed 's/.*/    &;/'
echo "local: *; };"
