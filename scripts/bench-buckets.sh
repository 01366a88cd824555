#!/bin/sh
# Is an order that is best at one size best at another?  sh scripts/bench-buckets.sh PROGRAM WORK RESULTS
#
# Puts every net of the family `nets` through sizes of its images, batches and
# sequences, and random and real graphs through rules by which all tensors grow
# or only some.  Writes RESULTS/buckets.csv (a line a run), buckets.md (what
# they say) and buckets.svg (the regret of the net whose orders suit other
# sizes least).
#
#   NETS="resnet50 ..."   nets to take (all)     TIME=5   seconds a size at most
#   SEEDS=100             random graphs of each family and share
#   GRAPHS=tests/graphs   folder of real graphs  JOBS=2   processors of a solver
set -eu
program=${1:?usage: bench-buckets.sh PROGRAM WORK RESULTS}
work=${2:?usage: bench-buckets.sh PROGRAM WORK RESULTS}/buckets
folder=${3:?usage: bench-buckets.sh PROGRAM WORK RESULTS}
# shellcheck source=scripts/bench-lib.sh
. "$(dirname "$0")/bench-lib.sh"
TIME=${TIME:-5} SEEDS=${SEEDS:-100} GRAPHS=${GRAPHS:-tests/graphs} JOBS=${JOBS:-2}
FAMILIES=${FAMILIES:-layered:n=20 erdos:n=20,degree=1.5 series-parallel:n=20}
all=$("$program" list families --json |
    sed -n 's/.*"name":"net","type":"choice"[^}]*"choices":"\([^"]*\)".*/\1/p' | tr '|' ' ')
NETS=${NETS:-$all}
[ -n "$NETS" ] || fail "the family nets has no net"

mkdir -p "$work" "$folder"
csv=$work/buckets.csv
rm -f "$csv"

# run SECTION LABEL GRAPH ACCOUNTING OPTION...: a line of the table.
run() {
    section=$1 label=$2 graph=$3 accounting=$4
    shift 4
    "$program" buckets "$graph" --accounting "$accounting" --time-limit "$TIME" -j "$JOBS" \
        --summary --times -q "$@" >"$work/last.csv"
    [ -s "$csv" ] || sed 's/^/section,/; q' "$work/last.csv" >"$csv"
    sed -n "2s/^\"[^\"]*\",\"\([^\"]*\)\"/$section,$label,\1/p" "$work/last.csv" >>"$csv"
}

# What may vary in a net (a size that it has not is refused), and how far.
dims() {
    echo batch=1:32
    case $1 in
    *cifar* | *cell*) images=32:128:8 ;;
    *) images=224:512:32 ;;
    esac
    for dim in resolution=$images sequence=128:2048:128; do
        least=${dim%%:*}
        ! "$program" gen "nets:net=$1,$least" -q >"$work/any.json" 2>&1 || echo "$dim"
    done
}

for accounting in alloc-first free-first; do
    for net in $NETS; do
        for mode in inference training; do
            for dim in $(dims "$net"); do
                run nets "$net $mode" "nets:net=$net,mode=$mode" "$accounting" --dim "$dim"
            done
        done
    done
    for family in $FAMILIES; do
        for share in all 0.25 0.5 0.75; do
            rule=some=$share
            [ $share = all ] && rule=all
            i=0
            while [ $i -lt "$SEEDS" ]; do
                run random "${family%%:*} $share" "$family" "$accounting" --dim H=1:8 \
                    --scale "$rule" --index $i --seed $((i + 1))
                i=$((i + 1))
            done
        done
    done
    for graph in "$GRAPHS"/*.json; do
        [ -e "$graph" ] || continue
        stem=$(basename "$graph" .json)
        run real "$stem all" "$graph" "$accounting" --dim H=1:8 --scale all
        for seed in 1 2 3 4 5; do
            run real "$stem 0.5" "$graph" "$accounting" --dim H=1:8 --scale some=0.5 --seed $seed
        done
    done
done
cp "$csv" "$folder/buckets.csv"

# The net whose orders suit other sizes least is drawn.
label='' name=''
drawn=$(awk -F, '$1 == "nets" && $8 == "alloc-first" && ($13 > most) { most = $13; at = $2 "," $3 }
    END { print at }' "$csv")
if [ -n "$drawn" ]; then
    label=${drawn%%,*} name=${drawn#*,}
    for dim in $(dims "${label% *}"); do
        [ "${dim%%=*}" = "$name" ] || continue
        "$program" buckets "nets:net=${label% *},mode=${label#* }" --time-limit "$TIME" \
            -j "$JOBS" --dim "$dim" --draw "$folder/buckets.svg" -q >"$work/drawn.txt"
    done
fi

{
    cat <<END
# Orders at other sizes

Written by \`make bench-buckets\`.  The claim: an order that is best at one input size need not be
best at another, so sizes are cut into buckets, each with an order of its own; or a quick rule
schedules anew at each size.

Every size gets the best order that \`portfolio\` finds within $TIME s; every order found is run at every
size.  Regret: peak above the best one there, in percent.  *Unlucky*: the order of that size which suits
a size least.  *One*: the order that regrets least over all sizes, alone.  *3 buckets*: the best ranges.
*Without*: buckets that leave no regret at all.  *Nearest*: the order of the nearest of as many evenly
spread sizes.  *Greedy*: \`greedy\`, anew at each size.  Worst over the sizes each.  Orders are those that
were found: of equally good ones another may regret less, so *one* and *without* are upper bounds.
Which of equally good orders is found under a limit of seconds may differ from run to run, and with it
every figure here that is not a best peak.

## Verdict

END
    awk -F, '
    $1 == "nets" {
        n++
        proven += $10; sizes += $6
        alike += $11 == $6
        if ($11 == $6 && $15 > 0) broken++
        if ($13 > 0) some++
        if ($15 > 0) none_fits++
        if ($13 > unlucky) { unlucky = $13; who = $2 ", " $3 " (" $8 ")" }
        if ($15 > one) { one = $15; whose = $2 ", " $3 " (" $8 ")" }
        if ($18 > three) three = $18
        if ($20 > free) free = $20
    }
    $1 == "random" && $2 ~ / all$/ { scaled++; if ($13 > 0) lost++ }
    $1 == "random" && $2 !~ / all$/ {
        drawn++
        if ($13 > 0) differ++
        if ($15 > 0) need++
        if ($15 > 10) much++
    }
    END {
        printf "- **All tensors scaled alike.** %d random graphs at 8 sizes, whole factors: ", scaled
        printf "%d with any regret. Every peak is multiplied by the same factor (highwater-buckets(1)).\n", lost
        printf "- **Some tensors scaled.** Of %d random graphs %.1f %% have a best ", drawn, 100 * differ / drawn
        printf "order that is not best at another size, %.1f %% have no order in hand that is best at all ", 100 * need / drawn
        printf "8 sizes, and in %.1f %% the best single order loses over 10 %% somewhere.\n", 100 * much / drawn
        printf "- **Nets.** %d runs (net, mode, dimension, accounting), %d of %d sizes ", n, proven, sizes
        printf "proven best. In %d any order regrets anything; in %d no single order is best at all sizes. ", some, none_fits
        printf "An unlucky order loses at most %.2f %% (%s), the best single one %.2f %%", unlucky, who, one
        if (one > 0) printf " (%s)", whose
        printf "; three buckets %.2f %%, and at most %d buckets leave no regret.\n", three, free
    }' "$csv" | fold -s -w 99 | sed 's/ *$//; s/^\([^-]\)/  \1/'
    cat <<'END'

## Nets

Rows where any order regrets anything; times are medians a size.

| net | varies | accounting | sizes (proven) | unlucky | one | 3 buckets | without | nearest | greedy | portfolio | greedy takes |
| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
END
    awk -F, '
    function ms(s) { return sprintf("%.3f ms", 1000 * s) }
    $1 == "nets" && ($13 > 0 || $23 > 0) {
        printf "| %s | %s %s to %s | %s | %d (%d) | %.2f %% | %.2f %% | %.2f %% | %d | %.2f %% | %.2f %% | %s | %s |\n",
            $2, $3, $4, $5, $8, $6, $10, $13, $15, $18, $20, $21, $23, ms($25), ms($26)
    }' "$csv"
    cat <<'END'

Nets and dimensions where neither any order nor `greedy` regrets anything:
END
    awk -F, '$1 == "nets" && $13 == 0 && $23 == 0 {
        key = $2 " (" $3
        if (!(key in seen)) order[++n] = key
        seen[key]++
        which[key] = which[key] (which[key] ? ", " : "") $8
    }
    END {
        for (i = 1; i <= n; i++)
            printf "%s%s%s)", (i > 1 ? "; " : ""), order[i], (seen[order[i]] == 2 ? "" : "; " which[order[i]] " alone")
        print "."
    }' "$csv" | fold -s -w 100 | sed 's/ *$//'
    cat <<END

![regret of ${label:-no net} at sizes of ${name:-nothing} and the buckets that share an order](buckets.svg)

## Graphs of which all or some tensors grow

H = 1 to 8. A share of the storages, drawn, grows linearly or quadratically; 100 %: all linearly.
$SEEDS instances of each random family; real graphs of \`tests/graphs\` with 5 draws each.

| graphs | share | accounting | runs | with regret | unlucky: median, 95 %, most | one: median, 95 %, most | without: most | greedy: median, most |
| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |
END
    tail -n +2 "$csv" | awk -F, '$1 != "nets" {
        share = $2; sub(/.* /, "", share)
        family = $2; sub(/ [^ ]*$/, "", family)
        if ($1 == "real") family = "real graphs"
        print family "\t" share "\t" $8 "\t" $13 "\t" $15 "\t" $20 "\t" $23
    }' | sort | awk -F'\t' '
    function sorted(a, n,   i, j, t) {
        for (i = 2; i <= n; i++) {
            t = a[i]
            for (j = i - 1; j > 0 && a[j] > t; j--) a[j + 1] = a[j]
            a[j + 1] = t
        }
    }
    function at(a, n, q,   i) { i = int(q * (n - 1) + 0.5) + 1; return a[i] }
    function flush(   i) {
        if (!n) return
        sorted(unlucky, n); sorted(one, n); sorted(greedy, n)
        printf "| %s | %s | %s | %d | %d | %.2f, %.2f, %.2f %% | %.2f, %.2f, %.2f %% | %d | %.2f, %.2f %% |\n",
            f[1], f[2] == "all" ? "100 %" : 100 * f[2] " %", f[3], n, with, at(unlucky, n, 0.5), at(unlucky, n, 0.95),
            unlucky[n], at(one, n, 0.5), at(one, n, 0.95), one[n], free, at(greedy, n, 0.5), greedy[n]
        n = with = free = 0
    }
    {
        key = $1 FS $2 FS $3
        if (key != last) { flush(); split(key, f, FS) }
        last = key
        n++
        unlucky[n] = $4 + 0; one[n] = $5 + 0; greedy[n] = $7 + 0
        with += $4 > 0
        if ($6 > free) free = $6
    }
    END { flush() }'
    echo
    echo "Measured on $(machine)."
} >"$folder/buckets.md"
