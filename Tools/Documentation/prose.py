"""Plain text, from the command or a comment, as Markdown."""

import re

# What reads better as code where a plain text names it.
NAMES = r"--[a-z][\w-]*|\$[A-Z_]+|\b(?:tessera|TESSERA)_\w+(?:->\w+)*(?:\(\))?|\b\w+->\w+"


def inline(text, names=NAMES, in_table=False):
    """One paragraph: names as code, and nothing that Markdown would take for its own."""
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
    joined = "".join(parts)
    return joined.replace("|", r"\|") if in_table else joined


def escaped(text):
    return re.sub(r"([\\*_<\[\]])", r"\\\1", text)


def table(header, rows):
    """A table, of cells that are Markdown already; empty where there are no rows."""
    if not rows:
        return ""
    lines = [header, ["---"] * len(header), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines).replace("|  |", "| |") + "\n"
