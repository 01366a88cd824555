#!/bin/sh
# How much recomputation lowers the peak below the best order:
#   sh scripts/bench-advise.sh PROGRAM WORK RESULTS
#
# Asks `highwater advise` about training graphs of the family nets, and about
# the graphs of tests/graphs and of the folder $HW_SHARED/graphs, where there is
# one, those of training fused too, and writes advise.md and advise.csv into RESULTS.  TIME (30) seconds a
# graph, COPIES (2) nodes that run again, MORE (8) on the training graphs, OPTIONS
# (none) of advise, GRAPHS="a b" only the files of these names; FRESH=1 asks again
# what a run before this one answered.
set -eu
program=${1:?usage: bench-advise.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-advise.sh PROGRAM WORK RESULTS}
folder=${3:?usage: bench-advise.sh PROGRAM WORK RESULTS}
here=$(dirname "$0")
# shellcheck source=scripts/bench-lib.sh
. "$here/bench-lib.sh"
TIME=${TIME:-30} COPIES=${COPIES:-2} MORE=${MORE:-8} OPTIONS=${OPTIONS:-}
find_shared
answers=$work/advise
[ -z "${FRESH:-}" ] || rm -rf "$answers"
mkdir -p "$answers" "$folder"

# ask NAME GRAPH COPIES: one answer a graph, kept in the work folder.
ask() {
    file=$answers/$1.json
    [ -s "$file" ] && return 0
    echo "$1" >&2
    # shellcheck disable=SC2086
    "$program" advise "$2" --copies "$3" --time-limit "$TIME" $OPTIONS --json -q >"$file.part"
    mv "$file.part" "$file"
}

nets="resnet-cifar mobilenet-v2 unet mlp transformer-block darts-normal-cell"
for net in $nets; do
    for batch in 1 32; do
        name=nets-$net-training-b$batch
        case " ${GRAPHS:-$name} " in *" $name "*) ;; *) continue ;; esac
        "$program" gen nets --net "$net" --mode training --batch "$batch" -q -o "$answers/graph.tmp"
        ask "$name" "$answers/graph.tmp" "$MORE"
    done
done
for graph in "$here"/../tests/graphs/*.json ${HW_SHARED:+"$HW_SHARED"/graphs/*.json}; do
    [ -f "$graph" ] || continue
    name=$(basename "$graph" .json)
    case " ${GRAPHS:-$name} " in *" $name "*) ;; *) continue ;; esac
    case $name in
    train-*)
        ask "$name" "$graph" "$MORE"
        "$program" transform "$graph" fuse -q -o "$answers/graph.tmp"
        ask "$name-fused" "$answers/graph.tmp" "$MORE"
        ;;
    *) ask "$name" "$graph" "$COPIES" ;;
    esac
done
rm -f "$answers/graph.tmp"

# One line a graph and number of nodes that run again; 0: the best order alone.
rows() {
    for file in "$answers"/*.json; do
        awk -v name="$(basename "$file" .json)" '
            # The number or word after "key": in text.
            function value(text, key) {
                if (!match(text, "\"" key "\":[0-9a-z]+"))
                    return ""
                return substr(text, RSTART + length(key) + 3, RLENGTH - length(key) - 3)
            }
            # What follows "key": and its bracket.
            function part(text, key) {
                return match(text, "\"" key "\":[[{]") ? substr(text, RSTART + RLENGTH) : ""
            }
            {
                order = part($0, "by_order")
                drop = value(part($0, "alive"), "peak_if_dropped")
                set = value(part($0, "set"), "peak_if_dropped")
                plain = value(part($0, "without_inplace"), "peak")
                floor = value(part($0, "limit_by_recomputing"), "bytes")
                head = name "," value($0, "nodes")
                tail = "," drop "," set "," plain "," floor
                print head ",0," value(order, "peak") "," value(order, "bound") "," \
                    value(order, "proven") ",true," tail
                levels = $0
                sub(/.*"without_views":/, "", levels)
                levels = part(levels, "recompute")
                sub(/].*/, "", levels)
                n = split(levels, level, "}")
                for (i = 1; i < n; i++)
                    print head "," value(level[i], "nodes") "," value(level[i], "peak") "," \
                        value(level[i], "bound") "," value(level[i], "proven") "," \
                        value(level[i], "every_change") "," tail
            }' "$file"
    done
}
{
    echo "graph,nodes,run_again,peak,bound,proven,every_change,,best_drop,best_set,without_inplace,floor"
    rows
} | sed 's/,,/,/' >"$folder/advise.csv"

# table HEAD PATTERN: a row a graph whose name matches.
table() {
    echo "| graph | nodes | best order | one dropped | one again | two again | most again | floor |"
    echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    awk -F, -v wanted="$1" '
        function less(peak) { # "12.3 %" below the best order, with a mark where not proven
            return sprintf("%.1f %%", base ? 100 * (base - peak) / base : 0)
        }
        function put() {
            if (name != "" && name ~ wanted)
                printf "| %s | %s | %s%s | %s | %s | %s | %s | %s |\n", name, nodes, base, mark, \
                    (drop == "" ? "-" : less(drop)), one, two, most, less(floor)
        }
        NR == 1 { next }
        $1 != name {
            put()
            name = $1; nodes = $2; base = $4; mark = $6 == "true" ? "" : "?"
            drop = $8; floor = $11; one = two = most = "-"
            next
        }
        { text = less($4) ($6 == "true" ? "" : "?") }
        $3 == 1 { one = text }
        $3 == 2 { two = text }
        $3 > 2 { most = text " (" $3 ")" }
        END { put() }' "$folder/advise.csv"
}

# summary PATTERN: over the graphs that match.
summary() {
    awk -F, -v wanted="$1" '
        NR > 1 && $1 ~ wanted && $3 == 0 { base[$1] = $4; proven[$1] = $6; n++ }
        NR > 1 && $1 ~ wanted && $3 > 0 && $3 <= 2 && base[$1] > 0 {
            gain = 100 * (base[$1] - $4) / base[$1]
            sum[$3] += gain; count[$3]++; better[$3] += gain > 0; sure[$3] += $6 == "true"
            if (gain > most[$3]) { most[$3] = gain; who[$3] = $1 }
        }
        END {
            for (k = 1; k <= 2; k++)
                if (count[k])
                    printf "- %s again: a smaller peak on %d of %d graphs, %.1f %% less on average, " \
                        "at most %.1f %%%s; proven least on %d.\n", (k == 1 ? "one node" : "two nodes"), \
                        better[k], count[k], sum[k] / count[k], most[k], \
                        (who[k] == "" ? "" : " (" who[k] ")"), sure[k]
        }' "$folder/advise.csv"
}

{
    echo "# What recomputation does below the best order"
    echo
    echo "Written by \`make bench-advise\` ($(machine)): \`highwater advise\`, $TIME s a graph."
    echo "\`best order\`: its peak in bytes, without constants. The other columns: how much less the peak is,"
    echo "in percent of that. \`one dropped\`: the tensor alive at the peak whose drop saves most, in the same"
    echo "order. \`one again\`, \`two again\`, \`most again\` (so many): the best choice of so many nodes that run"
    echo "again, with the order that is best for it. \`floor\`: what no order and no recomputation can pass: a"
    echo "node's own inputs, outputs and workspace. \`?\`: the best that was found, not proven least."
    echo "\`-fused\`: after \`highwater transform GRAPH fuse\`."
    echo
    echo "Training graphs:"
    echo
    summary "train"
    echo
    table "train"
    echo
    echo "All others:"
    echo
    summary "^(nets-.*-inference|[^nt]|n[^e]|t[^r])"
    echo
    table "^(nets-.*-inference|[^nt]|n[^e]|t[^r])"
} >"$folder/advise.md"
