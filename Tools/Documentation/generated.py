"""What in the repository is made from something else, so that the two cannot disagree."""

import re
import shutil

import cases
import commands
import contract
import gallery
from prose import table
from repository import PAGES, ROOT, relative

BEGIN = "<!-- Tools/docs writes what follows: {} -->\n"
END = "<!-- up to here -->\n"
MARK = "<!-- Tools/docs writes this page -->\n\n"


def files(command):
    """Every file that is made, or holds a part that is: its path and what it must hold."""
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
    ):
        made[path] = within(path, name, text)
    return made


def within(path, name, text):
    """A page with its made part replaced."""
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
    host = (ROOT / "Sources/TesseraHost/ABIVersion.swift").read_text()
    major, minor = (re.search(rf"TESSERA_ABI_{part} (\d+)", header)[1] for part in ("MAJOR", "MINOR"))
    least = re.search(r"supported = ABIVersion\(major: (\d+), minor: (\d+)\)\.\.\.current", host)
    rows = [
        ["the contract is", f"{major}.{minor}"],
        ["this host loads libraries of", f"{least[1]}.{least[2]} to {major}.{minor}"],
    ]
    return table(["", "version"], rows)


def stale(command):
    """A sentence for each made file that is not what it should be."""
    made = files(command)
    for path, text in made.items():
        if not path.is_file() or path.read_text() != text:
            yield f"{relative(path)} is not what it is made from says; run Tools/docs"
    for path in surplus(made):
        yield f"{relative(path)} is made from nothing any more; run Tools/docs"


def surplus(made):
    for folder in ("Commands", "Cases", "Contract"):
        for path in sorted((PAGES / folder).glob("*")):
            if path not in made:
                yield path


def write(command):
    """Makes all of it, and takes away what is made no more."""
    for folder in ("Commands", "Cases", "Contract"):
        (PAGES / folder).mkdir(exist_ok=True)
    made = files(command)
    for path in list(surplus(made)):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    for path, text in made.items():
        if not path.is_file() or path.read_text() != text:
            path.write_text(text)
            print(relative(path))
