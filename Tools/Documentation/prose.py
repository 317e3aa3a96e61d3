"""Converts plain text, from the command's help or from comments, to Markdown."""

import re

NAMES = r"--[a-z][\w-]*|\$[A-Z_]+|\b(?:tessera|TESSERA)_\w+(?:->\w+)*(?:\(\))?|\b\w+->\w+"


def inline(text, names=NAMES):
    """One paragraph, with names as code and with Markdown's characters escaped."""
    parts = []
    for index, part in enumerate(re.split(r"`([^`]*)`", text)):
        if index % 2:
            parts.append(f"`{part}`")
            continue
        at = 0
        for match in re.finditer(names, part):
            parts += [escaped(part[at : match.start()]), f"`{match[0]}`"]
            at = match.end()
        parts.append(escaped(part[at:]))
    return "".join(parts)


def escaped(text):
    return re.sub(r"([\\*_<\[\]])", r"\\\1", text)


def table(header, rows):
    """A table of Markdown cells, or an empty text if there are no rows."""
    if not rows:
        return ""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines).replace("|  |", "| |") + "\n"
