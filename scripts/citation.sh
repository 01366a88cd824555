#!/bin/sh
# How highwater is cited, as BibTeX, from CITATION.cff: sh scripts/citation.sh
set -eu
file=$(dirname "$0")/../CITATION.cff
value() { sed -n "s/^ *\(- \)\{0,1\}$1: *\"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\2/p" "$file"; }
date=$(value date-released)
cat <<BIB
@misc{highwater,
  author = {{$(value name)}},
  title  = {$(value title | sed 's/^highwater/{highwater}/')},
  year   = {${date%%-*}},
  note   = {Software, version $(value version)}
}
BIB
