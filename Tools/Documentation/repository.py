"""Where things are in the clone, and how the command is asked."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGES = ROOT / "Documentation"


def markdown_files():
    """Every Markdown page of the repository, sorted."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if not name.startswith(".build") and name != ".git"]
        found += [pathlib.Path(folder) / name for name in names if name.endswith(".md")]
    return sorted(found)


def relative(path):
    """A path as it is written in the repository."""
    return os.path.relpath(path, ROOT)


class Command:
    """The built command, and what it says of itself."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        if not self.path.is_file():
            sys.exit(f"Tools/docs: there is no command at {path}; build it, or give another --command")

    def text(self, *arguments):
        # The engines beside the command, whatever this machine has installed.
        surroundings = {**os.environ, "TESSERA_PATH": str(self.path.parent)}
        result = subprocess.run(
            [self.path, *arguments], capture_output=True, text=True, env=surroundings
        )
        if result.returncode:
            sys.exit(f"Tools/docs: tessera {' '.join(arguments)} failed: {result.stderr.strip()}")
        return result.stdout

    def json(self, *arguments):
        return json.loads(self.text(*arguments))
