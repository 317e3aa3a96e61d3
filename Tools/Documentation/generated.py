"""The generated pages, and the generated parts of pages."""

import re
import shutil

import cases
import commands
import contract
import gallery
import messages
from prose import table
from repository import PAGES, ROOT, relative

BEGIN = "<!-- Tools/docs writes what follows: {} -->\n"
END = "<!-- up to here -->\n"
MARK = "<!-- Tools/docs writes this page -->\n\n"


def files(command):
    """The path and the required text of every file that is generated or has a generated part."""
    made = {}
    for folder, pages in (
        ("Commands", commands.pages(command)),
        ("Cases", cases.pages(command)),
        ("Contract", contract.pages()),
    ):
        for name, text in pages.items():
            title, _, rest = text.partition("\n\n")
            made[PAGES / folder / name] = f"{title}\n\n{MARK}{rest.rstrip()}\n"
    for path, name, text in (
        (ROOT / "Plugins/README.md", "gallery", gallery.text(command)),
        (PAGES / "ExitStatuses.md", "statuses", statuses(command)),
        (PAGES / "ABIPolicy.md", "version", version()),
        (PAGES / "Troubleshooting.md", "messages", messages.text(command)),
    ):
        if text is not None:
            made[path] = within(path, name, text)
    return made


def within(path, name, text):
    """The text of a page with its generated part replaced."""
    begin = BEGIN.format(name)
    before, found, rest = path.read_text().partition(begin)
    _, ended, after = rest.partition(END)
    if not found or not ended:
        raise SystemExit(f"Tools/docs: {relative(path)} lacks {begin.strip()} or {END.strip()}")
    return f"{before}{begin}\n{text.strip()}\n\n{END}{after}"


def statuses(command):
    root = command.json("--experimental-dump-help")["command"]
    part = root["discussion"].partition("EXIT STATUS\n")[2].partition("\n\n")[0]
    return commands.statuses(part)


def version():
    header = (ROOT / "Sources/CTessera/include/tessera/tessera.h").read_text()
    major, minor = (re.search(rf"TESSERA_ABI_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR"))
    return table(["", "version"], [["version of the contract", f"{major}.{minor}"]])


def stale(command):
    """A message for each generated file that is out of date."""
    made = files(command)
    for path, text in made.items():
        if not path.is_file() or path.read_text() != text:
            yield f"{relative(path)} is out of date; run Tools/docs"
    for path in surplus(made):
        yield f"{relative(path)} is no longer generated; run Tools/docs"


def surplus(made):
    for folder in ("Commands", "Cases", "Contract"):
        for path in sorted((PAGES / folder).glob("*")):
            if path not in made:
                yield path


def write(command):
    """Writes the generated files, and removes those that are no longer generated."""
    for folder in ("Commands", "Cases", "Contract"):
        (PAGES / folder).mkdir(exist_ok=True)
    made = files(command)
    for path in list(surplus(made)):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path, text in made.items():
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
            print(relative(path))
