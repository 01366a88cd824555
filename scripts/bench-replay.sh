#!/bin/sh
# What stays resident when orders are replayed: sh scripts/bench-replay.sh PROGRAM WORK RESULTS
#
# Replays networks in their source order and in the best order found, with real
# sizes, against glibc's malloc (as it comes, with thresholds moved, trimmed),
# mimalloc, a mapping a block and an arena; two passes in one process each.
# Graphs and orders are kept in the folder WORK.  Writes RESULTS/replay.csv, a
# line a replay, RESULTS/replay.md and a picture of each graph in GRAPHS that
# PICTURES names: RESULTS/replay-NAME.svg.
#
#   GRAPHS="unet"       some of the graphs (the first words of the list below)
#   ALLOCATORS="..."    some of the allocators
#   TIME=20             seconds for each best order
#   PICTURES="..."      graphs to draw
#   REPORT=1            no replays: write replay.md from RESULTS/replay.csv
set -eu
program=${1:?usage: bench-replay.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-replay.sh PROGRAM WORK RESULTS}
folder=${3:?usage: bench-replay.sh PROGRAM WORK RESULTS}
# shellcheck source=scripts/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"
TIME=${TIME:-20}
kept=MALLOC_MMAP_MAX_=0+MALLOC_TRIM_THRESHOLD_=4294967296
ALLOCATORS=${ALLOCATORS:-malloc malloc+MALLOC_MMAP_THRESHOLD_=131072 malloc+MALLOC_MMAP_MAX_=0 malloc+$kept
    malloc+trim mimalloc mimalloc+MIMALLOC_DECOMMIT_DELAY=0 mmap arena arena+release}
PICTURES=${PICTURES:-resnet50-training unet}

# name, parameters of the family nets
graphs() {
    cat <<'END'
resnet50 net=resnet50,batch=8
resnet50-training net=resnet50,mode=training,batch=2
gpt2 net=gpt2,sequence=256
gpt2-training net=gpt2,mode=training,layers=3,sequence=128
unet net=unet
unet-training net=unet,mode=training,resolution=128
mobilenet-v2 net=mobilenet-v2,batch=8
densenet121 net=densenet121,batch=4
inception-v1 net=inception-v1,batch=8
END
}
GRAPHS=${GRAPHS:-$(graphs | cut -d' ' -f1)}

replay_all() {
    echo "graph,order,allocator,logical_peak,resident_peak,greatest_lag,end_lag,arena_height" >"$csv.new"
    # The words that replay takes for ALLOCATORS.
    set --
    for allocator in $ALLOCATORS; do
        set -- "$@" --allocator "$allocator"
    done
    for graph in $GRAPHS; do
        params=$(graphs | sed -n "s/^$graph //p")
        [ -n "$params" ] || fail "GRAPHS=$graph: no graph of this name: see the head of the script"
        file=$work/replay/$graph.json best=$work/replay/$graph.order.json
        "$program" gen nets --params "$params" -q -o "$file.new"
        sed "1s/\"name\":\"nets-0\"/\"name\":\"$graph\"/" "$file.new" >"$file" # pictures show the name
        rm "$file.new"
        "$program" solve "$file" --time-limit "$TIME" --order-out "$best" -q >/dev/null
        case " $PICTURES " in *" $graph "*)
            # A line for each of ALLOCATORS is too many to tell apart.
            "$program" replay "$file" --repeat 2 -q --draw "$folder/replay-$graph.svg" --allocator malloc \
                --allocator mimalloc --allocator mmap --allocator arena >/dev/null
            ;;
        esac
        for order in source best; do
            [ $order = source ] && given=source || given=$best
            "$program" replay "$file" --order "$given" --repeat 2 -q "$@" >"$work/replay/out.txt"
            awk -v graph="$graph" -v order="$order" '
                /^logical peak/ { logical = $3 }
                table { printf "%s,%s,%s,%s,%s,%s,%s,%s\n", graph, order, $1, logical, $2, $4, $5, $6 == "-" ? "" : $6 }
                $1 == "allocator" { table = 1 }' "$work/replay/out.txt" >>"$csv.new"
            echo "$graph, $order order: replayed" >&2
        done
    done
    mv "$csv.new" "$csv"
    cp "$csv" "$folder/replay.csv"
}

mkdir -p "$work/replay" "$folder"
csv=$work/replay/replay.csv
[ -n "${REPORT:-}" ] || replay_all

{
    echo "# What stays resident"
    echo
    echo "Written by \`make bench-replay\` ($(machine))."
    echo "Kernel $(uname -r | cut -d. -f1,2), $(getconf GNU_LIBC_VERSION 2>/dev/null || echo 'another C library')," \
        "mimalloc $(dpkg-query -W -f '${Version}' libmimalloc2.0 2>/dev/null || echo 'of unknown version')," \
        "pages of $(getconf PAGESIZE) bytes, transparent huge pages off."
    echo "Figures of another machine differ a little, and mimalloc's with its speed: it gives pages back"
    echo "some time after they are free."
    echo
    echo "Networks of the family \`nets\` with their real sizes, weights left out where they are constants."
    echo "Each order is run twice in one process, which takes, writes and gives back every tensor at the"
    echo "moments of the model (alloc-first; \`highwater replay --repeat 2\`), and reads its resident memory"
    echo "while each step runs and after it."
    echo
    echo "- peak: greatest resident memory, of the logical peak of the same order."
    echo "- lag: resident less live bytes after a step, where it is greatest, of the logical peak."
    echo "- end: the same at the end, when every tensor was given back."
    awk -F, '
    NR == 1 { next }
    {
        key = $1 SUBSEP $2
        if (!(key in logical)) { runs[++n] = key; graph[n] = $1; order[n] = $2 }
        logical[key] = $4
        if (!($3 in seen)) { seen[$3] = 1; allocator[++m] = $3 }
        peak[key, $3] = $5; lag[key, $3] = $6; end[key, $3] = $7; height[key, $3] = $8
    }
    function of(bytes, whole) { return whole ? sprintf("%.3f", bytes / whole) : "-" }
    END {
        print ""
        print "## Altogether"
        print ""
        print "| allocator | worst peak | worst lag | worst end | runs whose lag passes a tenth of the peak |"
        print "| --- | ---: | ---: | ---: | ---: |"
        for (a = 1; a <= m; a++) {
            name = allocator[a]
            p = l = e = c = 0
            for (i = 1; i <= n; i++) {
                k = runs[i]
                w = logical[k]
                if (peak[k, name] / w > p) p = peak[k, name] / w
                if (lag[k, name] / w > l) l = lag[k, name] / w
                if (end[k, name] / w > e) e = end[k, name] / w
                c += lag[k, name] / w > 0.1
            }
            printf "| `%s` | %.3f | %.3f | %.3f | %d of %d |\n", name, p, l, e, c, n
        }
        print ""
        print "## Does a better order help the process?"
        print ""
        print "What the best order saves of the source order, logically and of what is resident at most:"
        print ""
        printf "| graph | logical |"
        for (a = 1; a <= m; a++) printf " `%s` |", allocator[a]
        print ""
        printf "| --- | ---: |"
        for (a = 1; a <= m; a++) printf " ---: |"
        print ""
        for (i = 1; i < n; i += 2) {
            s = runs[i]; b = runs[i + 1]
            if (logical[s] == logical[b]) continue
            printf "| %s | %.1f %% |", graph[i], 100 * (1 - logical[b] / logical[s])
            for (a = 1; a <= m; a++) printf " %.1f %% |", 100 * (1 - peak[b, allocator[a]] / peak[s, allocator[a]])
            print ""
        }
        for (a = 1; a <= m; a++) {
            name = allocator[a]
            print ""
            print "## `" name "`"
            print ""
            print "| graph | order | logical peak (MiB) | resident peak (MiB) | peak | lag | end |" (name ~ /^arena/ ? " height |" : "")
            print "| --- | --- | ---: | ---: | ---: | ---: | ---: |" (name ~ /^arena/ ? " ---: |" : "")
            for (i = 1; i <= n; i++) {
                k = runs[i]
                printf "| %s | %s | %.1f | %.1f | %s | %s | %s |", graph[i], order[i], logical[k] / 1048576,
                    peak[k, name] / 1048576, of(peak[k, name], logical[k]), of(lag[k, name], logical[k]), of(end[k, name], logical[k])
                if (name ~ /^arena/) printf " %s |", of(height[k, name], logical[k])
                print ""
            }
        }
    }' "$folder/replay.csv"
    for graph in $PICTURES; do
        [ ! -f "$folder/replay-$graph.svg" ] || printf '\n![Resident and logical memory of %s](replay-%s.svg)\n' "$graph" "$graph"
    done
} >"$folder/replay.md.new"
mv "$folder/replay.md.new" "$folder/replay.md"
