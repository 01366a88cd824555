# Completion of highwater for fish: asks `highwater complete`, which knows all
# commands, options, solvers and families.

function __highwater_words
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($typed[1] complete -- $typed[2..-1] "$current" 2>/dev/null)
    set -q lines[1]; or return
    set -q lines[2]; and printf '%s\n' $lines[2..-1]
    # Of --option=FILE the option stays in front.
    set -l kept (string match --regex -- '^--[^=]*=' "$current")
    set -l begun (string replace --regex -- '^--[^=]*=' '' "$current")
    switch $lines[1]
        case files
            printf "$kept%s\n" (__fish_complete_path "$begun")
        case folders
            printf "$kept%s\n" (__fish_complete_directories "$begun" Folder)
    end
end

complete -c highwater -f -a '(__highwater_words)'
