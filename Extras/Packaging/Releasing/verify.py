"""Checks a release: checksums, parts, and that each runs in a clean environment."""

import gzip
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import venv

from archives import Problem, unpack
import sbom

PACKAGE = pathlib.Path(__file__).resolve().parent.parent / "package"
ENDING = r"\.tar(\.xz|\.gz)?"
# Parts by display name.
PARTS = {
    "the archive of a prefix": rf"tessera-.*-linux-\w+{ENDING}",
    "the wheel": r"tessera_layout-.*\.whl",
    "the package tessera": r"tessera_.*\.deb",
    "the package libtessera1": r"libtessera1_.*\.deb",
    "the package libtessera-dev": r"libtessera-dev_.*\.deb",
    "the package tessera-doc": r"tessera-doc_.*\.deb",
    "the image": r"tessera-.*-image-\w+\.tar",
    "the site": rf"tessera-.*-site{ENDING}",
    "the documentation": rf"tessera-.*-documentation{ENDING}",
    "the sources": rf"tessera-.*-source{ENDING}",
    "the list of parts": r"tessera-.*\.spdx\.json",
    "the release notes": r"RELEASE-NOTES\.md",
}
# Runs in a chroot like a container, with /proc and devices.
INSIDE = r"""
import os, subprocess, sys
root, *command = sys.argv[1:]
def mount(*arguments): subprocess.run(["mount", *arguments], check=True)
mount("-t", "proc", "proc", f"{root}/proc")
mount("-t", "tmpfs", "-o", "mode=755", "dev", f"{root}/dev")
for device in ("null", "zero", "full", "random", "urandom"):
    open(f"{root}/dev/{device}", "w").close()
    mount("--bind", f"/dev/{device}", f"{root}/dev/{device}")
os.makedirs(f"{root}/dev/shm", 0o1777)
os.chroot(root)
os.chdir("/work")
os.execve(command[0], command, {"PATH": "/usr/bin", "LANG": "C.UTF-8", "HOME": "/root"})
"""


def run(folder, is_quick):
    """Checks a folder, prints a sentence for each problem, and returns the exit status."""
    if not folder.is_dir():
        raise Problem(
            66, f"there is no folder {folder}; give one that Extras/Packaging/release made"
        )
    check = Check(folder.resolve())
    check.files()
    # Damaged files are not run.
    for step in (
        []
        if check.problems
        else [check.prefix, check.wheel, check.image, *([] if is_quick else [check.packages])]
    ):
        check.step(step)
    for sentence in check.problems:
        print(f"Extras/Packaging/release: {sentence}", file=sys.stderr)
    for sentence in check.untried:
        print(f"not tried: {sentence}")
    if not check.problems:
        print("passed" if not check.untried else "passed, as far as it was tried")
    return 1 if check.problems else 0


class Check:
    def __init__(self, folder):
        self.folder, self.problems, self.untried, self.found = folder, [], [], {}

    def step(self, step):
        """Runs a step in a new folder and keeps its error."""
        try:
            with tempfile.TemporaryDirectory(prefix="tessera-release-") as work:
                step(pathlib.Path(work))
        except Problem as problem:
            self.problems.append(str(problem))

    # --- The files

    def files(self):
        sums = self.sums()
        harmed = set()
        for name, value in sums.items():
            path = self.folder / name
            if not path.is_file():
                self.problems.append(
                    f"{name} is missing, and SHA256SUMS lists it; download it again"
                )
                harmed.add(name)
                continue
            actual = hashlib.sha256(path.read_bytes()).hexdigest()
            if actual != value:
                self.problems.append(
                    f"{name} is not what was released: its sum is {actual}, and SHA256SUMS states"
                    f" {value}; download it again"
                )
                harmed.add(name)
        for path in sorted(self.folder.iterdir()):
            if path.name not in sums and path.name != "SHA256SUMS":
                self.problems.append(f"SHA256SUMS does not list {path.name}; remove it")
        for part, pattern in PARTS.items():
            names = [name for name in sums if re.fullmatch(pattern, name)]
            if len(names) != 1:
                self.problems.append(
                    f"SHA256SUMS lists {len(names)} files for {part} ({pattern}); expected one"
                )
            elif names[0] not in harmed:
                self.found[part] = self.folder / names[0]
        if "the list of parts" in self.found:
            self.problems += sbom.problems(self.found["the list of parts"], sums)
        if "the image" in self.found:
            self.step(lambda work: self.layers())

    def sums(self):
        path = self.folder / "SHA256SUMS"
        if not path.is_file():
            raise Problem(
                66, f"there is no {path}; give a folder that Extras/Packaging/release made"
            )
        found = {}
        for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
            match = re.fullmatch(r"([0-9a-f]{64})  ([^/]+)", line)
            if not match:
                raise Problem(
                    65, f"line {number} of {path} is no sum and name; download the file again"
                )
            found[match[2]] = match[1]
        return found

    def layers(self):
        """Checks the image's layout; returns its layers from the lowest."""
        path = self.found["the image"]
        with tempfile.TemporaryDirectory(prefix="tessera-layout-") as work:
            unpack(path, work)
            try:
                return list(layout(path.name, pathlib.Path(work)))
            except (OSError, KeyError, ValueError, TypeError, EOFError, gzip.BadGzipFile) as error:
                raise Problem(
                    1, f"{path.name} is no OCI layout: {type(error).__name__} {error}"
                ) from error

    # --- What runs

    def sources(self, work):
        """The unpacked sources."""
        unpack(self.found["the sources"], work / "sources")
        return next((work / "sources").iterdir())

    def tour(self, name, work, command, has_templates):
        """Runs the first page's commands and compares the picture with the page's."""
        sources, folder = self.sources(work), work / "tour"
        (folder / "Tools").mkdir(parents=True)
        for part in ("Tests/Fixtures/tables", "Sources/CTessera"):
            shutil.copytree(sources / part, folder / part)
        page = (sources / "README.md").read_text()
        (folder / "diagonal.c").write_text(re.search(r"```c\n(.*?)```", page, re.S)[1])
        tool = folder / "Tools/tessera"
        tool.write_text(f'#!/bin/sh\nexec {command} "$@"\n')
        tool.chmod(0o755)
        environment = {
            "PATH": "/usr/local/bin:/usr/bin:/bin",
            "HOME": str(folder),
            "LANG": "C.UTF-8",
        }
        for line in commands(
            page,
            has_templates,
            has_templates and bool(shutil.which("gcc", path=environment["PATH"])),
        ):
            result = subprocess.run(
                ["bash", "-c", line],
                cwd=folder,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if result.returncode:
                raise Problem(
                    1,
                    f"{name} fails in the first page's command “{line}” with status"
                    f" {result.returncode}: {last(result.stdout)}",
                )
        compare(name, folder / "mosaic.svg", sources)
        print(f"the first page's commands run with {name}")

    def prefix(self, work):
        path = self.found["the archive of a prefix"]
        unpack(path, work / "prefix")
        folder = next((work / "prefix").iterdir())
        self.tour(path.name, work, folder / "bin/tessera", True)

    def wheel(self, work):
        path = self.found["the wheel"]
        venv.create(work / "venv", with_pip=True)
        python = work / "venv/bin/python"
        done = subprocess.run(
            [python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", path],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if done.returncode:
            raise Problem(1, f"pip does not install {path.name}: {last(done.stdout)}")
        self.tour(path.name, work, f"{python} -m tessera_layout", False)

    def packages(self, work):
        paths = [self.found[part] for part in PARTS if part.startswith("the package")]
        if (
            os.getuid() != 0
            or not pathlib.Path("/usr/sbin/debootstrap").exists()
            or not shutil.which("lintian")
        ):
            self.untried.append(
                "the packages, because a new system needs root, debootstrap and lintian"
            )
            return
        result = subprocess.run(
            [PACKAGE, "--test", self.folder],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if result.returncode:
            raise Problem(
                1,
                f"{paths[0].name} and the other packages fail in a new system:"
                f" {last(result.stdout)}",
            )
        print("the first page's commands run with the packages in a new Debian system")

    def image(self, work):
        path = self.found["the image"]
        namespaces = ["unshare", "-mpf", *([] if os.getuid() == 0 else ["-r"])]
        if subprocess.run([*namespaces, "true"], stderr=subprocess.DEVNULL).returncode:
            self.untried.append("the image, because this machine lets you make no namespaces")
            return
        root, sources = work / "root", self.sources(work)
        root.mkdir()
        for number, content in enumerate(self.layers()):
            (work / f"{number}.tar").write_bytes(content)
            unpack(work / f"{number}.tar", root)
        shutil.copytree(sources / "Tests", root / "work/Tests")
        # The image draws PNG too. It has no shell; these lines need no quoting.
        lines = [
            *commands((sources / "README.md").read_text(), False, False),
            "tessera figure mosaic --items 20 -o mosaic.png",
        ]
        for words in map(str.split, lines):
            result = subprocess.run(
                [*namespaces, sys.executable, "-c", INSIDE, root, "/usr/bin/tessera", *words[1:]],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            if result.returncode:
                raise Problem(
                    1,
                    f"{path.name} fails in the command “{' '.join(words)}” with status"
                    f" {result.returncode}: {last(result.stdout)}",
                )
        compare(path.name, root / "work/mosaic.svg", sources)
        print(f"the first page's commands run with {path.name}")


def commands(page, has_templates, has_compiler):
    """The first page's commands, without those needing a missing compiler or missing templates."""
    blocks = re.findall(r"```sh\n(.*?)```", page, re.S)
    for block in blocks:
        if "gcc " in block and not has_compiler:
            continue
        for line in block.splitlines():
            if (
                line != "Tools/test"
                and not line.startswith("#")
                and (has_templates or " new " not in line)
            ):
                yield line


def compare(name, picture, sources):
    if picture.read_bytes() != (sources / "Plugins/Mosaic/mosaic.svg").read_bytes():
        raise Problem(
            1,
            f"{name} draws another picture than that of the first page,"
            f" {sources.name}/Plugins/Mosaic/mosaic.svg",
        )


def last(text):
    return (text.strip().splitlines() or ["it says nothing"])[-1]


def layout(name, folder):
    """Unpacked layers of an OCI layout, from the lowest."""

    def blob(descriptor):
        algorithm, digest = descriptor["digest"].split(":")
        path = folder / "blobs" / algorithm / digest
        if not path.is_file():
            raise Problem(1, f"{name} lacks the blob {digest}, which its manifest names")
        content = path.read_bytes()
        if len(content) != descriptor["size"] or hashlib.sha256(content).hexdigest() != digest:
            raise Problem(
                1,
                f"{name} has {len(content)} bytes with another sum as the blob {digest} of"
                f" {descriptor['size']} bytes",
            )
        return content

    version = json.loads((folder / "oci-layout").read_text())["imageLayoutVersion"]
    if version != "1.0.0":
        raise Problem(1, f"{name} is an OCI layout {version}; expected 1.0.0")
    [listed] = json.loads((folder / "index.json").read_text())["manifests"]
    manifest = json.loads(blob(listed))
    configuration = json.loads(blob(manifest["config"]))
    sums = configuration["rootfs"]["diff_ids"]
    if len(sums) != len(manifest["layers"]) or (configuration["os"], manifest["schemaVersion"]) != (
        "linux",
        2,
    ):
        raise Problem(
            1,
            f"{name} has {len(manifest['layers'])} layers and {len(sums)} sums of them, for"
            f" {configuration['os']}; expected as many, for linux",
        )
    for descriptor, expected in zip(manifest["layers"], sums):
        content = gzip.decompress(blob(descriptor))
        if f"sha256:{hashlib.sha256(content).hexdigest()}" != expected:
            raise Problem(
                1, f"{name} has a layer whose sum is not {expected}, as its configuration states"
            )
        yield content
