# Tests packages: Extras/Packaging/package --test FOLDER, optionally with --quick.
set -euo pipefail

# Has debootstrap.
PATH=$PATH:/usr/sbin
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
fail() {
  local status=$1
  shift
  echo "Extras/Packaging/package: $*" >&2
  exit "$status"
}

mapfile -t packages < <(ls "$1"/{libtessera1,libtessera-dev,tessera,tessera-doc}_*.deb 2>/dev/null || true)
[ ${#packages[@]} -eq 4 ] ||
  fail 66 "$1 holds ${#packages[@]} of the 4 packages; make them with Extras/Packaging/package $1, in an empty folder"
for tool in lintian debootstrap; do
  command -v "$tool" >/dev/null ||
    fail 69 "there is no $tool in PATH; install it with: sudo apt-get install $tool"
done
[ "$(id -u)" -eq 0 ] || fail 77 "only root can make a system; run sudo Extras/Packaging/package --test $1"
unshare -mpf --mount-proc true 2>/dev/null ||
  fail 77 "this machine does not let root mount anything; run the test on another one"
quick=${2:-}

# --- What lintian says

[ -n "$quick" ] || lintian --allow-root --fail-on error --suppress-tags \
  uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball "${packages[@]}" ||
  fail 1 "lintian reports errors"

# --- A minimal system, cached with the installed packages to need no network

. /etc/os-release
kept=$root/.build/debian/$VERSION_CODENAME
needed=(libffi8 libgdk-pixbuf-2.0-0 librsvg2-2 libstdc++6 gcc libc6-dev make dpkg-dev pkg-config)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# Runs a command in a system with separate mounts and processes. The system becomes the root folder
# itself, as the kernel allows no namespaces below another one.
run() { # SYSTEM COMMAND ARGUMENT…
  # shellcheck disable=SC2016
  unshare -mpf --ipc bash -ec '
    root=$0
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount -t tmpfs -o mode=755 dev "$root/dev"
    for device in null zero full random urandom tty; do
      : >"$root/dev/$device"
      mount --bind "/dev/$device" "$root/dev/$device"
    done
    mkdir "$root/dev/pts"
    mkdir -m 1777 "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    mount --bind /etc/resolv.conf "$root/etc/resolv.conf" 2>/dev/null || true
    cd "$root"
    pivot_root . mnt
    umount -l /mnt
    cd /
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
      DEBIAN_FRONTEND=noninteractive "$@"' "$@"
}

if [ ! -e "$kept/complete" ]; then
  echo "making a system in $kept"
  rm -rf "$kept"
  mkdir -p "$kept"
  {
    debootstrap --variant=minbase "$VERSION_CODENAME" "$kept" &&
      run "$kept" apt-get update && run "$kept" apt-get install -y --download-only "${needed[@]}"
  } >"$work/log" 2>&1 || fail 69 "the system cannot be made: $(tail -1 "$work/log")"
  touch "$kept/complete"
fi
cp -a "$kept" "$work/system"
mkdir "$work/system/packages" "$work/system/tour"
cp "${packages[@]}" "$work/system/packages"

# --- The tour: the commands of the README, and the engine that it shows

tour=$work/system/tour
mkdir -p "$tour/Tools" "$tour/Tests/Fixtures"
ln -s /usr/bin/tessera "$tour/Tools/tessera"
cp -R "$root/Tests/Fixtures/tables" "$tour/Tests/Fixtures"
block() { # LANGUAGE NUMBER: prints a block of code of the README
  awk -v start="\`\`\`$1" -v number="$2" '$0 == "```" { shown = 0 } shown { print }
    $0 == start && ++found == number { shown = 1 }' "$root/README.md"
}
block c 1 >"$tour/diagonal.c"
for ((number = 1; number < 100; number++)); do block sh "$number"; done | grep -v '^Tools/test$' >"$tour/tour.sh"
cp "$root/Documentation/Examples/scroll.c" "$tour"

# shellcheck disable=SC2016
run "$work/system" bash -euc '
  quick=$0
  # Visible files, without notes of apt and the cache of the command.
  files() { find / -xdev \( -path /proc -o -path /dev -o -path /tour -o -path /packages -o -path /tmp \
    -o -path /root/.cache/tessera -o -path /var/cache -o -path /var/log -o -path /var/lib/apt -o -path /var/lib/dpkg -o -path "/etc/*-" \) \
    -prune -o -printf "%y %p %l\n" | sort; }
  apt() { apt-get -y -q "$@" >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; exit 1; }; }
  as_user() { setpriv --reuid=4000 --regid=4000 --clear-groups env HOME=/tour/home "$@"; }
  # Removes Tessera and its dependencies, and compares the files with those before.
  remove() {
    echo "removing the packages"
    apt purge "tessera*" "libtessera*"
    apt autoremove --purge -o APT::AutoRemove::RecommendsImportant=false -o APT::AutoRemove::SuggestsImportant=false
    files >/tmp/after
    diff /tmp/before /tmp/after
  }
  mkdir /tour/home
  chown -R 4000:4000 /tour
  cd /tour

  echo "installing the command"
  mkdir -p /root/.cache
  files >/tmp/before
  apt install ${quick:+--no-install-recommends} /packages/libtessera1_* /packages/tessera_*
  HOME=/root tessera list >/tmp/list
  as_user tessera list >/tmp/list
  grep "^org.tessera.mosaic " /tmp/list
  if grep Refused /tmp/list; then exit 1; fi
  as_user tessera doctor >/tmp/doctor || { cat /tmp/doctor; exit 1; }
  as_user tessera layout mosaic --items 20 -o mosaic.svg
  [ -n "$quick" ] || as_user tessera figure mosaic --items 20 -o mosaic.png
  # Dependencies are complete: the loader finds every library.
  find /usr/bin/tessera /usr/libexec/tessera /usr/lib/*/tessera /usr/lib/*/libtessera.so.1 -type f \
    -exec ldd {} + >/tmp/libraries 2>&1
  if grep -B9 "not found" /tmp/libraries; then exit 1; fi
  # The command names the missing package.
  if as_user tessera new shelf --language c 2>/tmp/new; then exit 1; fi
  grep -q libtessera-dev /tmp/new
  remove
  # Home folders keep their files.
  [ -d /root/.cache/tessera ]
  [ -z "$quick" ] || exit 0

  echo "running the tour"
  apt install --no-install-recommends gcc libc6-dev make dpkg-dev pkg-config
  files >/tmp/before
  apt install /packages/*.deb
  as_user bash -eo pipefail tour.sh >/tmp/tour.log 2>&1 || { cat /tmp/tour.log; exit 1; }
  as_user cc scroll.c $(pkg-config --cflags --libs tessera-host) -lm -o scroll
  as_user ./scroll >/dev/null
  [ -e /usr/share/doc/tessera/Documentation/Commands/layout.md ]
  [ -e /usr/share/man/man1/tessera.1.gz ]

  echo "making the package of an engine"
  as_user tessera new brick-wall --language c
  cd brick-wall
  as_user make test LEVEL=quick >/tmp/test.log 2>&1 || { cat /tmp/test.log; exit 1; }
  as_user DEBEMAIL=ada@debian.org make deb >/tmp/deb.log 2>&1 || { cat /tmp/deb.log; exit 1; }
  cp build/*.deb /packages
  apt install ./build/*.deb
  cd ..
  as_user tessera list | grep "/usr/lib/.*/tessera/libbrick-wall.so"
  as_user tessera layout brick-wall --items 2 --format csv
  remove
' "$quick" || fail 1 "the test failed"
[ -n "$quick" ] || lintian --allow-root --fail-on error "$work"/system/packages/tessera-engine-*.deb ||
  fail 1 "lintian reports errors in an engine's package"
echo "passed"
