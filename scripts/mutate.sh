#!/bin/sh
# Do the tests notice small mistakes, made at random?  scripts/mutate.awk lists
# those that can be made in each of the files below; of these a sample is drawn,
# each file with a share by its length, and each is compiled, put in the place
# of the right file and run against the test programs that execute its line.
#
#   CC=... FLAGS=... LINK=... LIBS=... OBJECTS=... sh scripts/mutate.sh BUILD_FOLDER
#
# (`make mutate` sets these and builds what is needed.)
#
#   SAMPLE=300   mistakes; each compiles, and to other code than the right file
#   SEED=1       of the sample
#   FILES=...    draw from these alone
#   JOBS=2       at a time
#   SKIP=...     test programs that do not take part
#   LONGEST=20   test programs that take more CPU seconds do not take part
#   BUDGET=30    CPU seconds of tests that a mistake is run against, besides those that caught
#                others in its file or bear its name
#   FRESH=1      forget what earlier calls found out
#
# A test program is given ten times the CPU time that it takes otherwise, and
# three seconds: time that runs out counts as caught, told apart by "(time)".
#
# tests/survivors.txt holds mistakes that no test can or need catch, and why,
# in entries set apart by empty lines:
#
#   file solvers/exact.c
#   line if (a < b)            the line as it stands in the file
#   mutation relation < -> <=  as it is printed here
#   why ...                    further lines up to the next empty one belong to it
#
# An entry whose line is gone is an error.  Exit status 1 where a mistake
# survives without an entry, or fewer than 95 in 100 of the others are caught.
#
# What earlier calls caught is kept (by name and content of the file), what
# survived is run again.  How: the library as a shared one and, in front of it,
# a library of the changed file alone, whose functions are found first.
# shellcheck disable=SC3013,SC3045 # -nt, ulimit -t and -v: dash, bash and ksh have them
# shellcheck disable=SC2010,SC2012,SC2094 # names of the repository hold no blanks
set -u

sampled_files() {
    ls src/model/*.c src/check/*.c src/proof/*.c solvers/exact*.c solvers/dp*.c solvers/enumerate.c \
        solvers/backtrack*.c solvers/series_parallel*.c solvers/liu.c solvers/bound*.c
}

# A mistake made in a file: edits in $1 and $2 ("-": none).
plant() {
    awk -v first="$1" -v second="$2" '
        function change(l, e,    at, c, n) {
            at = index(e, ":"); e = substr(e, at + 1)
            at = index(e, ":"); c = substr(e, 1, at - 1); e = substr(e, at + 1)
            at = index(e, ":"); n = substr(e, 1, at - 1); e = substr(e, at + 1)
            return substr(l, 1, c - 1) e substr(l, c + n)
        }
        {
            text = $0
            if (second != "-" && second + 0 == NR) text = change(text, second) # the later one first
            if (first + 0 == NR) text = change(text, first)
            print text
        }' "$3"
}

compile() { # FLAGS FILE OBJECT, from standard input; asserts and __FILE__ name the file
    { echo "# 1 \"$2\""; cat; } | eval "$CC $FLAGS -O1 -g0 -w $1 -x c -c - -o '$3'" 2>/dev/null
}

# CPU seconds of a shell's children, from what its `times` said.
used() { awk 'END { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); s += 60 * t[1] + t[2] } print s }' "$1"; }

# --cover OUT NAME: which lines of the sampled files a test program executes, and how long it takes;
# once for each content of its object file.
if [ "$1" = --cover ]; then
    out=$2 name=$3 data=$2/cover/data/$3
    sum=$(cksum <"$out/../tests/$name.o")
    grep -qs "^[0-9.]*$\|^long$" "$out/cover/$name.time" && [ "$sum" = "$(cat "$out/cover/$name.sum" 2>/dev/null)" ] && exit 0
    rm -rf "$data"
    mkdir -p "$data/tmp" "$out/cover/tests"
    cp -l "$out"/cover/objects/*.gcno "$data/"
    ln -f "$out/tests/$name" "$out/cover/tests/$name"
    (
        ulimit -t $((3 * LONGEST))
        ulimit -v "$MEMORY"
        TMPDIR=$data/tmp GCOV_PREFIX=$data GCOV_PREFIX_STRIP=99 \
            LD_LIBRARY_PATH=$out/cover:$out timeout -s KILL 900 "$out/cover/tests/$name" >"$data/log" 2>&1
    )
    status=$?
    times >"$data/times"
    seconds=$(used "$data/times")
    if [ "$status" != 0 ]; then
        case $status in
        124 | 137 | 152) said=long ;;
        *) said="fails without any mistake, and does not take part: $data.log" && cp "$data/log" "$data.log" ;;
        esac
    elif awk "BEGIN { exit !($seconds > $LONGEST) }"; then
        said=long
    else
        # "path line count", count "-": executed; of lines that nothing is compiled to, none.
        gcov -t "$data"/*.gcda 2>/dev/null | awk -F : '
            $2 + 0 == 0 && $3 == "Source" { file = $4; next }
            { sub(/^ +/, "", $1); line = $2 + 0 }
            line > 0 && $1 != "-" { print file, line, ($1 ~ /^[#=]/ ? 0 : 1) }' |
            sort -u >"$out/cover/$name.lines"
        if awk "BEGIN { exit !($seconds > 1) }"; then
            ( # once more, as nothing is counted later
                TMPDIR=$data/tmp LD_LIBRARY_PATH=$out "$out/tests/$name" >"$data/log" 2>&1
                times >"$data/times"
            )
        fi
        said=$(used "$data/times")
    fi
    rm -rf "$data" "$out/cover/tests/$name"
    echo "$sum" >"$out/cover/$name.sum"
    echo "$said" >"$out/cover/$name.time"
    echo "$name: $said"
    exit 0
fi

# --choose OUT FILE N: compile mistakes in random order until there are N.
if [ "$1" = --choose ]; then
    out=$2 file=$3 wanted=$4 flat=$(echo "$3" | tr / _)
    folder=$out/chosen/$flat
    sum=$(cksum <"$file" | tr ' ' -)
    # `had` counts candidates looked at; kept from earlier calls as long as the file stays the same.
    [ "$(cat "$folder/sum" 2>/dev/null)" = "$sum-$SEED" ] || rm -rf "$folder"
    mkdir -p "$folder"
    echo "$sum-$SEED" >"$folder/sum"
    compile '' "$file" "$folder/right.o" <"$file" || { echo "$file does not compile"; exit 1; }
    awk -f scripts/mutate.awk -v seed="$SEED" -v path="$file" "$file" | sort >"$folder/all"
    had=$(cat "$folder/had" 2>/dev/null || echo 0)
    touch "$folder/list" "$folder/dropped"
    n=$(wc -l <"$folder/list")
    tab=$(printf '\t')
    tail -n +$((had + 1)) "$folder/all" | while [ "$n" -lt "$wanted" ] && IFS=$tab read -r _ op line where first second name text; do
        had=$((had + 1))
        plant "$first" "$second" "$file" >"$folder/planted.c"
        if ! compile '' "$file" "$folder/planted.o" <"$folder/planted.c"; then
            echo "does not compile$tab$name" >>"$folder/dropped"
        elif cmp -s "$folder/right.o" "$folder/planted.o"; then
            echo "same code$tab$name" >>"$folder/dropped"
        else
            n=$((n + 1))
            printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$file" "$op" "$line" "$where" "$first" "$second" "$name" "$text" >>"$folder/list"
        fi
        echo $had >"$folder/had"
    done
    rm -f "$folder/planted.c" "$folder/planted.o"
    exit 0
fi

# --one OUT NUMBER: run one of the sample.
if [ "$1" = --one ]; then
    out=$2
    tab=$(printf '\t')
    IFS=$tab read -r file op line where first second name text <<X
$(sed -n "$3p" "$out/sample")
X
    id=$(printf '%s' "$file $name $text $line" | cksum | tr ' ' -)-$(cksum <"$file" | cut -d ' ' -f 1)
    result=$out/results/$id
    grep -qs '^caught' "$result" && exit 0
    # What has survived and is explained.
    grep -qs '^SURVIVED' "$result" && F="file $file" L="line $text" M="mutation $name" awk '
        $0 == ENVIRON["F"] { n = 1; next }
        n == 1 && $0 == ENVIRON["L"] { n = 2; next }
        n == 2 && $0 == ENVIRON["M"] { found = 1 }
        { n = 0 }
        END { exit !found }' tests/survivors.txt && exit 0
    folder=$out/run/$3
    rm -rf "$folder"
    mkdir -p "$folder/tmp" "$folder/tests"
    say() {
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$file" "$line" "$op" "$name" "$text" >"$result"
        printf '%-8s %s:%s: %s (%s)\n' "$1" "$file" "$line" "$name" "$2"
        rm -rf "$folder"
        exit 0
    }
    plant "$first" "$second" "$file" | compile '' "$file" "$folder/planted.o" || say error 'does not compile'
    case $file in
    src/check/*)
        set --
        for other in src/check/*.c; do
            [ "$other" = "$file" ] || set -- "$@" "$out/../${other%.c}.o"
        done
        eval "$CC $FLAGS $LINK" '-o "$folder/highwater-check" "$folder/planted.o" "$@"' "$LIBS" || say error 'does not link'
        libraries=$out
        ;;
    *)
        eval "$CC $FLAGS $LINK -shared -o '$folder/libmutant.so' '$folder/planted.o'" || say error 'does not link'
        libraries=$folder:$out
        ;;
    esac
    # The last line at or above this one to which code belongs; in front of the
    # first one of a file stand constants, which any test of the file may meet.
    # First those that are quick for how often they caught mistakes in this file or folder; those
    # that did so in this file, or are named after it, whatever they take.
    awk -v file="$file" -v line="$line" -v where="$where" '
        function folder(f) { sub(/[^\/]*$/, "", f); return f }
        BEGIN { stem = file; sub(/.*\//, "", stem); sub(/\.c$/, "", stem); here = folder(file) }
        function wanted(t) {
            if (in_file[t]) return 1
            sub(/^test_/, "", t)
            return index(t, stem) == 1 || index(stem, t) == 1
        }
        FILENAME ~ /\/caught$/ { in_file[$1] += $2 == file; in_folder[$1] += folder($2) == here; next }
        FILENAME ~ /\/times$/ { seconds[$1] = $2; next }
        { at[$2] = 1; if ($3) runs[$4, $2] = 1; if ($3) any[$4] = 1 }
        END {
            for (l = line; l > 0 && !(l in at); l--) ;
            for (t in any)
                if (where == "file" || ((t, l) in runs))
                    print seconds[t] / (1 + 4 * in_file[t] + in_folder[t]), seconds[t], wanted(t), t | "sort -g"
        }' "$out/caught" "$out/times" "$out/lines/$(echo "$file" | tr / _)" |
        awk -v most="${BUDGET:-30}" '$3 || (all += $2) <= most { print $4 }' >"$folder/order"
    case $file in
    src/check/*) ;; # the command line's tests, below, may run it
    *) [ -s "$folder/order" ] || say SURVIVED 'no test runs this line' ;;
    esac
    run() { # seconds in $limit
        (
            ulimit -t "$limit"
            ulimit -v "$MEMORY"
            TMPDIR=$folder/tmp LD_LIBRARY_PATH=$libraries timeout -s KILL $((10 * limit)) "$program"
        ) >"$folder/log" 2>&1
    }
    n=0
    while read -r test; do
        n=$((n + 1))
        program=$out/tests/$test
        case $file in src/check/*) ln "$program" "$folder/tests/$test" && program=$folder/tests/$test ;; esac
        limit=$(awk -v t="$test" '$1 == t { printf "%d", 10 * $2 + 3 }' "$out/times")
        # A failure counts where it comes twice: tests that measure time fail now and then where
        # the machine is busy.
        run
        status=$?
        case $status in
        0 | 124 | 1[3-9]?) ;; # passed, ran out of time or crashed
        *)
            run
            status=$?
            ;;
        esac
        if [ $status != 0 ]; then
            echo "$test $file" >>"$out/caught"
            case $status in 124 | 137 | 152) test="$test (time)" ;; esac
            say caught "$test"
        fi
    done <"$folder/order"
    case $file in
    src/check/*) # a program of its own: the command line's tests of it
        ln "$out"/highwater "$out"/highwater-onnx-shapes "$folder/" 2>/dev/null
        # shellcheck disable=SC2046 # names of tests
        LD_LIBRARY_PATH=$out timeout 300 sh tests/cli/run.sh "$folder/highwater" \
            $(grep -l highwater-check tests/cli/*/cmd | sed 's|tests/cli/||; s|/cmd||') >"$folder/log" 2>&1 ||
            say caught tests/cli
        n=$((n + 1))
        ;;
    esac
    say SURVIVED "$n tests pass"
fi

mkdir -p "$1/mutate"
out=$(cd "$1/mutate" && pwd)
SAMPLE=${SAMPLE:-300} SEED=${SEED:-1} JOBS=${JOBS:-2} LONGEST=${LONGEST:-20}
MEMORY=8000000 # KiB of address space for a test program
export SEED LONGEST MEMORY
[ -z "${FRESH:-}" ] || rm -rf "$out"
mkdir -p "$out/tests" "$out/cover/objects" "$out/chosen" "$out/results" "$out/run"
: "${FILES:=$(sampled_files)}"

# The programs, with the library as two shared ones, the first of them empty.
if ! [ "$out/libhw.so" -nt "$1/libhighwater.a" ]; then
    eval "$CC $FLAGS $LINK -shared -g0 -o '$out/libhw.so' $OBJECTS $LIBS" || exit 1
    eval "$CC $FLAGS -w -shared -o '$out/libmutant.so' -x c /dev/null" || exit 1
fi
for program in "$1"/highwater-*; do
    cp -pu "$program" "$out/"
done
link() { eval "$CC $FLAGS $LINK" '-g0 -s -o "$@"' "-Wl,--no-as-needed -L'$out' -lmutant -lhw $LIBS" || exit 1; }
[ "$out/highwater" -nt "$1/highwater" ] || link "$out/highwater" "$1"/src/cli/*.o
for test in tests/test_*.c; do
    test=$(basename "$test" .c)
    [ "$out/tests/$test" -nt "$1/tests/$test" ] && continue
    if [ "$test" = test_fuzz ]; then # with what is fuzzed
        link "$out/tests/$test" "$1/tests/$test.o" "$1"/tests/support*.o "$1"/tests/fuzz/*.o "$1"/tests/fuzz/*/*.o
    else
        link "$out/tests/$test" "$1/tests/$test.o" "$1"/tests/support*.o
    fi
done

# The same, counting executed lines of the files in question.  Where one has changed, the tests
# that run it are looked at again; all of them, if none is known to.
for file in $(sampled_files); do
    object=$out/cover/objects/$(echo "${file%.c}" | tr / _).o
    sum=$(cksum <"$file")
    [ "$sum" = "$(cat "$object.sum" 2>/dev/null)" ] && continue
    eval "$CC $FLAGS -O1 -g0 -w --coverage -c '$file' -o '$object'" || exit 1
    rm -f "$out/cover/libhw.so"
    known=$(grep -ls "^$file " "$out"/cover/*.lines)
    for lines in ${known:-"$out"/cover/*.lines}; do
        rm -f "${lines%.lines}.time"
    done
    echo "$sum" >"$object.sum"
done
if ! [ "$out/cover/libhw.so" -nt "$out/libhw.so" ]; then
    others=
    for object in $OBJECTS; do
        [ -e "$out/cover/objects/$(echo "${object#"$1"/}" | tr / _)" ] || others="$others $object"
    done
    counted=$(ls "$out"/cover/objects/*.o | grep -v '/src_check_[^/]*$' | tr '\n' ' ')
    eval "$CC $FLAGS $LINK --coverage -shared -g0 -o '$out/cover/libhw.so' $counted $others $LIBS" || exit 1
    eval "$CC $FLAGS $LINK --coverage -g0 -o '$out/cover/highwater-check' '$out'/cover/objects/src_check_*.o $LIBS" || exit 1
    ln -f "$out"/highwater "$out"/highwater-onnx-shapes "$out/cover/" 2>/dev/null
fi
for test in "$out"/tests/*; do
    test=$(basename "$test")
    case " ${SKIP:-} " in *" $test "*) ;; *) echo "$test" ;; esac
done >"$out/programs"
echo "which lines the tests run:"
xargs -P "$JOBS" -I '{}' sh "$0" --cover "$out" '{}' <"$out/programs"
rm -rf "$out/lines"
mkdir "$out/lines"
while read -r test; do
    seconds=$(cat "$out/cover/$test.time")
    case $seconds in long | fails*) continue ;; esac
    awk "BEGIN { exit !($seconds > $LONGEST) }" && continue
    echo "$test $seconds" >&3
    sed "s/\$/ $test/" "$out/cover/$test.lines"
done <"$out/programs" 3>"$out/times" | awk -v out="$out/lines/" '{ f = $1; gsub("/", "_", f); print >(out f) }'

# Each file its share, at least one, by length.
for file in $FILES; do
    echo "$(wc -l <"$file") $file"
done | awk -v sample="$SAMPLE" '{ n[NR] = $1; f[NR] = $2; all += $1 }
    END { for (i = 1; i <= NR; i++) { part = int(sample * n[i] / all + 0.5); print f[i], part ? part : 1 } }' >"$out/shares"
xargs -P "$JOBS" -L 1 sh "$0" --choose "$out" <"$out/shares" || exit 1
while read -r file share; do
    head -n "$share" "$out/chosen/$(echo "$file" | tr / _)/list"
done <"$out/shares" >"$out/sample"
touch "$out/caught"
# Of all files in turn, so that one that is stopped early has seen them all.
awk '{ print NR * 7919 % 10007, NR }' "$out/sample" | sort -n | cut -d ' ' -f 2 | xargs -P "$JOBS" -I '{}' sh "$0" --one "$out" '{}'

# What came out, and what is known of the survivors.
tab=$(printf '\t')
while IFS=$tab read -r file op line where first second name text; do
    cat "$out/results/$(printf '%s' "$file $name $text $line" | cksum | tr ' ' -)-$(cksum <"$file" | cut -d ' ' -f 1)"
done <"$out/sample" >"$out/outcome"
awk -F "$tab" -v known=tests/survivors.txt '
    function entry() {
        if (file != "") why[file "\t" mutation "\t" text] = 1
        file = ""
    }
    BEGIN {
        while ((getline l < known) > 0) {
            if (l == "") entry()
            else if (l ~ /^file /) { file = substr(l, 6) }
            else if (l ~ /^line /) text = substr(l, 6)
            else if (l ~ /^mutation /) mutation = substr(l, 10)
        }
        entry()
        for (k in why) {
            split(k, part, "\t")
            found = 0
            while ((getline l < part[1]) > 0) {
                gsub(/^[ \t]+|[ \t]+$/, "", l)
                if (l == part[3]) { found = 1; break }
            }
            close(part[1])
            if (!found) { print known ": " part[1] " has no such line any more: " part[3]; bad = 1 }
        }
    }
    {
        n++; of_file[$3]++; of_op[$5]++
        if ($1 == "caught") { caught++; caught_file[$3]++; caught_op[$5]++; slow += $2 ~ /\(time\)$/ }
        else if ($1 == "SURVIVED" && (($3 "\t" $6 "\t" $7) in why)) { explained++; explained_file[$3]++; explained_op[$5]++ }
        else { left++; print $1 "  " $3 ":" $4 ": " $6 " (" $2 ")"; print "    " $7 }
    }
    END {
        print ""
        print "caught / explained / of: file, operator"
        for (f in of_file) printf "%4d %4d %4d  %s\n", caught_file[f], explained_file[f], of_file[f], f | "sort -k4"
        close("sort -k4")
        for (o in of_op) printf "%4d %4d %4d  %s\n", caught_op[o], explained_op[o], of_op[o], o | "sort -k4"
        close("sort -k4")
        share = n > explained ? 100 * caught / (n - explained) : 100
        printf "%d mistakes: %d caught (%d by time), %d explained, %d neither; %.1f %% of those that are not explained caught\n", n, caught, slow, explained, left, share
        exit bad || left > 0 || share < 95
    }' "$out/outcome"
