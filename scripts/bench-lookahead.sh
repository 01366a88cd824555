#!/bin/sh
# What width and depth are worth to lookahead: sh scripts/bench-lookahead.sh PROGRAM WORK RESULTS
#
# Runs lookahead with k = 1 .. 10 and depth = 1 .. 4 on random graphs of 10, 20
# and 40 nodes with proven optima, with its lines of results in the folder WORK,
# and writes RESULTS/lookahead.md: the mean gap to the optimum for each k and
# depth, over all families and for each, beside those of greedy (k=1 looks at
# one candidate only, which is greedy's).  A stopped run goes on where it was.
#
#   SEEDS=40     graphs a family and size (200)
#   KS="1 2 5"   DEPTHS="1 2"   some of the table
#   JOBS=2       processes; FRESH=1: forget earlier results
set -eu
program=${1:?usage: bench-lookahead.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-lookahead.sh PROGRAM WORK RESULTS}
folder=${3:?usage: bench-lookahead.sh PROGRAM WORK RESULTS}
# shellcheck source=scripts/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"
JOBS=${JOBS:-2} SEEDS=${SEEDS:-200}
KS=${KS:-1 2 3 4 5 6 7 8 9 10} DEPTHS=${DEPTHS:-1 2 3 4}
case $SEEDS in *[!0-9]* | 0 | '') fail "SEEDS=$SEEDS: give a number of graphs" ;; esac

mkdir -p "$work" "$folder"
suite=$work/lookahead.suite results=$work/lookahead.jsonl
{
    echo "name = lookahead"
    echo "accounting = alloc-first"
    echo "kill-after = 120"
    echo "solver = greedy"
    for depth in $DEPTHS; do
        for k in $KS; do
            echo "solver = lookahead:k=$k,depth=$depth"
        done
    done
    echo "optimum = exact"
    while read -r section family; do
        echo "[$section]"
        echo "family = $family x$SEEDS"
    done <<'END'
layered layered:n=10|20|40
erdos-1.5 erdos:n=10|20|40,degree=1.5
erdos-2 erdos:n=10|20|40,degree=2
erdos-3 erdos:n=10|20|40,degree=3
series-parallel series-parallel:n=10|20|40
in-tree tree:n=10|20|40,direction=in
out-tree tree:n=10|20|40,direction=out
randwire randwire:n=10|20|40
END
} >"$suite"
same_program "$program" "$results"
sweep "$program" "$suite" "$results"

{
    echo "# What width and depth are worth to lookahead"
    echo
    echo "Written by \`make bench-lookahead\`: mean gap to the proven optimum in percent,"
    echo "alloc-first, $SEEDS graphs a family of 10, 20 and 40 nodes each; k candidates are tried,"
    echo "with depth steps after each; greedy tries none."
    awk -v ks="$KS" -v depths="$DEPTHS" '
    function field(name, text) {
        text = $0
        if (!sub(".*\"" name "\":\"?", "", text)) return ""
        sub(/[",}].*/, "", text)
        return text
    }
    # A parameter of the solver, which results leave out where it is the default.
    function of(spec, name, preset) {
        return match(spec, name "=[0-9]+") ? substr(spec, RSTART + length(name) + 1, RLENGTH - length(name) - 1) : preset
    }
    function add(section, key, gap) {
        sum[section, key] += gap
        count[section, key]++
    }
    {
        gap = field("gap_percent")
        solver = $0
        if (!sub(/.*"solver":"/, "", solver)) next
        sub(/".*/, "", solver)
        if (gap == "null" || gap == "" || solver == "exact") next
        section = field("section")
        if (!(section in seen)) { seen[section] = 1; order[++sections] = section }
        key = solver == "greedy" ? solver : of(solver, "k", 3) SUBSEP of(solver, "depth", 1)
        add(section, key, gap)
        add("all families", key, gap)
    }
    function cell(section, key) {
        return count[section, key] ? sprintf("%.2f", sum[section, key] / count[section, key]) : "-"
    }
    END {
        n_k = split(ks, k, " "); n_d = split(depths, d, " ")
        for (s = 0; s <= sections; s++) {
            name = s ? order[s] : "all families"
            printf "\n## %s (%d graphs)\n\ngreedy: %s\n\n| k |", name, count[name, "greedy"], cell(name, "greedy")
            for (j = 1; j <= n_d; j++) printf " depth %s |", d[j]
            printf "\n| ---: |"
            for (j = 1; j <= n_d; j++) printf " ---: |"
            printf "\n"
            for (i = 1; i <= n_k; i++) {
                printf "| %s |", k[i]
                for (j = 1; j <= n_d; j++) printf " %s |", cell(name, k[i] SUBSEP d[j])
                printf "\n"
            }
        }
    }' "$results"
} >"$folder/lookahead.md"
sed -n '1,22p' "$folder/lookahead.md"
echo "in $folder: lookahead.md; the runs are in $results"
exit "$swept"
