"""Steps of the fuzzer that ask, and change nothing: see host.py."""

import select

from model import *

ELEMENT = size_of(STRUCTS["element"])


class Queries:
    """What the steps need: `given` calls a function with the session of the step."""

    def query(self):
        chance, rows, columns, count = self.chance, elements(8), STRUCTS["columns"](), c_uint64()
        size, room = chance.end() if chance.one_in(30) else ELEMENT, chance.below(9)
        x, y, width = (
            chance.below(900),
            chance.below(100),
            chance.real() if chance.one_in(20) else 300,
        )
        found = byref(c_double()), byref(c_double())
        many, one = (rows, size, room, byref(count)), (rows, size)
        kind, place = chance.choice([None, b"header", b"mark", b"halo"]), self.place()
        descriptor = c_int32(-1)
        calls = [
            ("content_size", *found),
            ("query_rect", x, y, width, 300, *many),
            ("query_viewport", *many),
            ("query_all", *many),
            ("query_drawn", x, y, width, 300, 10, *many),
            ("offset", *found),
            (
                "query_columns",
                chance.choice([None, doubles(x, y, width, 300)]),
                byref(columns),
                size_of(columns),
            ),
            ("get_columns", byref(columns), size_of(columns)),
            ("copy_elements", chance.below(9), *many),
            ("find", chance.below(3), kind, *place, *one),
            ("find_at", x, y, *one),
            ("close",),
            ("find_next", *place, chance.below(5), *one),
            ("offset_revealing", *place, chance.below(5), *found),
            ("resting_offset", x, width, y, 0, *found),
            ("prepare_begin", byref(descriptor)),
        ]
        name, *arguments = chance.choice(calls)
        if self.given(name, *arguments) and name == "prepare_begin":
            self.given("offset", *found)
            if chance.one_in(2):
                select.select([descriptor.value], [], [], 1)
            self.given("prepare_finish")
        self.library.session_needs(self.used.session)
        self.note_offset(self.used)

    def note_offset(self, used):
        """Measuring can move the offset. A query may have been done, or not."""
        x, y = c_double(), c_double()
        self.library.session_offset(used.session, byref(x), byref(y))
        used.model.viewport["offset"] = (x.value, y.value)
        if used.model.removed:
            used.model.removed_is_known = False

    def look(self):
        chance, library, session = self.chance, self.library, self.used.session
        count, numbers, values, seconds = c_uint64(), doubles(*[0.0] * 32), c_void_p(), c_uint32()
        attribute = chance.below(4)
        if chance.one_in(2):
            self.given("query_all", None, ELEMENT, 0, byref(count))
        for name, *arguments in (
            ("attribute_count",),
            ("attribute_name", attribute),
            ("attribute_choice", attribute, chance.below(3)),
            ("kind_name", chance.end() if chance.one_in(9) else chance.below(4)),
            ("get_sandbox",),
            ("message",),
            ("reload_message",),
        ):
            getattr(library, f"session_{name}")(session, *arguments)
        first = chance.end() if chance.one_in(9) else 0
        self.given(
            "copy_attribute", attribute, first, numbers, 1 + chance.below(4), 8, byref(count)
        )
        self.given("get_attribute", attribute, byref(values))
        self.given("refusal_time", byref(seconds))
        self.given("reloads", byref(count), byref(c_int32()))
        self.given("watch", byref(c_int32()), byref(c_uint32()))
        if chance.one_in(20):
            self.given("set_time_limit", chance.real())
        self.given("set_time_limit", 60)

    def declarations(self):
        sort, session = self.chance.below(9), self.used.session
        count = self.library.session_declaration_count(session, sort)
        place, found = self.chance.below(count + 1), STRUCTS["declaration"]()
        self.given("get_declaration", sort, place, byref(found), size_of(found))
        self.library.session_declared_choice(session, sort, place, self.chance.below(3))
        expected = len(schemas[self.model.version][sort])
        if count != expected:
            fail(
                f"{count} declarations of sort {sort}; version {self.model.version} has {expected}"
            )

    def export_result(self):
        schema, more = STRUCTS["ArrowSchema"](), STRUCTS["ArrowSchema"]()
        array, copied, stream = (
            STRUCTS["ArrowArray"](),
            STRUCTS["ArrowArray"](),
            STRUCTS["ArrowArrayStream"](),
        )

        def release(*structs):
            for struct in structs:
                RELEASE(struct.release)(ctypes.addressof(struct))

        if self.chance.one_in(2):
            self.given("query_all", None, ELEMENT, 0, byref(c_uint64()))
        if self.given("export", byref(schema), byref(array)):
            if not self.library.arrow_share(byref(array), byref(more), byref(copied), None):
                release(more, copied)
            release(schema, array)
        if self.given("export_stream", byref(stream)):
            release(stream)

    def call_function(self):
        name, declared = self.choose(FUNCTIONS)
        signature = declared.type if declared else "f64(f64)"
        results = {"void": 0, "rect": 4, "insets": 4}.get(signature.partition("(")[0], 1)
        arguments = 1 + ("," in signature)
        numbers = doubles(*[self.chance.below(99) for _ in range(arguments)])
        # Memory beyond the result is untouched.
        found = doubles(*[-77.0] * 12)
        self.given("call", name.encode(), numbers, arguments, found, results)
        if any(number != -77 for number in found[results:]):
            fail(f"{name} writes more than the {results} numbers for which there is room")

    def animate(self):
        chance, moments = self.chance, self.moments
        start, end, columns, count = elements(4), elements(4), STRUCTS["columns"](), c_uint64()
        progress = chance.real() if chance.one_in(20) else chance.below(5) / 4
        self.given(
            "copy_tracks", chance.below(4), start, end, (c_uint32 * 4)(), ELEMENT, 4, byref(count)
        )
        self.given("query_moment", progress, start, ELEMENT, 4, byref(count))
        self.given("moment_tracks", progress, wholes(0, 0, 0, 0), 4, byref(count))
        self.given("query_moment_columns", progress, byref(columns), size_of(columns))
        self.given("moment_content", progress, *[byref(c_double()) for _ in range(3)], None)
        moment = c_void_p()
        if (
            self.given("take_animated_moment", progress, byref(moment))
            if chance.one_in(2)
            else self.given("take_moment", byref(moment))
        ):
            moments.append(moment)
        if moments:
            self.given("transition", chance.choice(moments), byref(count))
        if len(moments) > 4:
            self.library.moment_destroy(moments.pop())
        other = chance.choice(self.sessions)
        self.given("transition_visible", other.session, byref(count))
        for used in (self.used, other):
            self.note_offset(used)
