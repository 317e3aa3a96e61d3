"""python -m tessera is the command tessera."""

import os
import shutil
import sys

from ._native import packaged


def main() -> None:
    command = packaged("bin/tessera") or shutil.which("tessera")
    if command is None:
        sys.exit("tessera: there is no command in this package or in PATH; install Tessera, or its wheel")
    os.execv(command, ["tessera", *sys.argv[1:]])


if __name__ == "__main__":
    main()
