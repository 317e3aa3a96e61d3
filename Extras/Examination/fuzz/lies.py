#!/usr/bin/env python3
"""Gives a host engines that lie about a number, one after the other, at the ends of its range.

Each answer is valid, or an error that names the engine. Each run is a process with a seed; a
failure prints the seed and the step, and --runs 1 repeats it.
"""

import sys

sys.dont_write_bytecode = True

from model import *
from runs import *

ELEMENT = size_of(STRUCTS["element"])
KINDS_OF_ENGINE = ["eager", "lazy", "derived"]
RESULTS = {"point": 2, "size": 2, "rect": 4, "insets": 4}
TYPES = [f"{sign}{bits}" for sign in "ui" for bits in (8, 16, 32, 64)] + [
    "bool",
    "f32",
    "f64",
    *RESULTS,
]


class Liar:
    def __init__(self, library, chance, session, place):
        self.library, self.chance, self.session, self.place = library, chance, session, place

    def ask(self, name, *arguments):
        """Calls a function; an error has a sentence, and names the engine that caused it."""
        status = getattr(self.library, f"session_{name}")(self.session, *arguments)
        if status:
            message = self.library.session_message(self.session)
            if not message or status == DIED and b"org.example." not in message:
                fail(f"a lie about {self.place} ends with {status} and the sentence {message}")
        return not status

    def check(self, what, *numbers, sizes=()):
        if not all(map(math.isfinite, [*numbers, *sizes])) or any(size < 0 for size in sizes):
            fail(f"a lie about {self.place} becomes {what}: {numbers} {sizes}")

    def check_rows(self, what, rows, count):
        for row in rows[:count]:
            self.check(what, row.x, row.y, *row.transform, sizes=(row.width, row.height))
            if (
                not 0 <= row.alpha <= 1
                or row.hidden > 1
                or not 0 <= row.category <= 2
                or row.section > 2
            ):
                fail(
                    f"a lie about {self.place} becomes {what}: {row.alpha} {row.hidden}"
                    f" {row.category} {row.section}"
                )

    def ask_everything(self):
        chance, rows, others, count, copied = (
            self.chance,
            elements(64),
            elements(64),
            c_uint64(),
            c_uint64(),
        )
        x, y, numbers, section, item = (
            c_double(),
            c_double(),
            doubles(*[0.0] * 16),
            c_uint64(),
            c_uint64(),
        )
        found, many, tracks = (byref(x), byref(y)), (rows, ELEMENT, 64, byref(count)), c_uint64()
        self.ask("set_direction", chance.below(2))
        self.ask("set_sections", wholes(3, 0, 2), 3)
        if chance.one_in(2):
            self.ask("set_delegate", b"bias", delegates[1], None)
        if self.ask("content_size", *found):
            self.check("a content size", sizes=(x.value, y.value))
        if chance.one_in(2):
            if self.ask("proposed_size", None, 0, 0, *found):
                self.check("a proposed size", sizes=(x.value, y.value))
            self.ask("set_measured", None, 0, 0, doubles(50, 10), 1)
            self.ask("set_measured", b"header", 0, 0, doubles(50, 10), 1)
        if self.ask("query_all", *many):
            self.check_rows("a query of all", rows, count.value)
        for attribute in range(8 if 0 < count.value < 64 else 0):
            for components in (1, 2, 4):
                arguments = (self.session, attribute, 0, numbers, components, 2, byref(copied))
                if not self.library.session_copy_attribute(*arguments):
                    self.check("an attribute", *numbers[: copied.value * components])
        self.ask("set_offset", 0, chance.below(30))
        if self.ask("query_viewport", *many):
            self.check_rows("a query", rows, count.value)
        if self.ask("find", 0, None, 0, 1, rows, ELEMENT):
            self.check_rows("a search", rows, 1)
        if self.ask("find_at", 20, 20, rows, ELEMENT):
            self.check_rows("a search", rows, 1)
        for name, *arguments in (("resting_offset", 10, 10, 5, 5), ("offset_revealing", 2, 1, 0)):
            if self.ask(name, *arguments, *found):
                self.check("an offset", x.value, y.value)
        for name in TYPES:
            width = RESULTS.get(name, 1)
            if self.ask("call", f"{name}OfOne".encode(), doubles(1), 1, numbers, width):
                self.check(f"a result of {name}", *numbers[:width])
        if self.ask("drag_begin", 0, 1):
            if self.ask("drag_to", 50, 30, byref(section), byref(item)) and (
                section.value > 2 or item.value > 5
            ):
                fail(f"a lie about {self.place} becomes a target: {section.value}, {item.value}")
            if self.ask("drag_held", rows, ELEMENT):
                self.check_rows("a held item", rows, 1)
            self.ask("drag_cancel")
        columns, batch = STRUCTS["columns"](), STRUCTS["batch"]()
        if self.ask(
            "query_batch",
            None,
            None,
            3,
            byref(columns),
            size_of(columns),
            byref(batch),
            size_of(batch),
        ):
            frames = numbers_at(columns.frames, 4 * min(columns.count, 999))
            self.check("an element of a batch", *frames, sizes=frames[2::4] + frames[3::4])
            self.check("a size of a batch", sizes=numbers_at(batch.content_sizes, 2 * batch.count))
        edits = (STRUCTS["edit"] * 2)((DELETE, 1, 0, 1, 0, 0), (INSERT, 1, 0, 0, 2, 1))
        name = chance.choice(["update", "update_visible"])
        if not self.ask(name, edits, 2, wholes(2, 0, 3), 3, None, None, byref(tracks)):
            return
        if self.ask("copy_tracks", 0, rows, others, None, ELEMENT, 64, byref(count)):
            self.check_rows("a track", rows, count.value)
            self.check_rows("a track", others, count.value)
        for progress in (0, 0.3, 1):
            if self.ask("query_moment", progress, *many):
                self.check_rows("a moment", rows, count.value)


def places(folder):
    """The places of lies in lies.h, and how many numbers each has."""
    text = Path(f"{folder}/lies.h").read_text()
    counts = [found.count(",") + 1 for found in re.findall(r"ends_\d+\[\] = \{([^}]*)\}", text)]
    return [
        (name, counts[int(kind)], declared == "1")
        for name, kind, declared in re.findall(
            r'^  \{"([^"]*)", (\d+), \d+, (\d), \d+\},$', text, re.MULTILINE
        )
    ]


def declared_lie(folder, place, number):
    """A library whose declarations have a lie in them."""
    data = bytearray(Path(f"{folder}/versions/liar.so").read_bytes())
    mark = data.index(b"the declared lie")
    data[mark + 24 : mark + 40] = bytes(wholes(place, number))
    path = Path(f"{folder}/live/declared.so")
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    return f"{path}#org.example."


def tell_lies(given, seed, steps):
    library, sessions, lies = Library(given.trace), {}, places(given.folder)
    engines = library.engines(
        f"{given.folder}/versions",
        time_limit=2,
        refusal_time=0,
        row_limit=10000,
        cache=f"{given.folder}/cache".encode(),
    )
    for step in range(steps):
        chance, start = Chance(f"{seed} {step}"), time.monotonic()
        place = chance.below(len(lies))
        name, count, is_declared = lies[place]
        number, kind = chance.below(count), chance.choice(KINDS_OF_ENGINE)
        report.step, report.door = step, name.encode()[:63]
        if is_declared:
            session = c_void_p()
            file = declared_lie(given.folder, place, number) + kind
            if not library.session_create(engines, file.encode(), byref(session)):
                Liar(library, chance, session, name).ask_everything()
            elif not library.engines_message(engines):
                fail("a declaration is refused without a sentence")
            library.session_destroy(session)
        else:
            if kind not in sessions:
                session = c_void_p()
                file = f"{given.folder}/versions/liar.so#org.example.{kind}"
                if library.session_create(engines, file.encode(), byref(session)):
                    fail(f"the lying engine is refused: {library.engines_message(engines)}")
                sessions[kind] = session
            for parameter, value in (
                ("place", place),
                ("number", number),
                ("turn", chance.below(4)),
            ):
                if library.session_set_parameter(
                    sessions[kind], parameter.encode(), doubles(value), 1
                ):
                    fail(f"the lie cannot be chosen: {library.session_message(sessions[kind])}")
            Liar(library, chance, sessions[kind], name).ask_everything()
            if chance.one_in(50):
                library.session_destroy(sessions.pop(kind))
        # A few calls may reach their limit.
        if time.monotonic() - start > 60:
            fail(f"a lie about {name} takes {time.monotonic() - start:.0f} s")
    for session in sessions.values():
        library.session_destroy(session)
    library.engines_destroy(engines)


if __name__ == "__main__":
    sys.exit(fuzz(__doc__, tell_lies, False))
