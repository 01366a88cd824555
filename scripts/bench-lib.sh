# shellcheck shell=sh
# Shell functions that the benches of the exact solver share.

swept=0 # what the last sweep ended with

fail() {
    echo "$(basename "$0" .sh): $*" >&2
    exit 2
}

# same_program PROGRAM RESULTS: go on with RESULTS only if this very program
# wrote them; figures of two programs in one table would be of neither.
same_program() {
    mark=$2.program
    sum=$(sha256sum <"$1")
    if [ -n "${FRESH:-}" ]; then
        rm -f "$2" "$mark"
    elif [ -s "$2" ] && [ "$(cat "$mark" 2>/dev/null)" != "$sum" ]; then
        fail "$2 was written by another build of highwater: FRESH=1 begins anew"
    fi
    echo "$sum" >"$mark"
}

# sweep PROGRAM SUITE RESULTS: run what is missing.  Status 1 (a contradiction)
# and a stop by a signal leave results to be summed up: they are returned.
sweep() {
    trap : INT TERM
    "$1" bench "$2" -o "$3" --resume -j "${JOBS:-1}" || swept=$?
    trap - INT TERM
    [ -s "$3" ] || exit "$swept"
}

fewer_rows() {
    echo "$(basename "$0" .sh): HW_SHARED is not set: graphs outside the repository have no rows" >&2
}

# find_shared: HW_SHARED becomes the folder of those graphs, where there is one.
find_shared() {
    if [ -z "${HW_SHARED:-}" ] && [ -d ../shared/graphs ]; then
        HW_SHARED=../shared
    fi
    [ -n "${HW_SHARED:-}" ] || fewer_rows
}

# Where and by what: "gcc 12.2.0 ..., 2 x CPU name".
machine() {
    cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
    echo "${cpu:-unknown processor}, ${JOBS:-1} of $(getconf _NPROCESSORS_ONLN) processors used"
}
