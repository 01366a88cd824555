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
# Without comments, which may name what is not declared there.
cat "$@" | awk '
    {
        line = $0
        while (line != "") {
            if (inside) {
                if (!(at = index(line, "*/"))) break
                line = substr(line, at + 2)
                inside = 0
            } else {
                at = index(line, "/*")
                print at ? substr(line, 1, at - 1) : line
                line = at ? substr(line, at + 2) : ""
                inside = at > 0
            }
        }
    }' | grep -o 'hw_[a-z0-9_]*' | LC_ALL=C sort -u >"$names"
echo "{ global:"
${NM:-nm} -g --defined-only "$library" 2>/dev/null | awk 'NF == 3 {print $3}' | LC_ALL=C sort -u |
    LC_ALL=C comm -12 - "$names" | sed 's/.*/    &;/'
echo "local: *; };"
