# Completion of highwater for bash: asks `highwater complete`, which knows all
# commands, options, solvers and families.

_highwater() {
    local line=${COMP_LINE:0:COMP_POINT} rest word kind breaks kept='' current i
    local -a words=()
    COMPREPLY=()

    # Words between blanks: bash has cut them at = and : as well.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        rest=${line#"${line%%[![:space:]]*}"}
        word=${COMP_WORDS[i]}
        ((i < COMP_CWORD)) || word=$rest
        if ((i > 0)) && [[ $rest == "$line" ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
        line=${rest#"$word"}
    done
    current=${words[${#words[@]} - 1]}

    {
        read -r kind
        while IFS=$'\t' read -r word _; do
            COMPREPLY+=("$word")
            [[ $word != *= ]] || compopt -o nospace 2>/dev/null
        done
    } < <("${1/#\~\//$HOME/}" complete -- "${words[@]:1}" 2>/dev/null)

    # What bash has cut off stands there already.
    breaks=${COMP_WORDBREAKS//[^=:]/}
    [[ -z $breaks ]] || kept=${current%"${current##*["$breaks"]}"}
    ((${#COMPREPLY[@]} == 0)) || COMPREPLY=("${COMPREPLY[@]#"$kept"}")

    case $kind in
    files)
        if ((${#COMPREPLY[@]} == 0)); then
            compopt -o default 2>/dev/null
        else
            compopt -o filenames 2>/dev/null
            while IFS= read -r word; do COMPREPLY+=("$word"); done \
                < <(compgen -f -- "${current#"$kept"}")
        fi
        ;;
    folders) compopt -o dirnames 2>/dev/null ;;
    esac
}

complete -F _highwater highwater
