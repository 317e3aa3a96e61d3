# The command completes: its first line is the kind of the following lines, which are words,
# unfinished names, folders or file extensions.
function __tessera_complete
    set -l words (commandline -opc)
    # Assignments of variables.
    while string match -qr '^\w+=' -- "$words[1]"
        set -e words[1]
    end
    set -l program (string replace -r '^~/' "$HOME/" -- "$words[1]")
    command -sq -- "$program"; or return
    set -l written (commandline -ct)
    set -l typed (string unescape -- "$written"); or set typed "$written"
    set -l answer ($program ---complete fish $words[2..-1] "$typed" 2>/dev/null)
    switch "$answer[1]"
        case words names
            printf '%s\n' $answer[2..-1]
        case folders files
            # A prefix such as --scenario=.
            set -l lead $answer[2]
            set -l name (string sub -s (math 1 + (string length -- "$lead")) -- "$written")
            set -l endings $answer[3..-1]
            for file in (complete -C "__fish_command_without_completions $name")
                set -l path (string split -m 1 \t -- $file)[1]
                if string match -q '*/' -- $path
                    printf '%s\n' "$lead$path"
                else if test $answer[1] = files
                    if test -z "$endings"; or contains -- (string match -r '[^.]*$' -- $path) $endings
                        printf '%s\n' "$lead$path"
                    end
                end
            end
    end
end
complete -c tessera -f -k -a '(__tessera_complete)'
