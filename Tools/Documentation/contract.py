"""The pages of the contract, from the declarations and comments of the headers."""

import re
import sys
import textwrap

from prose import NAMES, inline
from repository import ROOT

FOLDER = ROOT / "Sources/CTessera/include/tessera"
RULE = re.compile(r"// -{8,} (.*)")
# Lines that are only for compilers.
PLUMBING = re.compile(
    r"#define TESSERA_(?:NULLABLE|NONNULL|SENDABLE)|TESSERA_LAYOUT_IS|#(include|if|else|endif|ifndef|pragma)|#define TESSERA_\w*H$|extern \"C\"|}$"
)
# Columns of code that a page can show.
WIDTH = 84
CHECKS = "checked wherever this is compiled"
# The names in comments are shown as code, too.
NAMES = rf"\w+->\w+\([^()]*\)|tessera\.\w+/\d|{NAMES}|\b[a-z]+(?:_[a-z0-9]+)+\b"
FUNCTION = re.compile(r"\(\*(?:TESSERA_\w+ )?(\w+)\)\(")
STRUCT = re.compile(r"^(?:typedef )?(?:struct|union)(?: TESSERA_\w+)? (\w+) *{", re.MULTILINE)
TYPE = re.compile(r"^typedef int32_t (\w+);", re.MULTILINE)
MACRO = re.compile(r"^#define (TESSERA_(?:COLUMN_|TRAIT_|NOTE\b))", re.MULTILINE)
# How the paragraphs of the first comment begin.
LEADS = "Units|Pointers|Numbers|States of a layout|Growth|Names|Limits|Chains|Order|Right to left|Conduct"
STATES = re.compile(r" ?\[([^\[\]]*; [^\[\]]*|as \w+|prepare(?:, \w+)?)\]\.?$")


def pages():
    """The pages by file name."""
    whole = (FOLDER / "tessera.h").read_text()
    intro, sections = split(whole)
    made, listed = {}, []
    for title, chunks in sections:
        if title == CHECKS:
            continue
        name = f"{re.sub('[^a-z]+', '-', title.lower())}.md"
        shown = title[0].upper() + title[1:]
        made[name] = page(shown, "tessera/tessera.h", chunks)
        listed.append(f"- [{shown}]({name})\n")
    extensions = []
    for path in sorted((FOLDER / "ext").glob("*.h")):
        head, rest = split(path.read_text())
        name = f"ext-{path.stem}.md"
        made[name] = page(f"Extension: {path.stem}", f"tessera/ext/{path.name}", rest[0][1], head)
        extensions.append(f"- [Extension: {path.stem}]({name}): {inline(head[0].split(', ', 1)[1])}\n")
    made["README.md"] = contents(intro, listed, extensions)
    complete(made)
    return made


def contents(intro, listed, extensions):
    text = "# The contract\n\nThe interface between host and engine: one C header, and a small one for each extension.\n\n"
    text += "These pages show the declarations and comments of the headers, from "
    text += "[tessera.h](../../Sources/CTessera/include/tessera/tessera.h), which you can read in one sitting. "
    text += "A pointer may be null only if it is marked `TESSERA_NULLABLE`. "
    text += "[What may change in it](../ABIPolicy.md) states the versioning policy.\n"
    for paragraph in intro:
        lead = re.match(rf"({LEADS})\.(.*)", paragraph)
        if lead:
            text += f"\n**{lead[1]}.**{inline(lead[2], NAMES)}\n"
        elif re.match(r"\d\. ", paragraph):
            text += ("\n" if paragraph.startswith("1.") else "") + inline(paragraph, NAMES) + "\n"
    return text + "\n## The header\n\n" + "".join(listed) + "\n## Extensions\n\n" + "".join(extensions)


def split(text):
    """The first paragraphs of a header, and its sections: a title, and groups of lines."""
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
        # A struct may have blank lines in it.
        is_open = "\n".join(chunk).count("{") > "\n".join(chunk).count("}")
        if (rule or not line) and chunk and not is_open:
            sections[-1][1].append(chunk)
            chunk = []
    intro = [paragraph for paragraph in intro if paragraph]
    head = [section for section in sections if section[1]]
    return intro, [(title or "versions and the note", chunks) for title, chunks in head]


def page(title, header, chunks, intro=()):
    text = f"# {title}\n\n"
    for paragraph in intro:
        text += inline(paragraph, NAMES) + "\n\n"
    if not intro:
        text += f"From `{header}`.\n\n"
    return text + "".join(declaration(chunk) for chunk in chunks)


def declaration(chunk):
    """The Markdown of a comment, of constants, or of a type."""
    comment, code = leading(chunk)
    joined = "\n".join(code)
    name = subject(joined)
    if not code:
        return paragraph(comment)
    text = f"## {name}\n\n" if name else ""
    text += paragraph(comment)
    if STRUCT.search(joined) and FUNCTION.search(joined):
        return text + functions(code)
    return text + fenced(code)


def subject(code):
    """The name of what these lines declare, or None."""
    if "tessera_register(" in code:
        return "tessera_register"
    for pattern in (STRUCT, TYPE, MACRO):
        names = pattern.findall(code)
        if names:
            return names[0] + "…" if names[0].endswith("_") else ", ".join(names)
    return None


def leading(lines):
    """The leading comment, and the other lines."""
    count = 0
    while count < len(lines) and lines[count].strip().startswith("//"):
        count += 1
    return " ".join(line.strip()[2:].strip() for line in lines[:count]), lines[count:]


def functions(code):
    """A struct with functions: its members, then the functions, grouped by shared comments."""
    data, groups, comment, index = [], [], [], 0
    while index < len(code):
        line = code[index]
        if line.strip().startswith("//"):
            comment.append(line)
        elif FUNCTION.search(line):
            whole = [line]
            while ";" not in whole[-1]:
                index += 1
                whole.append(code[index])
            data.append(FUNCTION.sub(r"(*\1)(…);", line).partition("(…);")[0] + "(…);")
            if comment or not groups:
                groups.append((comment, []))
            groups[-1][1].extend(prototype(whole))
            comment = []
        else:
            data += comment + [line]
            comment = []
        index += 1
    return fenced([line for line in data if line.strip()]) + "".join(function(*group) for group in groups)


def prototype(lines):
    """A function's declaration, wrapped to the width of a page."""
    *first, last = lines
    last, _, comment = last.partition("// ")
    whole = " ".join(" ".join([*first, last]).split())
    comment = f" // {comment.strip()}" if comment else ""
    if len(whole) + len(comment) <= WIDTH:
        return [whole + comment]
    # Wrap only between parameters.
    kept = whole.replace(" ", "\0").replace(",\0", ", ")
    lines = textwrap.wrap(kept, WIDTH, subsequent_indent="    ", break_long_words=False)
    return ([comment.strip()] if comment else []) + [line.replace("\0", " ") for line in lines]


def function(comment, lines):
    words = " ".join(line.strip()[2:].strip() for line in comment)
    names = ", ".join(FUNCTION.findall("\n".join(lines)))
    states = STATES.search(words)
    text = f"### {names}\n\n{fenced(lines)}{paragraph(STATES.sub('', words).strip())}"
    if not states:
        return text
    when, _, thread = states[1].partition("; ")
    text += f"*Called in:* {inline(when, NAMES)}"
    return text + (f"; *thread:* {inline(thread, NAMES)}\n\n" if thread else "\n\n")


def paragraph(text):
    return inline(text, NAMES) + "\n\n" if text else ""


def fenced(code):
    indent = min(len(line) - len(line.lstrip()) for line in code)
    lines = narrowed([re.sub(r"\s+\\$", r" \\", line[indent:].rstrip()) for line in code])
    return "```c\n" + "\n".join(lines) + "\n```\n\n"


def narrowed(lines):
    """Moves comments that are too wide to the line above."""
    made, index = [], 0
    while index < len(lines):
        line, mark, comment = lines[index].partition(" // ")
        index += 1
        beside = [comment]
        while mark and line.strip() and index < len(lines) and re.match(r"\s{12,}//", lines[index]):
            beside.append(lines[index].strip()[2:].strip())
            index += 1
        whole = " ".join(beside)
        if not mark or (len(line) + len(whole) + 4 <= WIDTH and len(beside) == 1):
            made.append(line + mark + comment)
            continue
        start = line[: len(line) - len(line.lstrip())]
        made += [f"{start}// {part}" for part in textwrap.wrap(whole, WIDTH - len(start) - 3)]
        if line.strip():
            made.append(line.rstrip())
    return made


def complete(made):
    """Exits if the pages lack a declaration of the headers, or a struct on them lacks a member."""
    shown = "\n".join(made.values())
    for path in [FOLDER / "tessera.h", *FOLDER.glob("ext/*.h")]:
        text = path.read_text().partition(CHECKS)[0]
        names = re.findall(r"^}? *(?:typedef .*?|#define )?(tessera_\w+|TESSERA_\w+)(?:;| \(|$| \")", text, re.M)
        names += re.findall(r"\(\*(?:TESSERA_\w+ )?(\w+)\)\(", text)
        hidden = ("_H", "_NULLABLE", "_NONNULL", "_SENDABLE")
        for name in names:
            if not re.search(rf"\b{name}\b", shown) and not name.endswith(hidden):
                sys.exit(f"Tools/docs: no page of the contract shows {name} of {path.name}")
        for struct in STRUCT.finditer(text):
            block = shown.partition(f"## {struct[1]}\n")[2].partition("```c\n")[2].partition("```")[0]
            for name in members(text[struct.end() :].partition("\n}")[0]):
                # The geometry has several structs below one title.
                if not re.search(rf"\b{name}\b", block or shown):
                    sys.exit(f"Tools/docs: the page of {struct[1]} does not show its {name}")


def members(body):
    """The names of a struct's members."""
    for declaration in re.sub(r"//.*", "", body).split(";"):
        function = FUNCTION.search(declaration)
        yield from [function[1]] if function else re.findall(r"(\w+)(?:\[\d+\])?\s*(?:,|$)", declaration.rstrip())
