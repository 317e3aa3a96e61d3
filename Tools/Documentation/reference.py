"""The reference: generated pages about commands, cases, declarations and error codes.

Sites and installations contain them, in Commands, Cases, Contract, Codes and Swift beside
Documentation.
"""

import re

import cases
import codes
import commands
import contract
import swift
from markdown import Page
from repository import PAGES

CONTENTS = PAGES / "README.md"
LISTED = """- [The command](Commands/README.md): every command, option and exit status
- [The cases of the suite](Cases/README.md): each rule, the reason for it, and how to satisfy it
- [The contract](Contract/README.md): the header, declaration by declaration
- [The codes of errors](Codes/README.md): each with its kind, its status and its meaning
- [The Swift API](Swift/README.md): public types and their members
"""


def pages(command):
    """The pages by path in Documentation, and the contents."""
    folders = {
        "Commands": commands.pages(command),
        "Cases": cases.pages(command),
        "Contract": contract.pages(),
        "Codes": codes.pages(),
        "Swift": swift.pages(command.path.parent),
    }
    texts = {
        PAGES / folder / name: text
        for folder, made in folders.items()
        for name, text in made.items()
    }
    texts[CONTENTS] = re.sub(
        r"\n## Reference\n.*?\n\n(?=- )",
        rf"\g<0>{LISTED}",
        CONTENTS.read_text(),
        count=1,
        flags=re.S,
    )
    return {path: Page(path, text.rstrip() + "\n") for path, text in texts.items()}


def write(command, folder):
    """Writes the pages into a copy of Documentation."""
    for path, page in pages(command).items():
        place = folder / path.relative_to(PAGES)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(page.text)
