#!/usr/bin/env python3
"""Calls tessera_host.h in random order, legal and not; compares each session with a new one.

Meanwhile the engine's library is replaced. There are several sessions, threads and forks. A
session made new with the same input must give the same answer, and each function must be accepted.
Each run is a process with a seed; a failure prints the seed and the step, and --runs 1 repeats it.
"""

import sys

sys.dont_write_bytecode = True

from model import *
from queries import ELEMENT, Queries
from runs import *


class World(Queries):
    """One thread's state. Each step calls some functions, and records accepted input."""

    def __init__(self, library, folder, isolation, chance, is_sharing):
        self.library, self.folder, self.chance, self.is_sharing = (
            library,
            folder,
            chance,
            is_sharing,
        )
        settings = {
            "isolation": isolation,
            "cache": f"{folder}/cache".encode(),
            "time_limit": 60,
            "refusal_time": 0,
            "row_limit": 1 << 20,
            "kept_workers": 6,
        }
        self.engines, self.fresh = (
            library.engines(f"{folder}/versions", **settings) for _ in range(2)
        )
        self.sessions, self.moments, self.used = [], [], None
        self.identities = 0
        self.progress = PROGRESS(lambda _, fraction: self.chance.one_in(200))
        self.supply = SUPPLY(self._supply)

    def close(self):
        for used in self.sessions:
            self.library.session_destroy(used.session)
        for moment in self.moments:
            self.library.moment_destroy(moment)
        for engines in (self.engines, self.fresh):
            self.library.engines_destroy(engines)

    def step(self):
        if not self.sessions:
            self.open_session()
            if not self.sessions:
                self.replace()
            return
        self.used = self.chance.choice(self.sessions)
        door = self.chance.choices(list(DOORS), DOORS.values())[0]
        report.door = door.encode()
        getattr(self, door)()
        # Compare soon after the faulty step.
        if self.used and self.chance.one_in(3):
            compare(self.library, self.fresh, self.used, self.folder)
            self.note_offers()

    def given(self, name, *arguments):
        """Calls a function with the session of the step; returns whether it was done."""
        status = getattr(self.library, f"session_{name}")(self.used.session, *arguments)
        if status and not self.library.session_message(self.used.session):
            fail(f"{name} returned {status} and says nothing")
        return not status

    @property
    def model(self):
        return self.used.model

    # ------------------------------------------------------------ Choosing

    def new_identity(self):
        self.identities += 1
        return self.identities

    def choose(self, sort):
        """A name, mostly a declared one, and its declaration."""
        number = self.chance.choice(VERSIONS) if self.chance.one_in(8) else self.model.version
        names = list(schemas[number][sort])
        if not names or self.chance.one_in(30):
            names = ["", "x", "gap", "tint", "header"]
        name = self.chance.choice(names)
        return name, schemas[self.model.version][sort].get(name)

    def cell(self, declared):
        if not declared:
            return Cell("a")
        if declared.type == "enum":
            return Cell(
                "nothing" if self.chance.one_in(20) else self.chance.choice(declared.choices)
            )
        most = 2 if declared.type == "bool" else 36
        numbers = [float(self.chance.below(most)) for _ in range(declared.components)]
        if self.chance.one_in(50):
            numbers[0] = self.chance.real()
        return Cell(numbers)

    def cells(self, declared, count):
        return [self.cell(declared) for _ in range(count)]

    def place(self):
        sections = self.model.sections
        if not sections or self.chance.one_in(20):
            return self.chance.end(), self.chance.end()
        section = self.chance.below(len(sections))
        return section, self.chance.below(len(sections[section][1]) + self.chance.one_in(9))

    # ------------------------------------------------------------ Settings

    def set_viewport(self):
        chance = self.chance
        is_odd = chance.one_in(30)

        def numbers(*ranges):
            return [
                chance.real() if is_odd else least + chance.below(most) for least, most in ranges
            ]

        edges = numbers(*[(0, 20)] * 4)
        name, arguments = chance.choice(
            [
                ("bounds", numbers((100, 400), (100, 600))),
                ("offset", numbers((0, 400), (0, 600))),
                ("content_insets", edges),
                ("safe_area", edges),
                ("layout_margins", edges),
                ("scale", numbers((1, 3))),
                ("direction", [chance.below(2) - is_odd]),
                ("element_limit", [chance.end() if is_odd else 10**7]),
            ]
        )
        if self.given(f"set_{name}", *arguments):
            self.model.viewport[name] = tuple(arguments)

    def set_viewport_right(self):
        """What is invalid does not stay so for long: else nothing would be tried but refusals."""
        if self.model.is_viewport_valid() and self.model.viewport["element_limit"] == (10**7,):
            return
        for name, arguments in Model(0).viewport.items():
            if self.given(f"set_{name}", *arguments):
                self.model.viewport[name] = arguments

    def set_parameter(self):
        name, declared = self.choose(PARAMETERS)
        cell, text = self.cell(declared), name.encode()
        if self.chance.one_in(5):
            if self.given("reset_parameter", text):
                self.model.parameters.pop(name, None)
        elif (
            self.given("set_parameter_choice", text, cell.value.encode())
            if isinstance(cell.value, str)
            else self.given("set_parameter", text, doubles(*cell.value), declared.components)
        ):
            self.model.parameters[name] = cell
        if name == "offer":
            self.note_offers()

    def set_list(self):
        chance = self.chance
        name, _ = self.choose(LISTS)
        known = self.model.lists.get(name, (0, {}))[0]
        if chance.one_in(3):
            count = chance.end() if chance.one_in(30) else chance.below(5)
            if self.given("set_list", name.encode(), count):
                self.model.lists[name] = (count, {})
            return
        column, declared = self.choose(COLUMNS)
        column = column.partition(".")[2]
        cells = self.cells(declared, chance.below(5) if chance.one_in(9) else min(known, 9))
        texts_of_both = name.encode(), column.encode()
        if not declared or declared.type == "enum":
            done = self.given("set_list_choices", *texts_of_both, choices_of(cells), len(cells), 8)
        else:
            done = self.given(
                "set_list_column", *texts_of_both, flattened(cells, 1), 1, len(cells), 8
            )
        if done:
            count, columns = self.model.lists.setdefault(name, (0, {}))
            if count != len(cells):
                fail(f"{len(cells)} values of {name} are accepted for {count} records")
            columns[column] = cells

    def set_sections(self):
        sections = [
            (self.new_identity(), [self.new_identity() for _ in range(self.chance.below(9))])
            for _ in range(self.chance.below(5))
        ]
        counts = [len(items) for _, items in sections]
        if self.chance.one_in(20):
            counts.append(self.chance.end() | 1 << 63)
            if self.given("set_sections", wholes(*counts), len(counts)):
                fail("more than 2^62 items are accepted")
        elif self.given("set_sections", wholes(*counts), len(counts)):
            self.model.set_sections(sections)

    def put(self, function, scope, name, declared, cells, more=(), is_constant=False):
        """Passes choices or numbers to their function; `more` are arguments after the name."""
        before = (scope, name.encode(), *more)
        if not declared or declared.type == "enum":
            stride = 0 if is_constant else 8
            return self.given(
                f"{function[:-1]}_choices", *before, choices_of(cells), len(cells), stride
            )
        width = declared.components
        stride = 0 if is_constant else 8 * width
        return self.given(function, *before, flattened(cells, width), width, len(cells), stride)

    def give_values(self, scope, name, declared, is_exact):
        """Sets, appends or splices values. In an update it is called from its callback."""
        chance, model, key = self.chance, self.model, (scope, name)
        wanted = model.wanted(scope)
        is_choice = not declared or declared.type == "enum"
        is_known = key in model.values or model.removed_is_known
        constant, cells = model.values.get(key) or model.removed.get(key) or (True, [])
        known = [] if constant else cells
        way = chance.below(4 if is_known else 2)
        if way == 0:
            is_constant = chance.one_in(3)
            count = (
                1
                if is_constant
                else wanted if is_exact or not chance.one_in(30) else chance.below(9)
            )
            cells = self.cells(declared, count)
            if self.put("set_values", scope, name, declared, cells, is_constant=is_constant):
                model.values[key] = (is_constant, cells)
        elif way == 1:
            # Arrays are not allowed in an update's callback.
            if is_exact or not declared:
                return
            cells = self.cells(declared, wanted)
            is_of_batch = scope and chance.one_in(2)
            for cell in cells:
                cell.is_fault = bool(is_of_batch and chance.one_in(8))
            arrow = Arrow(declared, cells)
            if arrow.pass_to(
                lambda *given: self.given("set_values_arrow", *given),
                2 if is_of_batch else scope,
                name.encode(),
            ):
                # Invalid values also affect the layouts of their items.
                for cell in cells:
                    cell.is_fault = cell.is_fault or not is_valid(declared, cell)
                model.values[key] = (False, cells)
        elif way == 2:
            first = chance.end() if chance.one_in(20) else min(chance.below(len(known) + 1), wanted)
            cells = self.cells(declared, wanted - first if first <= wanted else 0)
            if is_choice or not first or not cells:
                return
            if self.put("set_values_from", scope, name, declared, cells, (first,)):
                if first > len(known):
                    fail(f"values from {first} on are accepted after {len(known)}")
                model.values[key] = (False, known[:first] + cells)
        else:
            is_odd = chance.one_in(20)
            place = chance.end() if is_odd else chance.below(len(known) + 1)
            room, more = max(len(known) - place, 0), wanted - len(known)
            removed = chance.end() if is_odd else chance.below(min(room, 4) + 1)
            added = chance.below(5)
            # Mostly the required count.
            if not is_odd and not chance.one_in(6):
                removed = min(room, -more) if more < 0 else chance.below(min(room, 4) + 1)
                added = max(0, more + removed)
            cells = self.cells(declared, added)
            if self.put("splice_values", scope, name, declared, cells, (place, removed)):
                if removed > len(known) - place:
                    fail(f"a splice beyond the {len(known)} values is accepted")
                model.values[key] = (False, known[:place] + cells + known[place + removed :])

    def set_values(self):
        scope = not self.chance.one_in(4)
        name, declared = self.choose(ITEM_VALUES if scope else SECTION_VALUES)
        self.give_values(int(scope), name, declared, False)

    def set_values_right(self):
        """Sets values again that do not fit or are invalid, because they end every query."""
        for (scope, name), (constant, cells) in list(self.model.values.items()):
            has_faults = any(cell.is_fault for cell in cells)
            is_wrong = not constant and len(cells) != self.model.wanted(scope)
            if is_wrong or has_faults and self.chance.one_in(3):
                declared = schemas[self.model.version][ITEM_VALUES if scope else SECTION_VALUES][
                    name
                ]
                right = Cell(
                    declared.choices[0] if declared.type == "enum" else [0.0] * declared.components
                )
                cells = [right] * self.model.wanted(scope)
                if self.put("set_values", scope, name, declared, cells):
                    self.model.values[scope, name] = (False, list(cells))

    def set_functions(self):
        which, model = self.chance.below(3), self.model
        way = self.chance.below(4)
        if way == 0 and self.given("set_measure", self.used.measure if which else None, None):
            model.measure, model.pushed, model.pushed_kinds = which, {}, {}
        elif way == 1 and self.given(
            "set_measure_supplementary", self.used.measure_kind if which else None, None
        ):
            model.measure_kinds, model.pushed, model.pushed_kinds = which, {}, {}
        elif way > 1:
            name, _ = self.choose(DELEGATES)
            which = 3 if self.chance.one_in(20) else which
            if self.given("set_delegate", name.encode(), delegates[which], None):
                model.delegates[name] = which
                if not which:
                    del model.delegates[name]

    def set_progress(self):
        self.given("set_progress", self.progress if self.chance.one_in(2) else None, None)

    # ------------------------------------------------------------ Sizes

    def note_offers(self):
        """Sizes are forgotten once an element is offered another."""
        model, offer, height = self.model, c_double(), c_double()
        for section, (identity, items) in enumerate(model.sections):
            places = [(model.pushed_kinds, identity, b"header", 0)]
            places += [(model.pushed, identity, None, item) for item, identity in enumerate(items)]
            for sizes, identity, kind, item in places:
                if identity not in sizes:
                    continue
                if not self.given(
                    "proposed_size", kind, section, item, byref(offer), byref(height)
                ):
                    # Without a known proposal, nothing is certain.
                    self.forget()
                    return
                if offer.value != sizes[identity][1]:
                    del sizes[identity]

    def forget(self):
        """Sets the sections again, so that the session forgets values and sizes."""
        if self.given("set_sections", wholes(*self.model.counts()), len(self.model.sections)):
            self.model.set_sections(self.model.sections)

    def give_sizes(self):
        chance, model = self.chance, self.model
        is_kind = chance.one_in(3)
        kind = None if not is_kind else b"mark" if chance.one_in(9) else b"header"
        section, item = self.place()
        if is_kind and not chance.one_in(9):
            item = 0
        items = model.sections[section][1] if section < len(model.sections) else []
        room = 1 if is_kind and section < len(model.sections) else len(items)
        count = (
            chance.end() % 2**48
            if chance.one_in(20)
            else chance.below(min(max(room - item, 0), 4) + 1)
        )
        if count > 8:
            self.given("withdraw_measured", kind, section, item, count)
            return
        sizes = [chance.real() if chance.one_in(99) else 2.0 + chance.below(30) for _ in range(16)]
        offer, height = c_double(), c_double()
        # Sizes belong to a proposal, so query it first.
        if not self.given("proposed_size", kind, section, item, byref(offer), byref(height)):
            return
        if is_kind:
            model.pushes_kinds = True
        else:
            model.pushes_items = True
        gives = not chance.one_in(3)
        done = (
            self.given("set_measured", kind, section, item, doubles(*sizes), count)
            if gives
            else self.given("withdraw_measured", kind, section, item, count)
        )
        for place in range(count if done else 0):
            known = model.pushed_kinds if is_kind else model.pushed
            identity = model.sections[section][0] if is_kind else items[item + place]
            if gives:
                known[identity] = (sizes[2 * place : 2 * place + 2], offer.value)
            else:
                known.pop(identity, None)
        self.note_offers()

    def edit(self, sections):
        """Changes sections; returns the edits, and the identities of what is reloaded."""
        chance, count = self.chance, len(sections)
        section = chance.below(count)

        def edits(operation, number=1, origin=(0, 0), target=(0, 0), reloaded=()):
            return [STRUCTS["edit"](operation, number, *origin, *target)], list(reloaded)

        if not count or chance.one_in(6):
            to = chance.below(count + 1)
            sections.insert(to, (self.new_identity(), [self.new_identity()]))
            return edits(INSERT_SECTION, target=(to, 0))
        identity, items = sections[section]
        place = chance.below(len(items) + 1)
        some = 1 + chance.below(min(3, len(items))) if items else 0
        first = chance.below(len(items) - some + 1)
        way = chance.below(8 if items else 4)
        if way == 0:
            to = chance.below(count)
            sections.insert(to, sections.pop(section))
            return edits(MOVE_SECTION, 1, (section, 0), (to, 0))
        if way == 1:
            return edits(RELOAD_SECTION, 1, (section, 0), reloaded=[identity, *items])
        if way == 2 and chance.one_in(3):
            del sections[section]
            return edits(DELETE_SECTION, 1, (section, 0))
        if way < 4:
            added = [self.new_identity() for _ in range(1 + chance.below(3))]
            items[place:place] = added
            return edits(INSERT, len(added), target=(section, place))
        if way == 4:
            return edits(RELOAD, some, (section, first), reloaded=items[first : first + some])
        if way == 5:
            to = chance.below(count)
            moved = items.pop(first)
            to_item = chance.below(len(sections[to][1]) + 1)
            sections[to][1].insert(to_item, moved)
            return edits(MOVE, 1, (section, first), (to, to_item))
        del items[first : first + some]
        found, _ = edits(DELETE, some, (section, first))
        if way == 6:
            # Insertion indexes are after the deletion.
            to = chance.below(len(items) + 1)
            items.insert(to, self.new_identity())
            found += edits(INSERT, target=(section, to))[0]
        return found, []

    def _supply(self, _, session):
        model = self.model
        self.is_supplied = True
        pushed, kinds = model.pushed, model.pushed_kinds
        model.set_sections(self.new_sections)
        model.pushed, model.pushed_kinds, model.removed_is_known = pushed, kinds, True
        number = c_double()
        if (
            self.chance.one_in(9)
            and self.library.session_content_size(session, byref(number), byref(number)) != MISUSED
        ):
            fail("the callback of an update can query")
        for scope, sort in ((0, SECTION_VALUES), (1, ITEM_VALUES)):
            for name, declared in schemas[model.version][sort].items():
                if not self.chance.one_in(3):
                    self.give_values(scope, name, declared, True)
        return 5 if self.chance.one_in(40) else 0

    def update(self):
        chance, model, tracks = self.chance, self.model, c_uint64()
        old = [(identity, list(items)) for identity, items in model.sections]
        sections = [(identity, list(items)) for identity, items in model.sections]
        edits, reloaded = self.edit(sections)
        counts = [len(items) for _, items in sections]
        way = chance.choice(["update", "update_visible", "update_identities"])
        changes = (STRUCTS["edit"] * len(edits))(*edits), len(edits)
        if way == "update_identities":
            reloaded = []
            changes = [
                texts(*[str(item) for _, items in some for item in items], None)
                for some in (old, sections)
            ]
            # Sections match by number.
            sections = [
                (old[place][0] if place < len(old) else self.new_identity(), items)
                for place, (_, items) in enumerate(sections)
            ]
        elif chance.one_in(20):
            counts.append(1 + chance.below(3))
            changes[0][0].from_item = chance.end()
        self.new_sections, self.is_supplied = sections, False
        done = self.given(
            way, *changes, wholes(*counts), len(counts), self.supply, None, byref(tracks)
        )
        if not self.is_supplied:
            if done:
                fail("an update is done without its data")
            return
        for identity in reloaded:
            model.pushed.pop(identity, None)
            model.pushed_kinds.pop(identity, None)
        if not done:
            # The counts stay; everything else is unspecified.
            if self.given("set_sections", wholes(*counts), len(counts)):
                model.set_sections(sections)
                model.removed_is_known = False
            return
        model.removed, model.removed_is_known = {}, True
        self.note_offers()

    def drag(self):
        chance, model = self.chance, self.model
        held, edit, count = STRUCTS["element"](), STRUCTS["edit"](), c_uint64(9)
        section, item = c_uint64(), c_uint64()
        if not model.held and chance.below(20):
            place = self.place()
            if self.given("drag_begin", *place):
                model.held = [place, place]
            return
        way = chance.below(6)
        if way == 0 and self.given("drag_cancel"):
            if not model.held:
                fail("a drag is cancelled that was not begun")
            (origin, target), model.held = model.held, None
            model.move_item(target, origin)
        elif way == 1 and self.given("drag_end", byref(edit), byref(count)):
            (origin, target), model.held = model.held or (None, None), None
            moved = (edit.from_section, edit.from_item), (edit.to_section, edit.to_item)
            if (
                not origin
                or count.value != (origin != target)
                or count.value
                and moved != (origin, target)
            ):
                fail(f"a drag from {origin} to {target} ends with {count.value} edits: {moved}")
        elif way == 2 and self.given("drag_held", byref(held), ELEMENT):
            if not model.held or (held.section, held.item) != model.held[1]:
                fail("another item is held")
        elif way > 2:
            x, y = (
                chance.real() if chance.one_in(20) else chance.below(most) for most in (1500, 300)
            )
            if self.given("drag_to", x, y, byref(section), byref(item)):
                target = section.value, item.value
                if not model.held or target[0] >= len(model.sections):
                    fail(f"an item is dragged to {target}")
                model.move_item(model.held[1], target)
                model.held[1] = target
                model.removed, model.removed_is_known = {}, True

    def batch(self):
        chance, model, parts, bounds = self.chance, self.model, [], []
        while chance.below(3) and sum(parts) < len(model.sections):
            parts.append(1 + chance.below(len(model.sections) - sum(parts)))
        if parts:
            parts[-1] += len(model.sections) - sum(parts)
        count = len(parts or model.sections)
        if chance.one_in(2):
            bounds = [
                chance.real() if chance.one_in(20) else 100.0 + chance.below(300)
                for _ in range(2 * count)
            ]
        declared, cells = None, []
        if chance.one_in(2):
            _, declared = self.choose(PARAMETERS)
            cells = self.cells(declared, count)
            for cell in cells:
                cell.is_fault = chance.one_in(9)
        if chance.one_in(3):
            names = [
                name
                for name in ("alpha", "z_index", "hidden", "shade", "label", "lit", "kind")
                if chance.one_in(3)
            ]
            names = None if chance.one_in(3) else names
            given = (texts(*names, None), len(names)) if names is not None else (None, 0)
            if self.given("set_batch_columns", *given):
                model.batch_columns = names
        # Undo what the other version lacks.
        if any(not knows_column(model, name) for name in model.batch_columns or []):
            self.given("set_batch_columns", None, 0)
            model.batch_columns = None
        compare_batch(
            self.library, self.fresh, self.used, self.folder, parts, bounds, declared, cells
        )
        self.note_offset(self.used)
        self.note_offers()

    # ------------------------------------------------------------ Engines, versions, processes

    def list_engines(self):
        chance, library = self.chance, self.library
        some = library.engines_create() if chance.one_in(2) else library.engines_copy(self.engines)
        if not some:
            fail("there are no engines")
        info, refusal, count, refused = (
            STRUCTS["engine_info"](),
            STRUCTS["refusal"](),
            c_uint64(),
            c_uint64(),
        )
        is_odd = chance.one_in(9)
        library.engines_add_folder(
            some, b"/nowhere" if is_odd else f"{self.folder}/versions".encode()
        )
        if is_odd:
            library.engines_add_standard_folders(some)
        for name, value in {
            "isolation": chance.below(4),
            "refusal_time": 0,
            "worker": None,
            "time_limit": chance.real() if is_odd else 60,
            "memory_limit": chance.end() if is_odd else 1 << 32,
            "row_limit": chance.end() if is_odd else 1000,
            "kept_workers": chance.below(99 if is_odd else 3),
            "cache": f"{self.folder}/cache".encode(),
            "allowlist": b"/nowhere" if is_odd else None,
        }.items():
            getattr(library, f"engines_set_{name}")(some, value)
        library.engines_require_full_sandbox(some, 7 if is_odd else 0)
        if not library.engines_list(some, byref(count), byref(refused)):
            library.engines_get(some, chance.below(count.value + 1), byref(info), size_of(info))
            library.engines_get_refusal(some, chance.below(refused.value + 1), byref(refusal))
        elif not library.engines_message(some) or not library.engines_code(some):
            fail("a listing fails and says nothing")
        library.host_version()
        library.engines_destroy(some)

    def replace(self):
        """Renames another version over the library, or rarely an invalid file.

        All sessions load it at once, to know what each drops; during a drag, a session would later.
        """
        if self.is_sharing or any(used.model.held for used in self.sessions):
            return
        version = self.chance.choice(VERSIONS)
        replace_library(self.folder, "none" if self.chance.one_in(9) else f"v{version}.so")
        # Calls check the file every 50 ms.
        time.sleep(0.06)
        for used in self.sessions:
            self.note_offset(used)
            used.note_version()

    def open_session(self):
        session = c_void_p()
        file = b"nothing" if self.chance.one_in(20) else f"{self.folder}/live/live.so".encode()
        if self.library.session_create(self.engines, file, byref(session)):
            if (
                session
                or not self.library.engines_message(self.engines)
                or not self.library.engines_code(self.engines)
            ):
                fail("a session that is not created is not null, or nothing says why")
            return
        used = Used(self.library, session, Model(self.new_identity()))
        used.note_version()
        self.sessions.append(used)

    def close_session(self):
        if len(self.sessions) > 1 and self.chance.one_in(3):
            self.sessions.remove(self.used)
            self.library.session_destroy(self.used.session)
            self.used = None

    def fork_child(self):
        """A forked child uses the handles; the parent is unaffected."""
        if self.is_sharing or not self.chance.one_in(4):
            return
        library, session = self.library, self.used.session
        child = os.fork()
        if child == 0:
            signal.alarm(30)
            library.session_content_size(session, byref(c_double()), byref(c_double()))
            library.session_query_all(session, None, ELEMENT, 0, byref(c_uint64()))
            library.session_message(session)
            library.session_destroy(session)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        report.forks += 1
        if os.WIFSIGNALED(status):
            fail(f"a child of the program ends with the signal {os.WTERMSIG(status)}")

    def share(self):
        """Several threads call functions with one session: each call is done or refused."""
        library, session, seed = self.library, c_void_p(), self.chance.below(1 << 40)
        if library.session_create(
            self.engines, f"{self.folder}/live/live.so".encode(), byref(session)
        ):
            return

        def work(thread):
            chance = Chance(f"{seed} {thread}")
            for _ in range(150):
                number = chance.below(4)
                name, *arguments = chance.choice(
                    [
                        ("kind_name", number),
                        ("attribute_count",),
                        ("attribute_name", number),
                        ("needs",),
                        ("attribute_choice", number, 0),
                        ("offset", byref(c_double()), byref(c_double())),
                        ("declaration_count", number),
                        ("refusal_time", byref(c_uint32())),
                        ("get_sandbox",),
                        ("set_sections", wholes(chance.below(9), chance.below(9)), 2),
                        ("batch_message", number),
                        ("set_parameter", b"gap", doubles(chance.below(50)), 1),
                        ("declared_choice", 0, number, 0),
                        ("query_all", None, ELEMENT, 0, byref(c_uint64())),
                    ]
                )
                getattr(library, f"session_{name}")(session, *arguments)

        in_threads(work, 3)
        library.session_destroy(session)


DOORS = {
    "set_viewport": 6,
    "set_viewport_right": 4,
    "set_parameter": 10,
    "set_list": 5,
    "set_sections": 3,
    "set_values": 14,
    "set_values_right": 6,
    "set_functions": 5,
    "give_sizes": 8,
    "set_progress": 1,
    "update": 10,
    "drag": 14,
    "query": 24,
    "look": 3,
    "declarations": 2,
    "export_result": 2,
    "call_function": 4,
    "batch": 5,
    "animate": 3,
    "list_engines": 1,
    "replace": 5,
    "open_session": 1,
    "close_session": 1,
    "fork_child": 1,
    "share": 1,
}


def is_valid(declared, cell):
    if declared.type == "enum":
        return cell.value in declared.choices
    number = cell.value[0]
    if not math.isfinite(number):
        return False
    if declared.type == "integer":
        return number == math.floor(number) and abs(number) <= 2**53
    return declared.type != "bool" or number in (0, 1)


def in_threads(work, count):
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def replace_library(folder, name):
    shutil.copyfile(f"{folder}/versions/{name}", f"{folder}/live/new")
    os.rename(f"{folder}/live/new", f"{folder}/live/live.so")


def work(given, seed, steps):
    """One run, in its own process."""
    chance, library = Chance(seed), Library(given.trace)
    isolation, threads = 2 if chance.one_in(3) else 0, 3 if chance.one_in(4) else 1
    replace_library(given.folder, f"v{chance.choice(VERSIONS)}.so")
    engines = library.engines(f"{given.folder}/versions")
    read_schemas(library, engines, given.folder)
    library.engines_destroy(engines)

    def one(thread):
        world = World(library, given.folder, isolation, chance, threads > 1)
        world.identities = thread * 1000000
        for step in range(steps):
            # Per-step random numbers.
            world.chance = Chance(f"{seed} {thread} {step}")
            if thread == 0:
                report.step = step
            world.step()
        world.close()

    in_threads(one, threads)


if __name__ == "__main__":
    sys.exit(fuzz(__doc__, work, True))
