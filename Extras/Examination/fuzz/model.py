"""A session's input as the program knows it: by names and by identities."""

import copy
import math

from library import *

FIXED = {"alpha", "z_index", "hidden", "kind"}  # columns of a batch that every engine has
VERSIONS = (1, 2, 3)
schemas = {}


class Declared:
    def __init__(self, found, choices):
        self.name, self.type, self.components = (
            found.name.decode(),
            found.type.decode(),
            found.components,
        )
        self.minimum, self.maximum, self.choices = list(found.minimum), list(found.maximum), choices

    def is_like(self, other):
        return other is not None and (self.type, self.choices) == (other.type, other.choices)


class Cell:
    """A value: the name of a choice, or numbers."""

    def __init__(self, value, is_fault=False):
        self.value, self.is_fault = value, is_fault  # a fault is an invalid value of a batch


class Model:
    def __init__(self, section):
        self.version = 0
        self.viewport = {
            "bounds": (375, 667),
            "offset": (0, 0),
            "content_insets": (0,) * 4,
            "safe_area": (0,) * 4,
            "layout_margins": (0,) * 4,
            "scale": (2,),
            "direction": (0,),
            "element_limit": (10**7,),
        }
        self.sections = [(section, [])]
        self.parameters, self.lists, self.delegates = {}, {}, {}
        self.values, self.removed, self.removed_is_known = (
            {},
            {},
            True,
        )  # by scope and name: whether constant, cells
        self.measure = self.measure_kinds = 0
        self.pushes_items = self.pushes_kinds = False
        self.pushed, self.pushed_kinds = (
            {},
            {},
        )  # by identity: a size, and the width that was offered
        self.batch_columns, self.held = None, None  # where a held item was, and where it is

    def items(self):
        return sum(len(items) for _, items in self.sections)

    def counts(self):
        return [len(items) for _, items in self.sections]

    def index_of(self, place):
        return sum(self.counts()[: place[0]]) + place[1]

    def wanted(self, scope):
        return self.items() if scope else len(self.sections)

    def has_right_counts(self):
        return all(
            constant or len(cells) == self.wanted(name[0])
            for name, (constant, cells) in self.values.items()
        )

    def has_faults(self):
        return any(cell.is_fault for _, cells in self.values.values() for cell in cells)

    def is_viewport_valid(self):
        shown = self.viewport
        edges = [
            *shown["content_insets"],
            *shown["safe_area"],
            *shown["layout_margins"],
            *shown["bounds"],
        ]
        return (
            all(0 <= edge <= 1e12 for edge in edges)
            and all(abs(place) <= 1e12 for place in shown["offset"])
            and 0.01 <= shown["scale"][0] <= 1000
        )

    def set_sections(self, sections):
        """Sets the sections, and forgets what that forgets."""
        self.removed |= self.values
        self.values, self.pushed, self.pushed_kinds, self.held = {}, {}, {}, None
        self.sections = sections

    def move_item(self, origin, target):
        if origin == target:
            return
        start = self.index_of(origin)
        self.sections[target[0]][1].insert(target[1], self.sections[origin[0]][1].pop(origin[1]))
        end = self.index_of(target)
        for (scope, _), (constant, cells) in self.values.items():
            if scope and not constant and len(cells) > max(start, end):
                cells.insert(end, cells.pop(start))

    def adopt(self, number):
        """Drops what another version does not declare."""
        old, now = schemas[self.version], schemas[number]

        def is_kept(name, cell):
            declared, last = now[PARAMETERS].get(name), old[PARAMETERS].get(name)
            if not declared or not last or declared.type != last.type:
                return False
            if declared.type == "enum":
                return cell.value in declared.choices
            limits = zip(declared.minimum, cell.value, declared.maximum)
            return all(least <= number <= most for least, number, most in limits)

        def is_value_kept(name):
            sort = ITEM_VALUES if name[0] else SECTION_VALUES
            last = old[sort].get(name[1])
            return last and last.is_like(now[sort].get(name[1]))

        self.parameters = {
            name: cell for name, cell in self.parameters.items() if is_kept(name, cell)
        }
        self.values = {name: column for name, column in self.values.items() if is_value_kept(name)}
        self.removed = {
            name: column for name, column in self.removed.items() if is_value_kept(name)
        }
        self.removed_is_known = self.removed_is_known and not self.removed
        before, after = old[COLUMNS], now[COLUMNS]
        if list(before) != list(after) or not all(
            before[name].is_like(after[name]) for name in before
        ):
            self.lists = {}
        self.delegates = {
            name: which
            for name, which in self.delegates.items()
            if old[DELEGATES][name].is_like(now[DELEGATES].get(name))
        }
        if number == 2:
            self.pushed_kinds = {}  # it does not size headers
        self.version = number


class Used:
    """A session, what it was given, and its callbacks."""

    def __init__(self, library, session=None, model=None):
        self.library, self.session, self.model = library, session, model
        self.in_batch = False
        self.measure, self.measure_kind = MEASURE(self._measure), MEASURE_KIND(self._measure_kind)

    def _measure(self, _, section, item, proposed, measured):
        layout, first = c_uint64(), c_uint64()
        status = self.library.session_batch_part(self.session, byref(layout), byref(first))
        if (status == 0) != self.in_batch:
            fail(f"a measuring function learns {status} of its layout")
        identity = section * 31 + item
        if not self.in_batch:
            if section >= len(self.model.sections) or item >= len(self.model.sections[section][1]):
                fail(f"item {item} of section {section} is measured, which there is not")
            identity = self.model.sections[section][1][item]
        measured[0], measured[1] = (
            min(proposed[0], 90),
            5 + (identity * 7 + self.model.measure * 13) % 30,
        )
        return 0

    def _measure_kind(self, _, kind, section, proposed, measured):
        sections = self.model.sections
        identity = (
            section if self.in_batch else sections[section][0] if section < len(sections) else 0
        )
        measured[0], measured[1] = (
            proposed[0],
            3 + (identity * 5 + len(kind) + self.model.measure_kinds) % 20,
        )
        return 0

    def note_version(self):
        info = STRUCTS["engine_info"]()
        if self.library.session_get_engine(self.session, byref(info), size_of(info)):
            return
        version = int(info.version.split(b".")[1])
        if not self.model.version:
            self.model.version = version
        elif version != self.model.version:
            report.reloads += 1
            self.model.adopt(version)


def answering(number):
    def answer(_, arguments, count, result, wanted):
        for place in range(wanted):
            result[place] = number * 10 + place
        if wanted:
            result[0] += sum(arguments[place] for place in range(count))
        return 0

    return DELEGATE(answer)


# None removes the function; the last one fails.
delegates = [DELEGATE(), answering(1), answering(2), DELEGATE(lambda *_: 7)]


def flattened(cells, components):
    return doubles(*[number for cell in cells for number in cell.value[:components]])


def choices_of(cells):
    return texts(*[cell.value for cell in cells])


class Arrow:
    """Values as an array of the Arrow C data interface, valid as long as this is."""

    def __init__(self, declared, cells):
        schema, array = self.schema, self.array = STRUCTS["ArrowSchema"](), STRUCTS["ArrowArray"]()
        inner_schema, inner = STRUCTS["ArrowSchema"](), STRUCTS["ArrowArray"]()
        self.release = RELEASE(lambda _: None)
        for struct in (schema, array, inner_schema, inner):
            struct.release = ctypes.cast(self.release, c_void_p)
        validity = (c_uint8 * (len(cells) // 8 + 1))()
        for place, cell in enumerate(cells):
            validity[place // 8] |= (not cell.is_fault) << place % 8
        array.length, array.null_count = len(cells), -1
        if declared.type == "enum":
            parts = [cell.value.encode() for cell in cells]
            text = ctypes.create_string_buffer(b"".join(parts))
            ends = [sum(map(len, parts[:place])) for place in range(len(parts) + 1)]
            schema.format, buffers = b"u", [validity, (c_int32 * len(ends))(*ends), text]
        elif declared.components > 1:
            numbers = flattened(cells, declared.components)
            schema.format, buffers = b"+w:%d" % declared.components, [validity]
            inner_schema.format, inner.n_buffers = b"g", 2
            inner.length = array.length * declared.components
            inner.buffers = self._pointers(None, numbers)
            schema.n_children = array.n_children = 1
            schema.children, array.children = self._pointers(inner_schema), self._pointers(inner)
        else:
            schema.format, buffers = b"g", [validity, flattened(cells, 1)]
        array.n_buffers, array.buffers = len(buffers), self._pointers(*buffers)

    def _pointers(self, *things):
        """The address of an array of addresses, which stays with what it leads to."""
        addresses = [ctypes.addressof(thing) if thing is not None else None for thing in things]
        array = (c_void_p * len(things))(*addresses)
        self.kept = [*getattr(self, "kept", []), *things, array]
        return ctypes.addressof(array)

    def pass_to(self, function, *arguments):
        return function(*arguments, byref(self.schema), byref(self.array))


def knows_column(model, name):
    return name in FIXED or name in schemas[model.version][ATTRIBUTES]


def replay(library, engines, model, folder, is_laid_out):
    """A session of a version that has the same input."""
    fresh = Used(library, model=copy.deepcopy(model))
    session = c_void_p()
    if library.session_create(engines, version_file(folder, model.version), byref(session)):
        fail(f"there is no new session: {library.engines_message(engines)}")
    fresh.session = session

    def give(name, *arguments):
        status = getattr(library, f"session_{name}")(session, *arguments)
        if status:
            message = library.session_message(session)
            fail(f"the new session refuses what the other has: {name}, {status}, {message}")

    schema = schemas[model.version]
    if model.measure:
        give("set_measure", fresh.measure, None)
    if model.measure_kinds:
        give("set_measure_supplementary", fresh.measure_kind, None)
    give("set_sections", wholes(*model.counts()), len(model.sections))
    for name, numbers in model.viewport.items():
        give(f"set_{name}", *numbers)
    for name, cell in model.parameters.items():
        if isinstance(cell.value, str):
            give("set_parameter_choice", name.encode(), cell.value.encode())
        else:
            components = schema[PARAMETERS][name].components
            give("set_parameter", name.encode(), doubles(*cell.value), components)
    for name, (count, columns) in model.lists.items():
        give("set_list", name.encode(), count)
        for column, cells in columns.items():
            if schema[COLUMNS][f"{name}.{column}"].type == "enum":
                give(
                    "set_list_choices",
                    name.encode(),
                    column.encode(),
                    choices_of(cells),
                    len(cells),
                    8,
                )
            else:
                give(
                    "set_list_column",
                    name.encode(),
                    column.encode(),
                    flattened(cells, 1),
                    1,
                    len(cells),
                    8,
                )
    for (scope, name), (constant, cells) in model.values.items():
        declared, text = schema[ITEM_VALUES if scope else SECTION_VALUES][name], name.encode()
        if any(cell.is_fault for cell in cells):
            Arrow(declared, cells).pass_to(lambda *given: give("set_values_arrow", *given), 2, text)
        elif declared.type == "enum":
            give(
                "set_value_choices",
                scope,
                text,
                choices_of(cells),
                len(cells),
                0 if constant else 8,
            )
        else:
            width = declared.components
            stride = 0 if constant else 8 * width
            give("set_values", scope, text, flattened(cells, width), width, len(cells), stride)
    for name, which in model.delegates.items():
        give("set_delegate", name.encode(), delegates[which], None)
    if model.batch_columns is not None:
        names = [name for name in model.batch_columns if knows_column(model, name)]
        give("set_batch_columns", texts(*names, None), len(names))
    # Without a layout, neither session takes sizes.
    if not is_laid_out:
        return fresh
    if model.pushes_items:
        library.session_withdraw_measured(session, None, 0, 0, 0)
    # Not every version sizes headers.
    sizes_headers = (
        model.pushes_kinds
        and model.sections
        and not library.session_withdraw_measured(session, b"header", 0, 0, 1)
    )
    for section, (identity, items) in enumerate(model.sections):
        if sizes_headers and identity in model.pushed_kinds:
            give(
                "set_measured", b"header", section, 0, doubles(*model.pushed_kinds[identity][0]), 1
            )
        for item, identity in enumerate(items):
            if identity in model.pushed:
                give("set_measured", None, section, item, doubles(*model.pushed[identity][0]), 1)
    return fresh


def answer_of(used):
    """The status of a query of all, and what the session shows."""
    library, session, count = used.library, used.session, c_uint64()
    width, height = c_double(), c_double()
    status = (
        library.session_content_size(session, byref(width), byref(height))
        or library.session_query_all(session, None, size_of(STRUCTS["element"]), 0, byref(count))
        or library.session_content_size(session, byref(width), byref(height))
    )
    if status:
        return status, []
    rows = elements(count.value)
    size = size_of(STRUCTS["element"])
    if library.session_copy_elements(session, 0, rows, size, count.value, byref(count)):
        fail("elements that were found are not copied")
    found = [width.value, height.value]
    for row in rows[: count.value]:
        kind = library.session_kind_name(session, row.kind) if row.kind != 0xFFFFFFFF else b""
        if kind is None:
            fail(f"an element has the kind {row.kind}, which has no name")
        numbers = [
            getattr(row, name) for name, _ in row._fields_ if name not in ("kind", "transform")
        ]
        if (
            row.width < 0
            or row.height < 0
            or not math.isfinite(row.x + row.y)
            or not 0 <= row.alpha <= 1
        ):
            fail(f"an element is invalid: {numbers}")
        found += [kind, *numbers, *row.transform]
    for attribute in range(library.session_attribute_count(session) if count.value else 0):
        found.append(library.session_attribute_name(session, attribute))
        numbers, copied = doubles(*[0.0] * (4 * count.value)), c_uint64()
        for components in (1, 2, 4):
            if not library.session_copy_attribute(
                session, attribute, 0, numbers, components, count.value, byref(copied)
            ):
                break
        if copied.value != count.value:
            fail(f"attribute {attribute} is not copied: {library.session_message(session)}")
        found += numbers[: components * count.value]
    return 0, found


def check_same(one, other, what):
    if len(one) != len(other):
        fail(f"{what}: {len(one)} numbers; a session made new has {len(other)}")
    for place, (found, expected) in enumerate(zip(one, other)):
        if found != expected and found == found:
            fail(f"{what}: number {place} is {found!r}; a session made new has {expected!r}")


def settled(used):
    """A session's answer; measuring moves the offset, on which pinned elements depend."""
    while True:
        status, _ = answer_of(used)
        if status == CANCELLED:
            continue
        if not status:
            x, y = c_double(), c_double()
            used.library.session_offset(used.session, byref(x), byref(y))
            used.model.viewport["offset"] = (x.value, y.value)
            status, found = answer_of(used)
            if status == CANCELLED:
                continue
            return status, found
        return status, []


def compare(library, engines, used, folder):
    """Fails unless a session made new with the same input gives the same answer."""
    version = used.model.version
    status, found = settled(used)
    message = library.session_message(used.session)
    if status and not (message and library.session_code(used.session)):
        fail(f"a query ends with {status} and says nothing")
    used.note_version()
    if version != used.model.version:
        fail(f"version {version} is replaced by {used.model.version} when nothing was renamed")
    report.compared += 1
    model = used.model
    if not model.has_right_counts():
        if model.is_viewport_valid() and status != INVALID:
            fail(f"values of other counts than items end with {status}; expected {INVALID}")
        return
    fresh = replay(library, engines, model, folder, status == 0)
    new_status, expected = answer_of(fresh)
    if not new_status:
        library.session_set_offset(fresh.session, *model.viewport["offset"])
        new_status, expected = answer_of(fresh)
    if status != new_status:
        other = library.session_message(fresh.session)
        fail(
            f"the status is {status}, {message}; that of a session made new is {new_status},"
            f" {other}"
        )
    check_same(found, expected, "the layout")
    library.session_destroy(fresh.session)
    if not status:
        model.removed, model.removed_is_known = {}, True


def batch_of(used, parts, bounds):
    library, session = used.library, used.session
    columns, batch = STRUCTS["columns"](), STRUCTS["batch"]()
    count = len(parts or used.model.sections)
    used.in_batch = True
    status = library.session_query_batch(
        session,
        wholes(*parts) if parts else None,
        doubles(*bounds) if bounds else None,
        count,
        byref(columns),
        size_of(columns),
        byref(batch),
        size_of(batch),
    )
    used.in_batch = False
    if status:
        return status, []
    statuses = numbers_at(batch.statuses, batch.count, c_int32)
    found = [columns.count, *numbers_at(batch.ends, batch.count, c_uint64), *statuses]
    found += numbers_at(batch.content_sizes, 2 * batch.count)
    for layout, one in enumerate(statuses):
        message = library.session_batch_message(session, layout)
        if library.session_batch_code(session, layout) is None or (one != 0) != bool(message):
            fail(f"layout {layout} has the status {one} and the message {message}")
    run = STRUCTS["element_run"]
    for row in numbers_at(columns.runs, columns.run_count, run):
        found += [row.category, row.section, row.first_item, row.count]
    return 0, found + numbers_at(columns.frames, 4 * columns.count) + numbers_at(
        columns.alphas, columns.count
    )


def compare_batch(library, engines, used, folder, parts, bounds, parameter, cells):
    model = used.model

    def give(session):
        if parameter is None:
            return 0
        set_parameter = library.session_set_batch_parameter_arrow
        return Arrow(parameter, cells).pass_to(set_parameter, session, parameter.name.encode())

    given = give(used.session)
    status, found = batch_of(used, parts, bounds)
    message = library.session_message(used.session)
    if parameter is not None:
        library.session_set_batch_parameter_arrow(used.session, parameter.name.encode(), None, None)
    # Measuring callbacks don't get the layout, and invalid values take no sizes.
    if (
        given
        or status == CANCELLED
        or model.measure
        or model.measure_kinds
        or not model.has_right_counts()
    ):
        return
    if model.has_faults() and (model.pushes_items or model.pushes_kinds):
        return
    fresh = replay(library, engines, model, folder, status == 0)
    if give(fresh.session):
        fail("the new session refuses the parameter of a batch")
    new_status, expected = batch_of(fresh, parts, bounds)
    if status != new_status:
        other = library.session_message(fresh.session)
        fail(
            f"the status of a batch is {status}, {message}; that of a session made new is"
            f" {new_status}, {other}"
        )
    check_same(found, expected, "the batch")
    library.session_destroy(fresh.session)
    report.compared += 1


def version_file(folder, version):
    return f"{folder}/versions/v{version}.so".encode()


def read_schemas(library, engines, folder):
    """Reads what each version declares."""
    for version in VERSIONS:
        session, schema = c_void_p(), []
        if library.session_create(engines, version_file(folder, version), byref(session)):
            fail(f"version {version} cannot be used: {library.engines_message(engines)}")
        for sort in range(9):
            declared = {}
            for place in range(library.session_declaration_count(session, sort)):
                found = STRUCTS["declaration"]()
                library.session_get_declaration(session, sort, place, byref(found), size_of(found))
                choices = [
                    library.session_declared_choice(session, sort, place, choice).decode()
                    for choice in range(found.choice_count)
                ]
                declared[found.name.decode()] = Declared(found, choices)
            schema.append(declared)
        schemas[version] = schema
        library.session_destroy(session)
