#!/bin/sh
# What addresses add to the peak: sh scripts/bench-arena.sh PROGRAM BENCH WORK RESULTS
#
# Places by every allocator: the files of $HW_SHARED/arena (where they are), random
# lifetimes (the program BENCH, tests/bench_fragmentation), orders of real graphs
# and nets, and the family robson, on which first-fit does badly.  Writes
# RESULTS/arena.md, arena.csv (a line an allocation), arena-random.csv (a line a
# law and allocator) and arena.svg (what share of the random lifetimes stays
# within which height).  The lines of the random ones stay in WORK.
#
#   COUNT=1000   arenas of each law
#   TIME=10      seconds of each search on graphs; FILE_TIME=60 on files
#   SECTIONS="files random graphs robson"   some of them
set -eu
program=${1:?usage: bench-arena.sh PROGRAM BENCH WORK RESULTS}
bench=${2:?usage: bench-arena.sh PROGRAM BENCH WORK RESULTS}
work=${3:?usage: bench-arena.sh PROGRAM BENCH WORK RESULTS}
folder=${4:?usage: bench-arena.sh PROGRAM BENCH WORK RESULTS}
here=$(dirname "$0")
# shellcheck source=scripts/bench-lib.sh
. "$here/bench-lib.sh"
COUNT=${COUNT:-1000} TIME=${TIME:-10} FILE_TIME=${FILE_TIME:-60}
SECTIONS=${SECTIONS:-files random graphs robson}
shared=${HW_SHARED:-$here/../../shared}
[ -d "$shared" ] || fewer_rows
LC_ALL=C
export LC_ALL
mkdir -p "$work" "$folder"
csv=$work/arena.csv
echo "section,name,order,accounting,alignment,capacity,buffers,load,allocator,height,bound,fits,seconds" >"$csv"

# rows SECTION NAME: an answer of `highwater arena --json` as lines of the CSV file.
rows() {
    awk -v section="$1" -v name="$2" '
    function field(text, key) {
        if (!match(text, "\"" key "\":(\"[^\"]*\"|[^,}\\]]*)")) return ""
        text = substr(text, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
        gsub(/"/, "", text)
        return text == "null" ? "" : text
    }
    {
        at = index($0, "\"allocations\":[")
        head = substr($0, 1, at - 1)
        n = split(substr($0, at), one, "},{")
        for (i = 1; i <= n; i++) {
            spec = field(one[i], "allocator")
            if (spec == "") continue
            if (spec ~ /,/) spec = "\"" spec "\""
            print section "," name "," field(head, "order") "," field(head, "accounting") "," field(head, "alignment") "," field(head, "capacity") "," field(head, "buffers") "," field(head, "load") "," spec "," field(one[i], "height") "," field(one[i], "bound") "," field(one[i], "fits") "," field(one[i], "seconds")
        }
    }'
}

has_exact=$("$program" list allocators | awk '$1 == "exact"')
exact=${has_exact:+--allocator exact}

files() {
    for file in "$shared"/arena/*.csv; do
        [ -f "$file" ] || continue
        name=$(basename "$file" .csv)
        "$program" arena "$file" --allocator all --time-limit "$FILE_TIME" --json -q | rows files "$name" >>"$csv"
        # shellcheck disable=SC2086
        [ -z "$exact" ] || "$program" arena "$file" $exact --capacity "${name##*.}" --time-limit "$FILE_TIME" --json -q |
            rows files "$name" >>"$csv"
    done
}

# place SECTION NAME GRAPH OPTION...
place() {
    section=$1 name=$2 graph=$3
    shift 3
    # shellcheck disable=SC2086
    "$program" arena "$graph" --allocator first-fit --allocator free-list:policy=best --allocator bucket-pool \
        --allocator greedy-by-size --allocator greedy-by-conflicts --allocator hill-climb $exact \
        --time-limit "$TIME" --json -q "$@" >"$work/answer.json" 2>"$work/errors" ||
        { sed 's/^/# /' "$work/errors" >&2; return 0; }
    rows "$section" "$name" <"$work/answer.json" >>"$csv"
}

graphs() {
    for net in resnet50 resnet-cifar mobilenet-v1 mobilenet-v2 inception-v1 densenet121 unet mlp transformer-block \
        nasnet-a-normal-cell nasnet-a-reduction-cell darts-normal-cell darts-reduction-cell darts-cifar10; do
        "$program" gen "nets:net=$net" -q -o "$work/net.json"
        for order in source greedy-reverse; do
            place graphs "nets:net=$net" "$work/net.json" --order "$order"
        done
    done
    for graph in tests/graphs/*.json "$shared"/graphs/*.json; do
        [ -f "$graph" ] || continue
        case $graph in "$shared"/*) [ ! -f "tests/graphs/$(basename "$graph")" ] || continue ;; esac
        for order in source greedy-reverse; do
            place graphs "$(basename "$graph" .json)" "$graph" --order "$order"
        done
        for alignment in 64 4096; do
            place aligned "$(basename "$graph" .json)" "$graph" --order source --alignment "$alignment"
        done
    done
}

robson() {
    for memory in 16 64 256 1024; do
        for stages in 1 2 3 4 5 6; do
            "$program" gen "robson:memory=$memory,stages=$stages" -q -o "$work/net.json" 2>/dev/null || continue
            place robson "memory=$memory stages=$stages" "$work/net.json"
        done
    done
}

random() {
    nice -n 1 "$bench" "$COUNT" "$work/random.csv" >"$work/random.tsv"
}

for section in $SECTIONS; do
    case $section in
    files | random | graphs | robson) "$section" ;;
    *) fail "SECTIONS: there is no section '$section'" ;;
    esac
done

awk -f "$here/arena.awk" -v count="$COUNT" -v time="$TIME" -v files="$FILE_TIME" -v machine="$(machine)" \
    -v random="$work/random.tsv" -v sections="$SECTIONS" "$csv" >"$folder/arena.md"
cp "$csv" "$folder/arena.csv"
case " $SECTIONS " in *" random "*)
    {
        echo "# random lifetimes: law, allocator, median, 95 %, worst, equal to the load (%) of height / load"
        sed 1d "$work/random.tsv" | cut -f 1-6 | tr '\t' ';'
    } >"$folder/arena-random.csv"
    script=$(cd "$here" && pwd)/arena.gnuplot
    # Shares by allocator over all laws: sorted ratios with their ranks.
    for spec in first-fit best-fit bucket-pool greedy-by-size greedy-by-conflicts hill-climb exact; do
        awk -F '","|",|,"|,' -v spec="$spec" 'NR > 1 {
            n = split($0, f, ",\"")
            split(f[n], g, "\",")
            if (g[1] != spec) next
            split(g[2], h, ",")
            m = split(f[n - 1], k, ",")
            print h[1] / k[m]
        }' "$work/random.csv" | sort -n | awk '{ r[NR] = $1 } END { for (i = 1; i <= NR; i += NR > 1000 ? int(NR / 500) : 1) print r[i], 100 * i / NR; if (NR) print r[NR], 100 }' \
            >"$work/share-$spec.dat"
    done
    "$program" plot --style -o "$work/style.gnuplot"
    (cd "$work" && gnuplot -d "$script" >arena.svg 2>gnuplot.errors) || fail "gnuplot failed: $(tail -n 1 "$work/gnuplot.errors")"
    cp "$work/arena.svg" "$folder/arena.svg"
    ;;
esac
sed -n '1,30p' "$folder/arena.md"
echo "in $folder: arena.md, arena.csv, arena-random.csv, arena.svg; the random lifetimes are in $work"
