"""Reads the code, headings, links and pictures of a Markdown page."""

import dataclasses
import pathlib
import re

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
PICTURE = re.compile(r'<img src="([^"]+)"[^>]*?alt="([^"]*)"[^>]*>')
CODE = re.compile(r"`[^`]+`")


@dataclasses.dataclass
class Block:
    """A fenced code block; `name` follows the language."""

    language: str
    name: str
    text: str
    line: int


class Page:
    """A parsed page."""

    def __init__(self, path, text=None):
        self.path = pathlib.Path(path)
        self.text = self.path.read_text() if text is None else text
        self.blocks = []
        self.prose = []  # (number, line) of everything except code
        self._read()

    def _read(self):
        block = None
        for number, line in enumerate(self.text.splitlines(), 1):
            fence = line.startswith("```")
            if block is None and fence:
                language, _, name = line[3:].strip().partition(" ")
                block = Block(language, name, "", number)
            elif block is None:
                if not line.startswith("    "):
                    self.prose.append((number, line))
            elif fence:
                self.blocks.append(block)
                block = None
            else:
                block.text += line + "\n"
        if block is not None:
            raise ValueError(
                f"{self.path}:{block.line}: the code block is not closed; close it with ```"
            )

    def headings(self):
        """Headings with forge anchors: `(line, level, title, anchor)`."""
        seen, found = {}, []
        for number, line in self.prose:
            match = re.match(r"(#+) +(.*)", line)
            if not match:
                continue
            title = match[2].strip()
            anchor = slug(title)
            count = seen.get(anchor, 0)
            seen[anchor] = count + 1
            found.append((number, len(match[1]), title, f"{anchor}-{count}" if count else anchor))
        return found

    def title(self):
        """The first heading."""
        return self.headings()[0][2]

    def abstract(self):
        """The first paragraph of text, as one line."""
        lines = []
        for _, line in self.prose[1:]:
            if line.strip() and not line.startswith(("#", "<", "!", "|")):
                lines.append(line.strip())
            elif lines:
                break
        return " ".join(lines)

    def links(self):
        """Links and pictures: `(line, is a picture, text, target)`."""
        for number, line in self.prose:
            plain = CODE.sub(lambda code: "\0" * len(code[0]), line)
            for match in LINK.finditer(plain):
                yield number, match[1] == "!", line[match.start(2) : match.end(2)], match[3]
            for match in PICTURE.finditer(line):
                yield number, True, match[2], match[1]

    def code_spans(self):
        """The code spans: `(line, text)`."""
        for number, line in self.prose:
            for match in CODE.finditer(line):
                yield number, match[0][1:-1]


def slug(title):
    """The anchor that forges give a heading."""
    words = re.sub(r"[`*]", "", re.sub(LINK, r"\2", title)).lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
