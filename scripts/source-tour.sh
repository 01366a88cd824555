#!/bin/sh
# The list of files in src/README.md, from the first sentence of each file's head:
#
#   sh scripts/source-tour.sh [--check]
#
# A .c and the .h of its name are one line, the sentence that of the .h.  Of gen and solvers only what several share is listed: a
# file that holds the row of a family or a solver is told of by `highwater list`.  --check writes
# nothing and ends with 1 where the list is not current, or the text around it names a file that is gone.
# shellcheck disable=SC2016 # backticks are those of Markdown
set -eu
LC_ALL=C
export LC_ALL
cd "$(dirname "$0")/.."
tour=src/README.md
new=$(mktemp)
trap 'rm -f "$new"' EXIT

# sentence FILE: the first one of its head.
sentence() {
    awk '
        FNR == 1 && !/^\/[*\/]/ { exit }
        { line = $0; last = line ~ /\*\/ *$/ }
        { gsub(/^\/\*+ ?|^ ?\*\/ *$|^ ?\* ?|^\/\/ ?| *\*\/ *$/, "", line) }
        line == "" && text != "" { exit }
        { text = text (text == "" || line == "" ? "" : " ") line }
        last { exit }
        END {
            sub(/ +See [a-z_]+[.]h[.]?$/, "", text)
            end = match(text, /[^ .][.]([ ]|$)/)
            if (end)
                text = substr(text, 1, end)
            print text
        }' "$1"
}

list() {
    for folder in src/*/ gen/ solvers/; do
        folder=${folder%/}
        printf '\n### %s\n\n' "$folder"
        for file in "$folder"/*; do
            name=$(basename "$file")
            case $name in
            *.h) [ ! -f "${file%.h}.c" ] || continue ;;
            *.c | *.cc | *.css | *.js) ;;
            *) continue ;;
            esac
            case $folder in gen | solvers)
                ! grep -Eq '^const hw_(solver|family)_row [a-z_]+ = ' "$file" || continue
                ;;
            esac
            both='' head=$file
            if [ "$file" != "${file%.c}" ] && [ -f "${file%.c}.h" ]; then
                both=' `.h`' head=${file%.c}.h
            fi
            printf -- '- `%s`%s: %s\n' "$name" "$both" "$(sentence "$head")"
        done
    done
}

list >"$new.list"
trap 'rm -f "$new" "$new.list"' EXIT
awk -v part="$new.list" '
    /^<!-- files: end -->/ { inside = 0 }
    !inside { print }
    /^<!-- files: begin/ {
        inside = found = 1
        while ((getline line < part) > 0)
            print line
        print ""
    }
    END { exit !found }' "$tour" >"$new"
if [ "${1:-}" != --check ]; then
    cmp -s "$new" "$tour" || cp "$new" "$tour"
    exit 0
fi
status=0
diff -u "$tour" "$new" || {
    echo "$tour is not current: make tour" >&2
    status=1
}
for file in $(sed '/^<!-- files: begin/,/^<!-- files: end/d' "$tour" CONTRIBUTING.md |
    grep -o '`[a-z_/-]*/[a-z_0-9]*[.][ch]`' | tr -d '`' | sort -u); do
    [ -f "$file" ] || [ "$file" = solvers/fewest_readers.c ] || {
        echo "a text names $file, which is not there" >&2
        status=1
    }
done
exit $status
