#!/usr/bin/env python3
"""Lists the functions of tessera_host.h for the fuzzer.

    functions.py FILE

FILE gets a line for each function. Exits with 1 if the fuzzer calls one of them nowhere, or one that is not there.
"""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADER = HERE.parents[2] / "Sources/CTesseraHost/include/tessera/tessera_host.h"


def main():
    text = re.sub(r"//.*", "", HEADER.read_text())
    # A declaration, not a type of functions.
    declared = set(re.findall(r"^[\w ]+[ *](tessera_\w+)\((?!\*)", text, re.MULTILINE))
    calls = "".join((HERE / name).read_text() for name in ("doors.cpp", "model.cpp"))
    called = set(re.findall(r"(?:CALL|GIVEN|GIVE)\((?:\w+\.?\w*, )?(tessera_\w+)", calls))
    for name in sorted(declared ^ called):
        print(f"functions.py: {name} is {'declared in tessera_host.h, but called nowhere in Tools/fuzz/host' if name in declared else 'no function'}", file=sys.stderr)
    Path(sys.argv[1]).write_text("".join(f"X({name})\n" for name in sorted(declared)))
    return 1 if declared != called else 0


if __name__ == "__main__":
    sys.exit(main())
