"""Runs what a page shows, in the order in which it is shown, in a folder of its own.

What stands behind the language of a block says what becomes of it:

    ```sh                 runs; it must succeed
    ```text               is what the commands before it print; … stands for anything
    ```c spiral.c         becomes that file (any language)
    ```diff spiral.c      changes that file: lines with - go, lines with + come, the others must be there
    ```swift Plugins/…    is an excerpt of that file of the repository; … stands for what is left out

Every other block is refused, so that nothing is shown that nobody looked at. A picture below
Pictures/ is what the page's commands write under its name.
"""

import os
import pathlib
import re
import subprocess
import tempfile

from repository import PAGES, ROOT, relative

PICTURES = PAGES / "Pictures"


class Wrong(Exception):
    """A block that is not as it is shown."""


def run(page, command):
    """Runs a page and gives the pictures that it shows, as drawn now, by name."""
    with tempfile.TemporaryDirectory(prefix="tessera-docs-") as folder:
        reader = Reader(page, command, pathlib.Path(folder).resolve())
        for block in page.blocks:
            reader.follow(block)
        return {name: reader.drawn(name, number) for number, name in pictures(page)}


def pictures(page):
    """The names of the pictures that a page shows and its commands draw, with the lines."""
    for number, is_picture, _, target in page.links():
        path = (page.path.parent / target).resolve()
        if is_picture and path.parent == PICTURES:
            yield number, path.name


class Reader:
    """Somebody who does what a page says."""

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
            elif block.name:
                path = self.here / block.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(block.text)
            else:
                raise Wrong("nothing says what this block is; name a file behind its language")
        except Wrong as wrong:
            raise Wrong(f"{where}: {wrong}") from None

    def run(self, text):
        script = f"set -eo pipefail\ntrap 'pwd >\"$TESSERA_DOCS_HERE\"' EXIT\n{text}"
        state = self.home.parent / "here"
        result = subprocess.run(
            ["bash", "-c", script],
            cwd=self.here,
            env=self.surroundings(state),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=600,
        )
        if result.returncode:
            raise Wrong(f"status {result.returncode}, and printed\n{result.stdout}")
        self.here = pathlib.Path(state.read_text().strip())
        self.printed = result.stdout

    def surroundings(self, state):
        # As after an installation: the command along PATH, the headers where compilers look.
        return {
            "PATH": f"{self.command.path.parent}:{os.environ['PATH']}",
            "HOME": str(self.home),
            "CPATH": str(ROOT / "Sources/CTessera/include"),
            "LC_ALL": "C.UTF-8",
            "TESSERA_DOCS_HERE": str(state),
        }

    def compare(self, text):
        if self.printed is None:
            raise Wrong("no command stands before this output; put one there")
        pattern = "".join(
            r"[\s\S]*?" if part == "…" else re.escape(part) for part in re.split("(…)", text.strip())
        )
        if not re.fullmatch(pattern, self.printed.strip()):
            raise Wrong(f"the commands print something else:\n{self.printed}")

    def change(self, path, text):
        if not path.is_file():
            raise Wrong(f"there is no {path.name} to change; show it first")
        lines = text.splitlines(keepends=True)
        old = "".join(line[1:] for line in lines if not line.startswith("+"))
        new = "".join(line[1:] for line in lines if not line.startswith("-"))
        was = path.read_text()
        if was.count(old) != 1:
            raise Wrong(f"{path.name} holds these lines {was.count(old)} times; expected once")
        path.write_text(was.replace(old, new))

    def find(self, text, whole, name):
        at = 0
        for part in re.split(r"^[ /]*…\n", text, flags=re.MULTILINE):
            found = whole.find(part, at)
            if found < 0:
                raise Wrong(f"{name} does not hold this:\n{part}")
            at = found + len(part)

    def drawn(self, name, number):
        found = sorted(self.work.rglob(name))
        if len(found) != 1:
            raise Wrong(
                f"{relative(self.page.path)}:{number}: {len(found)} commands of the page write {name}; "
                "expected one"
            )
        return found[0].read_bytes()
