#!/bin/sh
# What the LaTeX sources of the paper read, made from results: macros and tables.
#
#   sh scripts/paper-inputs.sh PROGRAM RESULTS OUT
#
# No TeX is needed for this.  A number, row or file that is missing ends it.
set -eu
program=${1:?usage: paper-inputs.sh PROGRAM RESULTS OUT}
results=${2:?usage: paper-inputs.sh PROGRAM RESULTS OUT}
out=${3:?usage: paper-inputs.sh PROGRAM RESULTS OUT}
scripts=$(dirname "$0")
paper=$scripts/../paper
LC_ALL=C
export LC_ALL
mkdir -p "$out"
results=$(cd "$results" && pwd)

# whole FILE COMMAND...: the output of the command, or no file.
whole() {
    file=$1
    shift
    if "$@" >"$file.new"; then
        mv "$file.new" "$file"
    else
        rm -f "$file.new"
        exit 1
    fi
}

"$program" list solvers --json >"$out/solvers.json"
whole "$out/solvers.csv" awk -v form=csv -f "$scripts/csv.awk" -f "$scripts/paper-solvers.awk" "$out/solvers.json"
whole "$out/table-solvers.tex" awk -v bib="$paper/highwater.bib" -f "$scripts/csv.awk" -f "$scripts/paper-solvers.awk" "$out/solvers.json"
exact=$(awk -F, '$2 == "exact" { print $1 }' "$out/solvers.csv" | tr '\n' ' ')

for table in overall families strata exact ablation real scale arena; do
    whole "$out/table-$table.tex" awk -v table=$table -v folder="$results" -v exact="$exact" \
        -f "$scripts/csv.awk" -f "$scripts/paper-tables.awk"
done
whole "$out/table-bad.tex" awk -f "$scripts/paper-families.awk" "$results/adversarial-families.tex"

# The claims: rows of the table that `make claims` wrote.
claims=$results/claims.tex
whole "$out/claims.csv" awk -v form=csv -f "$scripts/paper-claims.awk" "$claims"
whole "$out/claims-rows.md" awk -v form=markdown -v json="$results/claims.json" \
    -f "$scripts/paper-claims.awk" "$claims"
# Half of them fill a page.
whole "$out/table-claims.tex" awk -v last=15 -f "$scripts/paper-claims.awk" "$claims"
whole "$out/table-claims-more.tex" awk -v first=16 -f "$scripts/paper-claims.awk" "$claims"

# What is counted on the spot.
{
    echo "name,value"
    echo "solvers,$(wc -l <"$out/solvers.csv")"
    echo "checker_lines,$(cat "$scripts"/../src/check/*.c "$scripts"/../src/check/*.h | wc -l)"
} >"$out/counts.csv"

# Recipes name files of RESULTS, and of OUT as made/FILE.
rm -rf "$out/from"
mkdir "$out/from"
for entry in "$results"/*; do
    ln -s "$entry" "$out/from/"
done
ln -s "$(cd "$out" && pwd)" "$out/from/made"
whole "$out/numbers.tex" awk -v folder="$out/from" -f "$scripts/csv.awk" -f "$scripts/paper-numbers.awk" \
    "$paper/numbers.txt"
