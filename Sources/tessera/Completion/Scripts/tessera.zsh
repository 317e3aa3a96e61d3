#compdef tessera
# The command completes: its first line is the kind of the following lines, which are words,
# unfinished names, folders or file extensions.
_tessera() {
  local program=${(Q)words[1]/#\~\//$HOME/} written=$IPREFIX$PREFIX
  local -a answer items
  answer=("${(@f)$("$program" ---complete zsh "${(@Q)words[2,CURRENT-1]}" "${(Q)written}" 2>/dev/null)}")
  items=("${(@)answer[2,-1]}")
  case $answer[1] in
    words) _describe -V '' items ;;
    names) _describe -V '' items -S '' ;;
    folders | files)
      # A prefix such as --scenario=.
      [[ -z $items[1] ]] || compset -P "${(b)items[1]}"
      items=("${(@)items[2,-1]}")
      if [[ $answer[1] == folders ]]; then
        _files -/
      elif (( $#items )); then
        _files -g "*.(${(j:|:)items})(-.)"
      else
        _files
      fi
      ;;
    *) return 1 ;;
  esac
}
if [[ $funcstack[1] == _tessera ]]; then
  _tessera "$@"
else
  compdef _tessera tessera
fi
