"""Paths of the repository, and the built command."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "Documentation"


def markdown_files():
    """The core's Markdown pages, sorted, without templates. Each extra checks its own pages."""
    return below(ROOT, (".git", "Templates", "Extras"))


def extra_pages():
    """The pages of existing extras."""
    return below(ROOT / "Extras")


def below(root, skipped=()):
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = [
            name for name in folders if not name.startswith(".build") and name not in skipped
        ]
        found += [pathlib.Path(folder) / name for name in names if name.endswith(".md")]
    return sorted(found)


def relative(path):
    """A path relative to the repository."""
    return os.path.relpath(path, ROOT)


class Command:
    """The built command."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        if not self.path.is_file():
            sys.exit(f"Tools/docs: {path} does not exist; build it, or pass another --command")

    def text(self, *arguments):
        # Use the command's engines, not installed ones.
        environment = {**os.environ, "TESSERA_PATH": str(self.path.parent)}
        result = subprocess.run(
            [self.path, *arguments], capture_output=True, text=True, env=environment
        )
        if result.returncode:
            sys.exit(f"Tools/docs: tessera {' '.join(arguments)} failed: {result.stderr.strip()}")
        return result.stdout

    def json(self, *arguments):
        return json.loads(self.text(*arguments))
