"""The pages of the contract, from the declarations and comments of the headers."""

import re

from prose import NAMES, inline
from repository import ROOT

FOLDER = ROOT / "Sources/CTessera/include/tessera"
HOST = ROOT / "Sources/CTesseraHost/include/tessera/tessera_host.h"
RULE = re.compile(r"// -{8,} (.*)")
PLUMBING = re.compile(
    r"#define TESSERA_(?:NULLABLE|NONNULL|SENDABLE)|TESSERA_LAYOUT_IS"
    r"|#(include|if|else|endif|ifndef|pragma)|#define TESSERA_\w*H$|extern \"C\"|}$"
)
CHECKS = "checked wherever this is compiled"
# Names in comments become code.
NAMES = rf"\w+->\w+\([^()]*\)|tessera\.\w+/\d|{NAMES}|\b[a-z]+(?:_[a-z0-9]+)+\b"
STRUCT = re.compile(r"^(?:typedef )?(?:struct|union)(?: TESSERA_\w+)? (\w+) *{", re.MULTILINE)
TYPE = re.compile(r"^typedef int32_t (\w+);", re.MULTILINE)
FUNCTION = re.compile(r"^(?:\w+ )+\**(tessera_\w+)\(", re.MULTILINE)
MACRO = re.compile(r"^#define (TESSERA_(?:COLUMN_|TRAIT_|NOTE\b))", re.MULTILINE)
# First words of the first comment's paragraphs.
LEADS = (
    "Units|Pointers|Numbers|States of a layout|Growth|Names|Limits|Chains|Order|Right to"
    " left|Conduct"
)


def pages():
    """The pages by file name."""
    whole = (FOLDER / "tessera.h").read_text()
    intro, sections = split(whole)
    made, listed = {}, []
    for title, chunks in sections:
        if title == CHECKS:
            continue
        title = title or "versions and the note"
        name = f"{re.sub('[^a-z]+', '-', title.lower())}.md"
        shown = title[0].upper() + title[1:]
        made[name] = page(shown, "tessera/tessera.h", chunks)
        listed.append(f"- [{shown}]({name})\n")
    extensions = []
    for path in sorted((FOLDER / "ext").glob("*.h")):
        head, rest = split(path.read_text())
        name = f"ext-{path.stem}.md"
        made[name] = page(f"Extension: {path.stem}", f"tessera/ext/{path.name}", rest[0][1], head)
        extensions.append(
            f"- [Extension: {path.stem}]({name}): {inline(head[0].split(', ', 1)[1])}\n"
        )
    calls = []
    for title, chunks in split(HOST.read_text())[1]:
        title = title or "versions"
        name = f"host-{re.sub('[^a-z]+', '-', title.lower())}.md"
        made[name] = page(f"libtessera: {title}", "tessera/tessera_host.h", chunks)
        calls.append(f"- [libtessera: {title}]({name})\n")
    made["README.md"] = (
        contents(intro, listed, extensions) + "\n## For programs\n\n" + "".join(calls)
    )
    return made


def contents(intro, listed, extensions):
    text = (
        "# The contract\n\nThe interface between host and engine: one C header, and a small one for"
        " each extension.\n\n"
    )
    text += "These pages show the declarations and comments of the headers, from "
    text += (
        "[tessera.h](../../Sources/CTessera/include/tessera/tessera.h), which you can read in one"
        " sitting. "
    )
    text += "A pointer may be null only if it is marked `TESSERA_NULLABLE`. "
    text += "[What may change in it](../ABIPolicy.md) states the versioning policy.\n"
    for paragraph in intro:
        lead = re.match(rf"({LEADS})\.(.*)", paragraph)
        if lead:
            text += f"\n**{lead[1]}.**{inline(lead[2], NAMES)}\n"
        elif re.match(r"\d\. ", paragraph):
            text += ("\n" if paragraph.startswith("1.") else "") + inline(paragraph, NAMES) + "\n"
    return (
        text + "\n## The header\n\n" + "".join(listed) + "\n## Extensions\n\n" + "".join(extensions)
    )


def split(text):
    """A header's first paragraphs, and its sections: a title and groups of lines."""
    intro, sections, lines = [], [("", [])], text.splitlines()
    start = next(index for index, line in enumerate(lines) if not line.startswith("//"))
    for line in lines[:start]:
        line = line[2:].strip()
        fresh = re.match(rf"({LEADS})\.|\d\. ", line)
        if not line or fresh or not intro or intro[-1] == "":
            intro.append(line)
        else:
            intro[-1] += " " + line
    chunk = []
    for line in [*lines[start:], ""]:
        rule = RULE.match(line)
        if rule:
            sections.append((rule[1], []))
        elif PLUMBING.match(line):
            continue
        elif line:
            chunk.append(line)
        # Structs may contain blank lines.
        is_open = "\n".join(chunk).count("{") > "\n".join(chunk).count("}")
        if (rule or not line) and chunk and not is_open:
            sections[-1][1].append(chunk)
            chunk = []
    intro = [paragraph for paragraph in intro if paragraph]
    head = [section for section in sections if section[1]]
    return intro, head


def page(title, header, chunks, intro=()):
    text = f"# {title}\n\n"
    for paragraph in intro:
        text += inline(paragraph, NAMES) + "\n\n"
    if not intro:
        text += f"From `{header}`.\n\n"
    return text + "".join(declaration(chunk) for chunk in chunks)


def declaration(chunk):
    """The Markdown of a comment, and of the code below it."""
    count = next(
        (place for place, line in enumerate(chunk) if not line.startswith("//")), len(chunk)
    )
    comment = " ".join(line[2:].strip() for line in chunk[:count])
    code = "\n".join(chunk[count:])
    text = f"## {subject(code)}\n\n" if subject(code) else ""
    text += inline(comment, NAMES) + "\n\n" if comment else ""
    return text + (f"```c\n{code}\n```\n\n" if code else "")


def subject(code):
    """The name of what these lines declare, or None."""
    if "tessera_register(" in code:
        return "tessera_register"
    for pattern in (STRUCT, TYPE, MACRO, FUNCTION):
        names = pattern.findall(code)
        if names:
            return names[0] + "…" if names[0].endswith("_") else ", ".join(names)
    return None
