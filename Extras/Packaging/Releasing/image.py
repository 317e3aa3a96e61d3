"""A container image in the OCI layout, made of packages without a daemon and without root.

The lower layer holds the installed Debian packages that Tessera needs, as they are on this machine, without their
pages, and the upper one the packages of Tessera. There is no shell and no package manager.
"""

import datetime
import gzip
import hashlib
import io
import json
import pathlib
import platform
import re
import subprocess
import tempfile

from archives import Problem, tree, write_tar

# What draws PNG and PDF and reads pictures, beyond what the packages depend on.
DRAWING = [
    "librsvg2-2", "libgdk-pixbuf-2.0-0", "webp-pixbuf-loader", "libavif-gdk-pixbuf", "heif-gdk-pixbuf", "fonts-dejavu-core"]
# Programs that only install packages.
INSTALLERS = {"debconf", "debconf-2.0", "dpkg", "ucf", "install-info"}
# Files that packages make as they are installed.
MADE = ["/usr/lib/*/gdk-pixbuf-2.0/*/loaders.cache", "/usr/share/mime/mime.cache", "/etc/fonts/conf.d/*"]
LEFT_OUT = re.compile(r"/usr/share/(man|locale|info|lintian|bug|doc-base|bash-completion|doc/[^/]+/(?!copyright$))|/usr/s?bin/|/var/")
MERGED = ("bin", "lib", "lib64", "sbin")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
PASSWORDS = b"root:x:0:0:root:/root:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
GROUPS = b"root:x:0:\nnogroup:x:65534:\n"


def output(*command):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=True).stdout
    except FileNotFoundError:
        raise Problem(69, f"there is no {command[0]} in PATH; the image needs Debian or Ubuntu") from None
    except subprocess.CalledProcessError as error:
        raise Problem(70, f"{' '.join(map(str, command[:3]))} failed: {error.stderr.strip()}") from None


def installed():
    """The installed packages: name, architecture, version, dependencies."""
    shape = "${Status}\t${Package}\t${Architecture}\t${Version}\t${source:Package}\t${Pre-Depends}, ${Depends}\n"
    rows = [line.split("\t") for line in output("dpkg-query", "-W", "-f", shape).splitlines()]
    machine = output("dpkg", "--print-architecture").strip()
    return {row[1]: row[1:] for row in rows if row[0] == "install ok installed" and row[2] in (machine, "all")}


def needed(packages):
    """The installed packages that packages need, sorted by their names."""
    known, found = installed(), {}
    fields = ", ".join(output("dpkg-deb", "--field", package, "Depends") for package in packages)
    waiting = [*DRAWING, *names(fields, known)]
    while waiting:
        name = waiting.pop()
        if name in found or name in INSTALLERS:
            continue
        if name not in known:
            raise Problem(69, f"the image needs the package {name}; install it with: sudo apt-get install {name}")
        found[name] = known[name]
        waiting += names(known[name][4], known)
    return [found[name] for name in sorted(found)]


def names(field, known):
    """The packages of a field such as Depends: of alternatives the first that is installed."""
    for group in filter(str.strip, field.split(",")):
        choices = [re.split(r"[\s:(]", choice.strip())[0] for choice in group.split("|")]
        if not choices[0].startswith(("tessera", "libtessera")):
            yield next((choice for choice in choices if choice in known), choices[0])


def files_of(packages):
    """The files of installed packages, by their names in the image."""
    found = {f"var/lib/dpkg/status.d/{row[0]}": output("dpkg-query", "-s", row[0]).encode() for row in packages}
    paths = output("dpkg-query", "-L", *[row[0] for row in packages]).splitlines()
    paths += [str(path) for pattern in MADE for path in pathlib.Path("/").glob(pattern[1:])]
    for text in paths:
        path = pathlib.Path(text)
        if LEFT_OUT.match(text) or path.is_dir() and (not path.is_symlink() or path.name in MERGED):
            continue
        name = text[1:] if text.split("/")[1] not in MERGED else f"usr{text}"
        if path.is_symlink() or path.exists():
            found[name] = path
    return found


def write(target, packages, version, commit, date, level):
    """Writes the image of Tessera's packages, and returns the Debian packages in it."""
    system = needed(packages)
    release = pathlib.Path("/usr/lib/os-release")
    lower = {"etc/passwd": PASSWORDS, "etc/group": GROUPS, "tmp/": None, "work/": None, "root/": None, "proc/": None, "dev/": None,
             "usr/lib/os-release": release, "etc/os-release": release.read_bytes(), **files_of(system)}
    with tempfile.TemporaryDirectory(prefix="tessera-image-") as work:
        # Links as in the system itself.
        for name in MERGED:
            (pathlib.Path(work) / name).symlink_to(f"usr/{name}")
            lower[name] = pathlib.Path(work) / name
        upper = {}
        for package in packages:
            folder = pathlib.Path(work) / package.stem
            output("dpkg-deb", "-x", package, folder)
            upper.update({name: path for name, path in tree(folder).items() if not LEFT_OUT.match(f"/{name}") or "/bin/" in name})
            name = output("dpkg-deb", "--field", package, "Package").strip()
            status = output("dpkg-deb", "--field", package)
            upper[f"var/lib/dpkg/status.d/{name}"] = f"{status.rstrip()}\nStatus: install ok installed\n".encode()
        layers = [layer(entries, date, level) for entries in (lower, upper)]
    write_layout(target, layers, version, commit, date)
    return system


def layer(entries, date, level):
    plain = io.BytesIO()
    write_tar(plain, entries, date)
    return plain.getvalue(), gzip.compress(plain.getvalue(), compresslevel=level, mtime=0)


def write_layout(target, layers, version, commit, date):
    """Writes the layout as one file, which `podman load` and `docker load` read."""
    blobs = {}

    def blob(content, kind):
        digest = hashlib.sha256(content).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = content
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(content)}

    def text(value):
        return json.dumps(value, sort_keys=True).encode()

    created = datetime.datetime.fromtimestamp(date, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    title = {"title": "Tessera", "version": version, "revision": commit, "licenses": "MIT"}
    about = {f"org.opencontainers.image.{name}": value for name, value in title.items()}
    configuration = blob(text({
        "created": created, "architecture": ARCHITECTURES[platform.machine()], "os": "linux",
        "config": {"Entrypoint": ["/usr/bin/tessera"], "Cmd": ["--help"], "WorkingDir": "/work", "Labels": about,
                   "Env": ["PATH=/usr/bin", "LANG=C.UTF-8"]},
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(plain).hexdigest()}" for plain, _ in layers]},
        "history": [{"created": created, "comment": comment} for comment in ("Debian packages", "Tessera")],
    }), "config.v1+json")
    described = [blob(packed, "layer.v1.tar+gzip") for _, packed in layers]
    manifest = blob(text({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": configuration, "layers": described, "annotations": about}), "manifest.v1+json")
    manifest["annotations"] = {"org.opencontainers.image.ref.name": version.replace("+", "-")}
    path = lambda descriptor: f"blobs/sha256/{descriptor['digest'][7:]}"
    blobs["oci-layout"] = text({"imageLayoutVersion": "1.0.0"})
    blobs["index.json"] = text({
        "schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [manifest]})
    # For docker before version 25.
    blobs["manifest.json"] = text([{
        "Config": path(configuration), "RepoTags": [f"tessera:{version.replace('+', '-')}"], "Layers": [path(one) for one in described]}])
    with open(target, "wb") as stream:
        write_tar(stream, blobs, date)
