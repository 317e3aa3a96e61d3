"""The page of the codes of errors, from the comments of HostError.Code."""

import re

from prose import inline, table
from repository import ROOT

SOURCE = ROOT / "Sources/TesseraCatalog/HostError.swift"
INTRODUCTION = """# Codes of errors

Each error of the host has a code, which belongs to a kind, from which the exit status follows.
[Troubleshooting](../Troubleshooting.md#codes-of-errors) says where programs find it.

"""


def pages():
    """The page by its file name."""
    text = SOURCE.read_text()
    _, _, kinds = text.partition("public enum Kind:")
    statuses = {
        kind: status
        for names, status in re.findall(r"case ([^:]+): (\d+)\n", kinds)
        for kind in re.findall(r"\w+", names)
    }
    _, _, codes = text.partition("public enum Code:")
    codes, _, switch = codes.partition("public var kind: Kind")
    kind_of = {
        code: kind
        for names, kind in re.findall(r"case ([.\w,\s]+):\s+\.(\w+)\n", switch)
        for code in re.findall(r"\w+", names)
    }
    rows = []
    for comment, code in re.findall(r"((?: +///.*\n)+) +case (\w+)\n", codes):
        about = inline(" ".join(comment.replace("///", "").split()).rstrip("."))
        kind = kind_of[code]
        rows.append([f"`{code}`", f"`{kind}`", statuses[kind], about])
    return {"README.md": INTRODUCTION + table(["code", "kind", "status", "what is wrong"], rows)}
