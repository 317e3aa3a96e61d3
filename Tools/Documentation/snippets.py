"""Runs the code blocks of a page in order, in a temporary folder.

Language and name of a block select the action:

    ```sh                 must succeed
    ```text               must be the output of the commands before it; … matches any text
    ```c spiral.c         is written to that file (any language)
    ```diff spiral.c      patches that file: - removes, + adds lines
    ```swift Plugins/…    must be an excerpt of that file, usable by commands; … omits lines

Other blocks are errors, so every block is tested. Pictures in Pictures/ must equal the files of the
same name that the page's commands write.
"""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from repository import PAGES, ROOT, relative

PICTURES = PAGES / "Pictures"


class Wrong(Exception):
    """A block that is wrong."""


def run(page, command):
    """Runs a page, and returns the pictures that its commands draw, by name."""
    with tempfile.TemporaryDirectory(prefix="tessera-docs-") as folder:
        reader = Reader(page, command, pathlib.Path(folder).resolve())
        for block in page.blocks:
            reader.follow(block)
        return {name: reader.drawn(name, number) for number, name in pictures(page)}


def pictures(page):
    """The pictures in Pictures/ that a page shows: `(line, name)`."""
    for number, is_picture, _, target in page.links():
        path = (page.path.parent / target).resolve()
        if is_picture and path.parent == PICTURES:
            yield number, path.name


class Reader:
    """Follows the instructions of a page."""

    def __init__(self, page, command, folder):
        self.page, self.command = page, command
        self.home = folder / "home"
        self.work = folder / "work"
        self.home.mkdir()
        self.work.mkdir()
        self.here = self.work
        self.printed = None

    def follow(self, block):
        where = f"{relative(self.page.path)}:{block.line}"
        try:
            if block.language == "sh":
                self.run(block.text)
            elif block.language == "text":
                self.compare(block.text)
            elif block.language == "diff" and block.name:
                self.change(self.here / block.name, block.text)
            elif block.name and (ROOT / block.name).is_file():
                self.find(block.text, (ROOT / block.name).read_text(), block.name)
                # As if the reader had copied the file.
                shutil.copy(ROOT / block.name, self.here)
            elif block.name:
                path = self.here / block.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text)
            else:
                raise Wrong(
                    "the language alone does not say what this block is; name a file after the"
                    " language"
                )
        except Wrong as wrong:
            raise Wrong(f"{where}: {wrong}") from None

    def run(self, text):
        script = f"set -eo pipefail\ntrap 'pwd >\"$TESSERA_DOCS_HERE\"' EXIT\n{text}"
        state = self.home.parent / "here"
        result = subprocess.run(
            ["bash", "-c", script],
            cwd=self.here,
            env=self.environment(state),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
        )
        if result.returncode:
            raise Wrong(f"status {result.returncode}, and printed\n{result.stdout}")
        self.here = pathlib.Path(state.read_text().strip())
        self.printed = result.stdout

    def environment(self, state):
        # As installed: PATH and include paths.
        return {
            "PATH": f"{self.command.path.parent}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "CPATH": str(ROOT / "Sources/CTessera/include"),
            "LC_ALL": "C.UTF-8",
            "TESSERA_DOCS_HERE": str(state),
        }

    def compare(self, text):
        if self.printed is None:
            raise Wrong("no command precedes this output; add one")
        pattern = "".join(
            r"[\s\S]*?" if part == "…" else re.escape(part)
            for part in re.split("(…)", text.strip())
        )
        if not re.fullmatch(pattern, self.printed.strip()):
            raise Wrong(f"the commands print other output:\n{self.printed}")

    def change(self, path, text):
        if not path.is_file():
            raise Wrong(f"{path.name} does not exist yet; show it first")
        lines = text.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if not line.startswith("+"))
        new = "".join(line[1:] for line in lines if not line.startswith("-"))
        was = path.read_text()
        if was.count(old) != 1:
            raise Wrong(f"{path.name} contains these lines {was.count(old)} times; expected once")
        path.write_text(was.replace(old, new))

    def find(self, text, whole, name):
        at = 0
        for part in re.split(r"^[ /]*…\n", text, flags=re.MULTILINE):
            found = whole.find(part, at)
            if found < 0:
                raise Wrong(f"{name} does not contain these lines:\n{part}")
            at = found + len(part)

    def drawn(self, name, number):
        found = sorted(self.work.rglob(name))
        if len(found) != 1:
            raise Wrong(
                f"{relative(self.page.path)}:{number}: {len(found)} commands of the page write"
                f" {name}; expected one"
            )
        return found[0].read_bytes()
