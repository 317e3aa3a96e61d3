# The list of installed files, for Tools/install and Tools/uninstall.
#
# Lines of share/tessera/installed.txt have three tab-separated fields: "file", SHA-256 and path;
# "link", target and path; or "folder", "-" and a created folder. Paths are relative to the prefix.
# An interrupted installation leaves two lines for some paths.

list_name=share/tessera/installed.txt

# fail STATUS SENTENCE…: prints the sentence and exits.
fail() {
  local status=$1
  shift
  echo "$program: $*" >&2
  exit "$status"
}

# check_list LIST: exits if a line is invalid or a path is outside of the prefix.
check_list() {
  local kind value path number=0
  while IFS=$'\t' read -r kind value path; do
    number=$((number + 1))
    case $kind in \#*) continue ;; esac
    case $kind:/$path/ in
    file:/?*/ | link:/?*/ | folder:/?*/) ;;
    *) fail 65 "line $number of $1 is invalid; restore the file" ;;
    esac
    case /$path/ in
    //* | */../*) fail 65 "line $number of $1 names $path, outside of the prefix; restore the file" ;;
    esac
  done <"$1"
}

# take_away ROOT LIST: removes unchanged files and links in LIST, reports others; sets
# removed_files.
take_away() {
  local root=$1 list=$2 kind value path
  local -A sums=() ours=()
  local paths=() gone=()
  while IFS=$'\t' read -r kind value path; do
    [ "$kind" = file ] && [ -f "$root/$path" ] && [ ! -L "$root/$path" ] && paths+=("$path")
  done <"$list"
  if [ ${#paths[@]} -gt 0 ]; then
    while read -r value path; do sums[$path]=$value; done < <(
      cd "$root" && printf '%s\0' "${paths[@]}" | sort -zu | xargs -0 sha256sum --)
  fi
  while IFS=$'\t' read -r kind value path; do
    case $kind in
    file) [ "${sums[$path]:-}" = "$value" ] || { ours[$path]+=''; continue; } ;;
    link) [ "$(readlink "$root/$path" || true)" = "$value" ] || { ours[$path]+=''; continue; } ;;
    *) continue ;;
    esac
    ours[$path]=yes
  done <"$list"
  for path in "${!ours[@]}"; do
    if [ -n "${ours[$path]}" ]; then
      gone+=("$path")
    elif [ -e "$root/$path" ] || [ -L "$root/$path" ]; then
      echo "kept $root/$path, which was changed since it was installed"
    fi
  done
  removed_files=${#gone[@]}
  if [ "$removed_files" -gt 0 ]; then
    (cd "$root" && printf '%s\0' "${gone[@]}" | xargs -0 rm -f --)
  fi
}

# take_away_folders ROOT LIST: removes created folders in LIST if empty; sets removed_folders.
take_away_folders() {
  local root=$1 list=$2 path folders=()
  while read -r path; do
    if [ "$path" = . ]; then path=$root; else path=$root/$path; fi
    [ ! -d "$path" ] || folders+=("$path")
  done < <(awk -F'\t' '$1 == "folder" { print $3 }' "$list" | LC_ALL=C sort -ru)
  removed_folders=0
  [ ${#folders[@]} -gt 0 ] || return 0
  rmdir --ignore-fail-on-non-empty -- "${folders[@]}" 2>/dev/null || true
  for path in "${folders[@]}"; do
    [ -d "$path" ] || removed_folders=$((removed_folders + 1))
  done
}

# installed_root PREFIX: prints the absolute path, below $DESTDIR if set.
installed_root() {
  case $1 in
  /*) realpath -m -- "${DESTDIR:-}$1" ;;
  *)
    [ -z "${DESTDIR:-}" ] ||
      fail 64 "the prefix $1 is relative, but DESTDIR is set; give an absolute path"
    realpath -m -- "$1"
    ;;
  esac
}
