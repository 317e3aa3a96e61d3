#!/usr/bin/env python3
"""Lays out a table with libtessera and writes its picture.

usage: table.py PICTURE.svg [FOLDER]

libtessera must be installed. The engine org.tessera.table is in FOLDER, or is installed, too. The height of a
row depends on its wrapped text; the headers of sections stay visible.
"""

import ctypes
import sys
import textwrap
from ctypes import Structure, byref, c_char_p, c_double, c_int32, c_uint32, c_uint64, c_void_p
from xml.sax.saxutils import escape

BOUNDS = (360.0, 340.0)
OFFSET = 60.0
LINE = 18.0
MARGIN = 10.0
LEFT = 15.0
FOREST = {
    "Broadleaved": [
        "Beech casts such deep shade that little else grows beneath it",
        "Oak",
        "Birch is the first to come where a fire has been, and the first to go when others follow",
        "Lime, whose blossom is loud with bees in June",
    ],
    "Conifers": [
        "Spruce",
        "Larch drops its needles in autumn: alone among its kin it stands bare all winter long",
        "Yew",
        "Scots pine",
    ],
}


class Element(Structure):
    """tessera_element of tessera/tessera_host.h."""

    _fields_ = [
        ("category", c_int32), ("kind", c_uint32), ("section", c_uint64), ("item", c_uint64),
        ("x", c_double), ("y", c_double), ("width", c_double), ("height", c_double),
        ("alpha", c_double), ("z_index", c_int32), ("hidden", c_uint32), ("transform", c_double * 16),
    ]  # fmt: skip


ITEM = 1


class Table:
    """A session of the engine; a failing call raises an error with the message of the library."""

    def __init__(self, folder=None):
        self.library = ctypes.CDLL("libtessera.so.1")
        # Other results are ints, such as statuses.
        self.library.tessera_engines_create.restype = c_void_p
        for name in ["engines_message", "session_message", "session_kind_name"]:
            getattr(self.library, f"tessera_{name}").restype = c_char_p
        self.engines = c_void_p(self.library.tessera_engines_create())
        if not self.engines:
            raise MemoryError
        self.session = c_void_p()
        if folder:
            self.ask("engines_add_folder", self.engines, folder.encode())
        self.ask("session_create", self.engines, b"org.tessera.table", byref(self.session))

    def ask(self, name, handle, *arguments):
        if getattr(self.library, f"tessera_{name}")(handle, *arguments) != 0:
            owner = "engines" if handle is self.engines else "session"
            message = getattr(self.library, f"tessera_{owner}_message")(handle)
            raise RuntimeError(message.decode())

    def ask_session(self, name, *arguments):
        self.ask(f"session_{name}", self.session, *arguments)

    def fill(self, sections):
        counts = [len(rows) for rows in sections]
        self.ask_session("set_sections", (c_uint64 * len(counts))(*counts), c_uint64(len(counts)))
        heights = [MARGIN * 2 + LINE * len(lines) for rows in sections for lines in rows]
        stride = ctypes.sizeof(c_double)
        self.ask_session(
            "set_values", c_uint32(ITEM), b"height", (c_double * len(heights))(*heights),
            c_uint32(1), c_uint64(len(heights)), c_uint64(stride))  # fmt: skip

    def content_height(self):
        width, height = c_double(), c_double()
        self.ask_session("content_size", byref(width), byref(height))
        return height.value

    def visible(self, offset):
        self.ask_session("set_bounds", c_double(BOUNDS[0]), c_double(BOUNDS[1]))
        self.ask_session("set_offset", c_double(0), c_double(offset))
        count, size = c_uint64(), c_uint64(ctypes.sizeof(Element))
        self.ask_session("query_viewport", None, size, c_uint64(0), byref(count))
        elements = (Element * count.value)()
        self.ask_session("copy_elements", c_uint64(0), elements, size, count, byref(count))
        return sorted(elements, key=lambda element: element.z_index)

    def kind(self, element):
        name = self.library.tessera_session_kind_name(self.session, c_uint32(element.kind))
        return name.decode() if name else "row"

    def close(self):
        self.library.tessera_session_destroy(self.session)
        self.library.tessera_engines_destroy(self.engines)


def rectangle(element, fill):
    y = element.y - OFFSET
    return (
        f'<rect x="{element.x:g}" y="{y:g}" width="{element.width:g}" '
        f'height="{element.height:g}" fill="{fill}"/>'
    )


def words(x, y, text, colour="#222"):
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}">{escape(text)}</text>'


def picture(table, names, sections):
    width, height = BOUNDS
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'font-family="sans-serif" font-size="14">',
        f'<rect width="{width:g}" height="{height:g}" fill="#f4f4f0"/>',
    ]
    for element in table.visible(OFFSET):
        kind, top = table.kind(element), element.y - OFFSET
        if kind == "separator":
            drawn.append(rectangle(element, "#b9b9ae"))
        elif kind == "header":
            drawn.append(rectangle(element, "#2f5d50"))
            middle = top + element.height / 2 + 5
            drawn.append(words(LEFT, middle, names[element.section], "#fff"))
        else:
            drawn.append(rectangle(element, "#fff"))
            for number, line in enumerate(sections[element.section][element.item]):
                drawn.append(words(LEFT, top + MARGIN + LINE * number + 14, line))
    return "\n".join(drawn + ["</svg>", ""])


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    path, *folder = sys.argv[1:]
    sections = [[textwrap.wrap(text, 44) for text in rows] for rows in FOREST.values()]
    table = Table(*folder)
    table.fill(sections)
    with open(path, "w", encoding="utf-8") as file:
        file.write(picture(table, list(FOREST), sections))
    print(f"{path}: {sum(map(len, sections))} rows, {table.content_height():g} points high")
    table.close()


if __name__ == "__main__":
    main()
