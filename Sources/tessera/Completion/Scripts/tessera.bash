# The command completes: its first line is the kind of the following lines, which are words,
# unfinished names, folders or file extensions.
_tessera() {
  local answer ending
  mapfile -t answer < <(
    "${COMP_WORDS[0]/#\~\//$HOME/}" ---complete bash "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null
  )
  COMPREPLY=()
  case ${answer[0]-} in
  words) COMPREPLY=("${answer[@]:1}") ;;
  names)
    compopt -o nospace 2>/dev/null
    COMPREPLY=("${answer[@]:1}")
    ;;
  folders)
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$2")
    ;;
  files)
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(
      if [ ${#answer[@]} -le 2 ]; then
        compgen -f -- "$2"
      else
        compgen -d -- "$2"
        for ending in "${answer[@]:2}"; do compgen -f -X "!*.$ending" -- "$2"; done
      fi
    )
    ;;
  esac
}
complete -F _tessera tessera
