# Links a build for machines without Swift, for Tools/install and Tools/library.
#
# All share one Swift runtime, in lib/tessera/swift: programs and the library find it relative to
# themselves, an engine uses its process's. Programs also find it in multiarch library folders.

# link_products BUILD: links into BUILD/linked, unless up to date. It calls fail STATUS SENTENCE on
# error.
link_products() {
  local built=$1 root tool
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
  [ -e "$built/libTesseraLibrary.a" ] ||
    fail 66 "$built holds no libTesseraLibrary.a; give a folder that Tessera was built in"
  # For --version; packagers who build from an archive can set it.
  TESSERA_COMMIT=${TESSERA_COMMIT-$(git -C "$root" describe --always --dirty --exclude='*' --abbrev=12 2>/dev/null || true)}
  ! is_linked "$built" || return 0
  for tool in swiftc strip readelf; do
    command -v "$tool" >/dev/null || fail 69 "there is no $tool in PATH; install it first"
  done
  (
    # Another process may link the same build.
    exec 8>"$built/linked.lock"
    flock 8
    ! is_linked "$built" || exit 0
    made=$(mktemp -d "$built/linked.XXXXXX")
    trap 'rm -rf "$made"' EXIT
    link_prefix "$built" "$made/prefix"
    rm -rf "$built/linked"
    mv "$made/prefix" "$built/linked"
  )
}

# Whether BUILD/linked has this commit and is newer than its inputs.
is_linked() { # BUILD
  [ -e "$1/linked/complete" ] && [ "$(<"$1/linked/complete")" = "$TESSERA_COMMIT" ] && [ -z "$(find \
    "$1"/tessera "$1"/tessera-worker "$1"/libTessera*.so "$1"/libTesseraLibrary.a "$root"/Plugins \
    "$root"/Tools/Installing/link.sh -newer "$1/linked/complete" ! -name '*.md' ! -name '*.svg' -print -quit 2>/dev/null)" ]
}

link_prefix() { # BUILD PREFIX
  local built=$1 prefix=$2 engine library toolchain
  toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
  mkdir -p "$prefix/bin" "$prefix/lib/tessera/swift" "$prefix/libexec/tessera"
  # Only the command has the commit.
  "$toolchain/bin/clang" -O2 -fPIC -I "$root/Sources/CTesseraBuild/include" ${TESSERA_COMMIT:+"-DTESSERA_COMMIT=$TESSERA_COMMIT"} \
    -c "$root/Sources/CTesseraBuild/build.c" -o "$made/build.c.o"
  link_program tessera tessera_main "$prefix/bin/tessera" ..
  link_program tessera-worker tessera_worker_main "$prefix/libexec/tessera/tessera-worker" ../..
  link_shared TesseraLibrary "$prefix/lib/libtessera.so.1" tessera/swift -shared -lffi \
    -Wl,-soname,libtessera.so.1,--version-script="$root/Sources/TesseraLibrary/libtessera.map"
  for engine in "$root"/Plugins/*/; do
    engine=$(basename "$engine")
    library=$prefix/lib/tessera/libTessera$engine.so
    if compgen -G "$root/Plugins/$engine/*.rs" >/dev/null; then
      # Tools/rust-engines reports missing Rust engines.
      [ ! -e "$built/libTessera$engine.so" ] || cp "$built/libTessera$engine.so" "$library"
    else
      link_shared "Tessera$engine" "$library" swift -shared \
        -Wl,--version-script="$root/Plugins/engine.map"
    fi
  done
  copy_runtime
  find "$prefix" -type f -exec strip -s {} +
  while read -r library; do clear_hashes "$library"; done < <(find "$prefix" -type f ! -path '*/swift/*')
  chmod 755 "$prefix"/bin/* "$prefix"/libexec/tessera/*
  echo "$TESSERA_COMMIT" >"$prefix/complete"
}

# Clears the compiler's hashes, which depend on the source path, for reproducible builds.
clear_hashes() { # FILE
  local offset size
  read -r offset size < <(readelf -SW "$1" |
    sed -n 's/.* \.swift_modhash *PROGBITS *[0-9a-f]* *\([0-9a-f]*\) *\([0-9a-f]*\) .*/\1 \2/p') || return 0
  dd if=/dev/zero of="$1" bs=1 seek=$((16#$offset)) count=$((16#$size)) conv=notrunc status=none
}

# Links another package's programs, built into BUILD.
link_package() { # BUILD PACKAGE FOLDER
  local built=$1 made toolchain sources name
  toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
  made=$(mktemp -d)
  mkdir -p "$3"
  cp "$built/CTesseraBuild.build/build.c.o" "$made/build.c.o"
  for sources in "$2"/Sources/tessera-*/; do
    name=$(basename "$sources")
    if compgen -G "$sources/*.swift" >/dev/null; then
      link_program "$name" "${name//-/_}_main" "$3/$name" ../..
    else
      link_shared "$name" "$3/$name" "" -pie -lm -lffi
    fi
    strip -s "$3/$name"
    clear_hashes "$3/$name"
    chmod 755 "$3/$name"
  done
  rm -rf "$made"
}

link_program() { # product, its entry function, result, its path to the prefix
  link_shared "$1" "$3" "$4/lib/tessera/swift" -pie -lffi -Wl,--defsym=main="$2" \
    -Wl,-rpath,"\$ORIGIN/$4/lib/$(uname -m)-linux-gnu/tessera/swift"
}

# Prints a product's objects, without stale ones in archives. Paths in the list are those of the
# build; it may have moved. BackgroundPrepare.swift is unused here and would add Swift concurrency:
# 0.8 MB.
objects_of() { # BUILD, product
  local folder
  folder=$(readlink -f "$1")
  sed "s|'||g; s|.*/${folder##*/}/|$folder/|; \\|/BackgroundPrepare\.swift\.o$|d" "$1/$2.product/Objects.LinkFileList"
}

# Links a product. Swift's core is shared; other libraries are linked statically, since loading them
# dominates startup. Identical functions are folded. Functions are bound at start (full RELRO).
link_shared() { # product, result, its path to the runtime, options
  local objects=$made/objects result=$2 runtime=$3 swift=() name
  objects_of "$built" "$1" >"$objects"
  sed -i "s|.*/CTesseraBuild\.build/build\.c\.o$|$made/build.c.o|" "$objects"
  shift 3
  if grep -q '\.swift\.o$' "$objects"; then
    swift=("$toolchain/lib/swift/linux/$(uname -m)/swiftrt.o")
    for name in FoundationEssentials _FoundationCShims _FoundationCollections swiftDispatch \
      swift_StringProcessing swift_RegexParser swift_Concurrency swiftSynchronization swiftGlibc \
      swift_Builtin_float dispatch BlocksRuntime; do
      swift+=("$toolchain/lib/swift_static/linux/lib$name.a")
    done
    # The archive has functions hidden in the shared core; debug builds call the support library.
    swift+=(-L "$toolchain/lib/swift/linux" -lswiftCore -lswiftSwiftOnoneSupport "$toolchain/lib/swift_static/linux/libswiftCore.a")
    swift+=(-Wl,-rpath,"\$ORIGIN/$runtime")
  fi
  "$toolchain/bin/clang++" -fuse-ld=lld -Wl,--as-needed "@$objects" "${swift[@]}" -o "$result" \
    -Wl,--gc-sections,--icf=all,-z,defs,-z,now "$@"
}

# Copies the runtime and libffi, which a Linux may lack.
copy_runtime() {
  local folder=$prefix/lib/tessera/swift more=yes name source
  while [ -n "$more" ]; do
    more=
    while read -r name; do
      [ ! -e "$folder/$name" ] || continue
      case $name in
      libffi.so.*) source=$(ldd "$built/tessera-worker" | awk -v name="$name" '$1 == name { print $3 }') ;;
      *) source=$toolchain/lib/swift/linux/$name ;;
      esac
      [ -e "$source" ] || continue
      cp -L "$source" "$folder/$name"
      more=yes
    done < <(find "$prefix" -type f -print0 | xargs -0 readelf -d 2>/dev/null |
      sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort -u)
  done
}
