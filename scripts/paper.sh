#!/bin/sh
# The paper as PDF, from committed results alone:
#
#   sh scripts/paper.sh PROGRAM RESULTS OUT
#
# Writes numbers, tables and figures into OUT, then OUT/highwater.pdf.  The same sources and
# results give the same bytes: the clock is SOURCE_DATE_EPOCH or stands still.  PROGRAM prints the table of solvers.
set -eu
program=${1:?usage: paper.sh PROGRAM RESULTS OUT}
results=${2:?usage: paper.sh PROGRAM RESULTS OUT}
out=${3:?usage: paper.sh PROGRAM RESULTS OUT}
scripts=$(cd "$(dirname "$0")" && pwd)
paper=$(cd "$scripts/../paper" && pwd)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0}
FORCE_SOURCE_DATE=1
LC_ALL=C
export SOURCE_DATE_EPOCH FORCE_SOURCE_DATE LC_ALL
mkdir -p "$out"
results=$(cd "$results" && pwd)

sh "$scripts/paper-inputs.sh" "$program" "$results" "$out"

for figure in profile pareto heat; do
    cp "$results/paper/$figure.pdf" "$out/figure-$figure.pdf"
done

cd "$out"
run() {
    TEXINPUTS=.:$paper: BIBINPUTS=.:$paper: "$@" >highwater.said 2>&1 || {
        tail -n 30 highwater.said >&2
        exit 1
    }
}
rm -f highwater.aux highwater.bbl highwater.out
latex="pdflatex -interaction=nonstopmode -halt-on-error -no-shell-escape"
# shellcheck disable=SC2086
{
    run $latex highwater.tex
    run bibtex -terse highwater
    run $latex highwater.tex
    run $latex highwater.tex
    run $latex highwater.tex
}
# What a reader would stumble over is an error here.
bad=$(grep -E 'undefined|multiply defined|There were|Overfull \\hbox|Float too large' highwater.log | grep -vE 'Overfull \\hbox \([0-4]\.' || true)
if [ -n "$bad" ]; then
    echo "$bad" >&2
    echo "paper: the log of LaTeX complains (see $out/highwater.log)" >&2
    exit 1
fi
echo "paper: $out/highwater.pdf, $(sed -n 's/^Output written on .*(\([0-9]* pages\).*/\1/p' highwater.log)"
