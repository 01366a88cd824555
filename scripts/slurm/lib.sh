# Submitting parts of a campaign: read by merge.sh and task.sh, after its settings.
# shellcheck shell=sh disable=SC2154 # the settings are read by who reads this

# The greatest number of tasks of an array job here.
array_limit() {
    limit=$(scontrol show config | sed -n 's/^MaxArraySize *= *\([0-9]*\).*/\1/p')
    [ "${limit:-0}" -gt 1 ] || {
        echo "this cluster takes no array jobs (MaxArraySize)" >&2
        return 1
    }
    echo "$limit"
}

# array_lines LIMIT: from numbers of parts, one a line and rising, lines "OFFSET
# INDICES": index i of such an array job is part OFFSET + i.  Indices stay below
# the limit, and runs of them are written as such.
array_lines() {
    awk -v limit="$1" '
        function end_run() {
            if (first == "") return
            list = list (list == "" ? "" : ",") (last > first ? first "-" last : first)
            first = ""
        }
        function end_line() {
            end_run()
            if (list != "") print offset, list
            list = ""
        }
        {
            here = int(($1 - 1) / (limit - 1)) * (limit - 1)
            if (here != offset) end_line()
            offset = here
            index_of = $1 - offset
            if (first != "" && index_of == last + 1) last++
            else { end_run(); first = last = index_of }
        }
        END { end_line() }'
}

# submit_parts FOLDER ROUND: the parts on standard input as array jobs, and a
# job behind them all that merges.
submit_parts() {
    array_lines "$(array_limit)" >"$1/logs/arrays-$2"
    after=
    while read -r offset indices; do
        # shellcheck disable=SC2086 # $more is a list of options
        job=$(sbatch --parsable --job-name="highwater-$(basename "$1")" \
            --array="$indices${at_once:+%$at_once}" --cpus-per-task="$cpus" --mem="$memory" \
            --time="$time" ${partition:+--partition="$partition"} --requeue --open-mode=append \
            --signal=B:TERM@60 --output="$1/logs/round-$2-part-$offset+%a.txt" $more \
            "$scripts/task.sh" "$1" "$offset") || return 1
        after=$after:${job%%;*}
    done <"$1/logs/arrays-$2"
    # shellcheck disable=SC2086
    job=$(sbatch --parsable --job-name="highwater-merge-$(basename "$1")" \
        --dependency="afterany$after" --cpus-per-task=1 --mem="$merge_memory" \
        --time="$merge_time" ${partition:+--partition="$partition"} --requeue --open-mode=append \
        --output="$1/logs/round-$2-merge.txt" $more "$scripts/merge.sh" "$1" "$(($2 + 1))") ||
        return 1
    echo "round $2: array jobs ${after#:}, merging job ${job%%;*}"
}
