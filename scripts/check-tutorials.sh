#!/bin/sh
# Tests of the tour in README.md and of the tutorials (man/highwater-tutorial-*.7.md): every command is
# run, and what is printed there is what it prints.
#
#   sh scripts/check-tutorials.sh [--update] PROGRAM [FILE...]
#
# Blocks of a text, each between two lines of ```:
#   console     a session: "$ COMMAND", on several lines where they end with \, then all that it prints on
#               standard output and standard error.  The commands of a text are run in order in one folder,
#               fresh and empty, and each ends with 0
#   any other   comes after a comment that says what it is:
#               <!-- file NAME -->        written to NAME before what follows is run
#               <!-- file NAME = PATH --> that, and the same bytes as PATH, from the top of the sources
#               <!-- run by PATH: ... --> not a session: the script PATH, from the top of the sources, runs it
# and a comment may stand by itself:
#               <!-- picture NAME = PATH --> the last command wrote NAME, the same picture as PATH
#               <!-- take NAME = PATH -->    NAME is a copy of PATH, a file that is no text
#               <!-- needs COMMAND -->       where the command fails, the rest of the text is skipped
# Times vary from run to run; they are compared as times, whatever their value (`same`), and nothing else is.
# --update puts what commands print, files and pictures into the texts where they differ.
# PROGRAM is highwater, built or installed; highwater-check is beside it.  Prints TAP, a line a command.
set -u
LC_ALL=C
export LC_ALL
update=
if [ "${1:-}" = --update ]; then
    update=yes
    shift
fi
program=${1:?usage: check-tutorials.sh [--update] PROGRAM [FILE...]}
shift
scripts=$(cd "$(dirname "$0")" && pwd) || exit 1
top=$(dirname "$scripts")
if [ $# = 0 ]; then
    set -- "$top/README.md" "$top"/man/highwater-tutorial-*.7.md
fi
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' HUP INT TERM
beside=$(cd "$(dirname "$(command -v "$program")")" && pwd) || exit 1
mkdir "$scratch/bin"
ln -s "$beside/$(basename "$program")" "$scratch/bin/highwater"
ln -s "$beside/highwater-check" "$scratch/bin/highwater-check"
PATH=$scratch/bin:$PATH
export PATH

number=0 failed=0

# verdict NAME REASON: print one TAP line; an empty reason is a pass.
verdict() {
    number=$((number + 1))
    if [ -z "$2" ]; then
        printf 'ok %s - %s\n' "$number" "$1"
    else
        failed=$((failed + 1))
        printf 'not ok %s - %s: %s\n' "$number" "$1" "$2"
    fi
}

# same FILE: it with the word TIME for each time, a number and ns, us, µs, ms or s, or minutes:seconds; blanks
# behind one may be more or fewer.
same() {
    awk '{
        timed = gsub(/[0-9]+([.][0-9]+)?(e-?[0-9]+)? ?(ns|us|µs|ms|s)([^A-Za-z0-9_]|$)/, "TIME ")
        timed += gsub(/ in [0-9]+:[0-9][0-9]/, " in TIME")
        if (timed)
            gsub(/ +/, " ")
        sub(/ +$/, "")
        print
    }' "$1"
}

# split_text TEXT FOLDER: the parts of a text as files of FOLDER, numbered in their order:
#   N.text  lines to be copied          N.file  a block to be written, its name in N.name, its path in N.path
#   N.run   a command                   N.said  what it printed
#   N.picture  "NAME PATH"              N.other a block that is run elsewhere, the script in N.path
#   N.take  "NAME PATH"                 N.needs a command
#   bad     what is wrong with the text
split_text() {
    awk -v folder="$2" '
        function part(kind) {
            if (target != "")
                close(target)
            target = sprintf("%s/%04d.%s", folder, ++parts, kind)
            printf "" > target
        }
        function beside(kind, text) {
            name = sprintf("%s/%04d.%s", folder, parts, kind)
            print text > name
            close(name)
        }
        function bad(text) { print FNR ": " text > (folder "/bad") }
        BEGIN { part("text") }
        !block && /^ *```/ && $0 !~ /^```/ { bad("a block that does not begin its line") }
        !block && /^(    |\t) *(\$|highwater|make|sh) / { bad("commands stand in a block of ```console") }
        !block && /^<!-- file [^ ]+ (= [^ ]+ )?-->$/ { wanted = "file"; name_of = $3; path_of = $4 == "=" ? $5 : "" }
        !block && /^<!-- run by [^ ]+: .*-->$/ { wanted = "other"; path_of = $4; sub(/:$/, "", path_of) }
        !block && /^<!-- (picture|take) [^ ]+ = [^ ]+ -->$/ {
            print > target
            part($2)
            print $3, $5 > target
            part("text")
            next
        }
        !block && /^<!-- needs .* -->$/ {
            print > target
            part("needs")
            sub(/^<!-- needs /, "")
            sub(/ -->$/, "")
            print > target
            part("text")
            next
        }
        !block && /^```/ {
            print > target
            block = $0 == "```console" ? "console" : wanted
            if (!block) {
                bad("a block that is neither a session nor said to be anything else")
                block = "other"
                path_of = ""
            }
            if (block != "console") {
                part(block)
                if (block == "file")
                    beside("name", name_of)
                beside("path", path_of)
            }
            wanted = ""
            first = 1
            next
        }
        block && /^```/ {
            if (block == "console" && first)
                bad("a session without a command")
            block = ""
            part("text")
            print > target
            next
        }
        block == "console" && continued { print > target; continued = /\\$/; if (!continued) part("said"); next }
        block == "console" && /^\$ / {
            part("run")
            print > target
            # Here each has a shell of its own; whoever types them has one for all.
            if (/^\$ (.*[;&] *)?cd /)
                bad("a command that leaves the folder: the next ones would run elsewhere")
            continued = /\\$/
            if (!continued)
                part("said")
            first = 0
            next
        }
        block == "console" && first { bad("a session begins with a command"); first = 0 }
        { print > target }
        END { if (block) bad("a block without an end") }
    ' "$1"
}

# copied FILE PATH: FILE holds the bytes of PATH, or is made to.
copied() {
    cmp -s "$1" "$top/$2" && return 0
    [ -n "$update" ] && cp "$top/$2" "$1"
}

run_text() {
    text=$1
    title=$(basename "$text")
    parts=$scratch/parts work=$scratch/work
    rm -rf "$parts" "$work"
    mkdir "$parts" "$work"
    split_text "$text" "$parts"
    reason=
    if [ -e "$parts/bad" ]; then
        sed 's/^/# line /' "$parts/bad"
        reason="it cannot be followed"
    elif [ -z "$(find "$parts" -name '*.run')" ]; then
        reason="it has no command"
    fi
    verdict "$title: its blocks" "$reason"
    [ -z "$reason" ] || return
    for part in "$parts"/*.run "$parts"/*.file "$parts"/*.picture "$parts"/*.other "$parts"/*.take "$parts"/*.needs; do
        [ -e "$part" ] && echo "$part"
    done | sort >"$parts/list"
    while IFS= read -r part <&3; do
        base=${part%.*}
        reason=
        case $part in
        *.run)
            said=$(printf '%s/%04d.said' "$parts" "$(($(basename "$base" | sed 's/^0*//') + 1))")
            command=$(sed '1s/^\$ //' "$part")
            (cd "$work" && exec timeout 120 sh -c "$command") >"$scratch/said" 2>&1 </dev/null ||
                reason="exit status $?: $(tail -n 1 "$scratch/said")"
            [ -z "$(tail -c 1 "$scratch/said")" ] || echo >>"$scratch/said"
            same "$said" >"$scratch/expected"
            same "$scratch/said" >"$scratch/found"
            if ! cmp -s "$scratch/expected" "$scratch/found"; then
                if [ -n "$update" ]; then
                    cp "$scratch/said" "$said"
                else
                    reason="$reason; it prints something else"
                    diff "$scratch/expected" "$scratch/found" | head -n 20 | sed 's/^/# /'
                fi
            fi
            verdict "$title: $(sed -n '1s/^\$ //p' "$part")" "${reason#; }"
            ;;
        *.file)
            path=$(cat "$base.path")
            name=$(cat "$base.name")
            [ -z "$path" ] || copied "$part" "$path" || reason="it is not $path"
            [ -z "$path" ] || verdict "$title: $name is $path" "$reason"
            cp "$part" "$work/$name"
            [ ! -x "$top/$path" ] || chmod +x "$work/$name"
            ;;
        *.picture)
            read -r name path <"$part"
            if ! cmp -s "$work/$name" "$top/$path"; then
                if [ -n "$update" ]; then
                    cp "$work/$name" "$top/$path"
                else
                    reason="it differs"
                fi
            fi
            verdict "$title: $name is $path" "$reason"
            ;;
        *.take)
            read -r name path <"$part"
            cp "$top/$path" "$work/$name" || reason="there is no $path"
            verdict "$title: $name is $path" "$reason"
            ;;
        *.needs)
            if ! (cd "$work" && sh "$part") >/dev/null 2>&1; then
                number=$((number + 1))
                printf 'ok %s - %s: the rest # SKIP here fails: %s\n' "$number" "$title" "$(cat "$part")"
                break
            fi
            ;;
        *.other)
            path=$(cat "$base.path")
            grep -v '^ *$' "$part" | sed 's/ *#.*//' >"$scratch/lines"
            while IFS= read -r line; do
                grep -Fq -e "$line" "$top/$path" || reason="$path does not have '$line'"
            done <"$scratch/lines"
            verdict "$title: what $path runs" "$reason"
            ;;
        esac
    done 3<"$parts/list"
    if [ -n "$update" ]; then
        rm -f "$parts"/*.name "$parts"/*.path "$parts"/*.picture "$parts"/*.take "$parts"/*.needs "$parts/list"
        cat "$parts"/* >"$scratch/text"
        cmp -s "$scratch/text" "$text" || cp "$scratch/text" "$text"
    fi
}

for text; do
    run_text "$text"
done
echo "1..$number"
echo "# $((number - failed)) passed, $failed failed"
[ "$failed" = 0 ]
