"""The generated parts of committed pages."""

import re

import gallery
from prose import table
from repository import PAGES, ROOT, relative

BEGIN = "<!-- Tools/docs writes what follows: {} -->\n"
END = "<!-- up to here -->\n"


def parts():
    """The path and the required text of every page that has a generated part."""
    return {
        path: within(path, name, text)
        for path, name, text in (
            (ROOT / "Plugins/README.md", "gallery", gallery.text()),
            (PAGES / "ABIPolicy.md", "version", version()),
        )
    }


def within(path, name, text):
    """The text of a page with its generated part replaced."""
    begin = BEGIN.format(name)
    before, found, rest = path.read_text().partition(begin)
    _, ended, after = rest.partition(END)
    if not found or not ended:
        raise SystemExit(f"Tools/docs: {relative(path)} lacks {begin.strip()} or {END.strip()}")
    return f"{before}{begin}\n{text.strip()}\n\n{END}{after}"


def version():
    header = (ROOT / "Sources/CTessera/include/tessera/tessera.h").read_text()
    major, minor = (re.search(rf"TESSERA_ABI_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR"))
    return table(["", "version"], [["version of the contract", f"{major}.{minor}"]])


def stale():
    """A message for each page whose generated part is out of date."""
    for path, text in parts().items():
        if path.read_text() != text:
            yield f"{relative(path)} is out of date; run Tools/docs"


def write():
    for path, text in parts().items():
        if path.read_text() != text:
            path.write_text(text)
            print(relative(path))
