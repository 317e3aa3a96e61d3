"""python -m tessera_layout runs the command tessera."""

import os
import sys

from ._figure import command
from ._native import NotFoundError


def main() -> None:
    try:
        found = command()
    except NotFoundError as failure:
        sys.exit(f"tessera: {failure}")
    os.execv(found, ["tessera", *sys.argv[1:]])


if __name__ == "__main__":
    main()
