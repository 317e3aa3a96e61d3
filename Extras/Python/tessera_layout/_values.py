"""Converts names, numbers and sections from Python for libtessera."""

from __future__ import annotations

import ctypes
import decimal
import difflib
import math
import operator
import os
import re
from ctypes import byref, c_char_p, c_double, c_uint64
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Sequence, Set, Tuple

from ._native import (
    BATCH_SCOPE,
    DeclarationStruct,
    InvalidError,
    MisusedError,
    capsule_address,
    library,
    text,
)

try:
    import numpy as _numpy
except ImportError:  # numpy is optional
    _numpy = None  # type: ignore[assignment]

#: Component names by type.
PARTS: Dict[str, Tuple[str, ...]] = {
    "point": ("x", "y"),
    "size": ("width", "height"),
    "rect": ("x", "y", "width", "height"),
    "insets": ("top", "left", "bottom", "right"),
}
#: Doubles are exact up to this integer.
MOST_EXACT = 1 << 53

(
    PARAMETERS,
    SECTION_VALUES,
    ITEM_VALUES,
    ATTRIBUTES,
    KINDS,
    DELEGATES,
    FUNCTIONS,
    LISTS,
    LIST_COLUMNS,
) = range(9)


def snake_case(name: str) -> str:
    """targetRowHeight → target_row_height"""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


@dataclass(frozen=True)
class Declaration:
    """A declared parameter, value, attribute, kind or function."""

    #: The engine's spelling: targetRowHeight.
    name: str
    #: One sentence.
    help: str
    #: "number", "integer", "bool", "enum", "point", "size", "rect" or "insets"; a function's
    #: signature; a kind's category.
    type: str
    #: Such as "pt"; may be empty.
    unit: str
    #: The declaring engine's id.
    engine: str
    #: The parameter with the default; may be empty.
    fallback: str
    #: An enum's choices.
    choices: Tuple[str, ...]
    #: The default: a number, a bool, a tuple of numbers, a choice's name, or None.
    initial: Any
    #: The limits of each number, or infinities.
    minimum: Tuple[float, ...]
    maximum: Tuple[float, ...]
    #: Numbers per value.
    components: int
    #: "header", "footer", "badge", "background", "separator", "label" or "other".
    role: str = ""
    #: The attribute with a kind's meaning; empty: its section, or for a badge its item.
    shows: str = ""

    @property
    def keyword(self) -> str:
        """The name in Python: target_row_height."""
        return snake_case(self.name)

    @property
    def summary(self) -> str:
        """Type, limits and default, such as "number, pt, 0 or more, default 240"."""
        parts = [" | ".join(repr(choice) for choice in self.choices) or self.type]
        if self.unit:
            parts.append(self.unit)
        limits = {range_text(low, high) for low, high in zip(self.minimum, self.maximum)}
        if len(limits) == 1:
            parts += [limit for limit in limits if limit]
        if self.initial is not None:
            parts.append(f"default {plain(self.initial)!r}")
        if self.fallback:
            parts.append(f"default {snake_case(self.fallback)}")
        return ", ".join(parts)


def plain(value: Any) -> Any:
    """An int if the number is whole."""
    if isinstance(value, tuple):
        return tuple(plain(number) for number in value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def range_text(low: float, high: float) -> str:
    if low > float("-inf"):
        return f"{plain(low)} to {plain(high)}" if high < float("inf") else f"{plain(low)} or more"
    return f"{plain(high)} or less" if high < float("inf") else ""


def declarations(session: Any, sort: int) -> List[Declaration]:
    """Declarations of a session's engine and its bases."""
    found = []
    struct = DeclarationStruct()
    for index in range(library.session_declaration_count(session, sort)):
        if library.session_get_declaration(
            session, sort, index, byref(struct), ctypes.sizeof(struct)
        ):
            continue
        choices = tuple(
            text(library.session_declared_choice(session, sort, index, choice))
            for choice in range(struct.choice_count)
        )
        count, type_ = int(struct.components), text(struct.type)
        initial: Any = None
        if sort in (PARAMETERS, ATTRIBUTES, LIST_COLUMNS):
            numbers = tuple(struct.initial[:count])
            initial = numbers if count > 1 else numbers[0]
            if type_ == "enum":
                initial = choices[int(numbers[0])]
            elif type_ == "bool":
                initial = bool(numbers[0])
            elif type_ == "integer":
                initial = int(numbers[0])
        limited = sort in (PARAMETERS, LIST_COLUMNS) and type_ not in ("bool", "enum")
        found.append(
            Declaration(
                text(struct.name),
                text(struct.help),
                type_,
                text(struct.unit),
                text(struct.engine),
                text(struct.fallback),
                choices,
                initial,
                tuple(struct.minimum[:count]) if limited else (),
                tuple(struct.maximum[:count]) if limited else (),
                count,
                text(struct.role),
                text(struct.shows),
            )
        )
    return found


def columns_of(name: str, declared: Sequence[Declaration]) -> List[Declaration]:
    """A list's columns, declared as list and column name."""
    prefix = name + "."
    return [
        replace(column, name=column.name[len(prefix) :])
        for column in declared
        if column.name.startswith(prefix)
    ]


def records(
    name: str, value: Any, columns: Sequence[Declaration], engine: str
) -> Tuple[int, List[Tuple[Declaration, Any]]]:
    """A list's record count and columns, from a mapping of columns, or from a mapping per record;
    records of a tree can be nested as `children`.
    """
    what = f"column of {name}"
    if isinstance(value, Mapping):
        given = [(resolve(key, columns, what, engine), column) for key, column in value.items()]
        lengths = {
            length for length in (length_of(column) for _, column in given) if length is not None
        }
        if len(lengths) != 1:
            several = " and ".join(str(length) for length in sorted(lengths)) or "no"
            raise InvalidError(f"the columns of {name} have {several} values; give as many in each")
        return lengths.pop(), given
    parent = next(
        (column for column in columns if column.name == "parent" and column.type == "integer"), None
    )
    found: Dict[str, List[Any]] = {}
    count, nested, refers = 0, False, False
    waiting: List[Tuple[Any, int]] = [
        (record, -1)
        for record in reversed(listed(() if value is None else value, name, "a list of records"))
    ]
    # The current record and its ancestors; each is removed at its mark.
    above: Set[int] = set()
    mark = object()
    while waiting:
        record, owner = waiting.pop()
        if record is mark:
            above.remove(owner)
            continue
        if not isinstance(record, Mapping):
            raise InvalidError(
                f"record {count} of {name} is {record!r}; give a mapping of columns to values"
            )
        values = {}
        for key, item in record.items():
            if key == "children" and parent is not None:
                if id(record) in above:
                    raise InvalidError(f"record {count} of {name} is nested in itself; give a tree")
                nested = True
                above.add(id(record))
                waiting.append((mark, id(record)))
                waiting += [
                    (child, count)
                    for child in reversed(listed(item, f"children of {name}", "a list of records"))
                ]
            else:
                column = resolve(key, columns, what, engine)
                refers = refers or column is parent
                values[column.name] = item
        if owner >= 0 and parent is not None:
            values.setdefault(parent.name, owner)
        for column in columns:
            if column.name in values or column.name in found:
                rows = found.setdefault(column.name, [])
                rows += [column.initial] * (count - len(rows))
                rows.append(values.get(column.name, column.initial))
        count += 1
    if nested and refers:
        raise InvalidError(
            f"records of {name} name a parent, and others have children; write all in one of the"
            " two ways"
        )
    return count, [(column, found[column.name]) for column in columns if column.name in found]


def resolve(name: str, declared: Sequence[Declaration], what: str, engine: str) -> Declaration:
    """Finds a declaration by either spelling; an error suggests the nearest name."""
    if not isinstance(name, str):
        raise InvalidError(f"{engine} has no {what} {shown(name)}; give the name as a text")
    for declaration in declared:
        if name in (declaration.name, declaration.keyword):
            return declaration
    names = [
        declaration.name if re.search("[A-Z]", name) else declaration.keyword
        for declaration in declared
    ]
    near = difflib.get_close_matches(name, names, 1, 0.5)
    if near:
        remedy = f'did you mean "{near[0]}"?'
    elif names:
        remedy = f"it has {', '.join(sorted(names))}"
    else:
        remedy = "it has none"
    raise InvalidError(f'{engine} has no {what} "{name}"; {remedy}')


# ---------------------------------------------------------------- validation

#: Limit of counts and indexes.
MOST_ITEMS = 1 << 62


def whole(value: Any, name: str, most: int = MOST_ITEMS, least: int = 0) -> int:
    """A count, index or limit in a range. ctypes would wrap invalid ones."""
    try:
        found = (
            int(value) if isinstance(value, float) and value.is_integer() else operator.index(value)
        )
    except (TypeError, ValueError, OverflowError):
        raise InvalidError(f"{name} holds {value!r}; give whole numbers") from None
    if not least <= found <= most:
        raise InvalidError(
            f"{name} holds {shown(found)}; give numbers of {least} or more"
            + ("" if found < least else f", and at most {most}")
        )
    return found


def real(value: Any, name: str) -> float:
    """A number as a double; the host checks infinities and NaN. Texts are rejected."""
    try:
        if isinstance(value, int) and abs(value) > MOST_EXACT:
            raise OverflowError
        return math.ldexp(value, 0)
    except (TypeError, ValueError, OverflowError):
        raise InvalidError(
            f"{name} is {shown(value)}; give a number that a double can hold exactly"
        ) from None


def listed(value: Any, name: str, what: str) -> List[Any]:
    """The entries of an iterable; rejects texts, bytes and mappings."""
    try:
        if isinstance(value, (str, bytes, bytearray, Mapping)):
            raise TypeError
        return list(value)
    except (TypeError, NotImplementedError):
        raise InvalidError(f"{name} is {shown(value)}; give {what}") from None
    except (ValueError, OverflowError, MemoryError) as failure:
        reason = str(failure) or "it has too many entries"
        raise InvalidError(
            f"{name} is {shown(value)}, which cannot be read: {reason}; give {what}"
        ) from failure


def characters(value: Any, name: str, what: str) -> List[Any]:
    """The entries of a list, or the characters of a text."""
    return list(value) if isinstance(value, str) else listed(value, name, what)


def mapping(value: Any, name: str) -> Mapping[Any, Any]:
    """Values by name; None is empty."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidError(f"{name} is {shown(value)}; give a mapping of names to values")
    return value


def collected(data: Any) -> Any:
    """Collects a lazy polars frame."""
    return data.collect() if hasattr(data, "collect_schema") and hasattr(data, "collect") else data


def table(data: Any) -> Dict[str, List[Any]]:
    """Columns of a data frame, an Arrow table, a DuckDB relation, a mapping of columns, or a list
    of rows.
    """
    if data is None:
        return {}
    data = collected(data)
    if not isinstance(data, Mapping) and hasattr(data, "columns"):
        names = listed(
            data.column_names if hasattr(data, "column_names") else data.columns,
            "the columns of data",
            "names",
        )
        for name in names:
            if names.count(name) > 1:
                raise InvalidError(
                    f"data has several columns {name!r}; give one of them another name"
                )
    if hasattr(data, "fetchall") and hasattr(data, "columns"):
        found: Mapping[Any, Any] = dict(zip(names, zip(*data.fetchall()))) or {
            name: [] for name in names
        }
    elif hasattr(data, "to_pydict"):
        found = data.to_pydict()
    elif (
        not isinstance(data, Mapping) and hasattr(data, "columns") and hasattr(data, "__getitem__")
    ):
        found = {name: data[name] for name in names}
    elif isinstance(data, Mapping):
        found = data
    else:
        rows = listed(
            data, "data", "a data frame, a mapping of columns, or a list of rows that are mappings"
        )
        given = []
        for place, row in enumerate(rows):
            fields = named(row)
            if fields is None:
                raise InvalidError(
                    f"row {place} of data is {shown(row)}; give a mapping of columns to values"
                )
            given.append(fields)
        names = list(dict.fromkeys(name for row in given for name in row))
        found = {name: [row.get(name) for row in given] for name in names}
    columns = {}
    for name, column in mapping(found, "what data has as columns").items():
        # numpy would convert nanosecond dates and durations to integers.
        is_plain = hasattr(column, "tolist") and getattr(
            getattr(column, "dtype", None), "kind", ""
        ) not in ("m", "M")
        cells = (
            column.tolist()
            if is_plain
            else listed(column, f"column {name}", "a value for each row")
        )
        if str(name) in columns:
            raise InvalidError(
                f"data has several columns {str(name)!r}; give one of them another name"
            )
        columns[str(name)] = cells
    lengths = {len(column) for column in columns.values()}
    if len(lengths) > 1:
        raise InvalidError(
            f"the columns of data have {' and '.join(map(str, sorted(lengths)))} rows; give as many"
            " in each"
        )
    return columns


def encoded(value: Any, name: str) -> bytes:
    """A C string; rejects NUL."""
    try:
        found = str(value).encode()
    except UnicodeEncodeError:
        raise InvalidError(
            f"{name} is {shown(value)}, which is not UTF-8; give text without lone surrogates"
        ) from None
    if b"\0" in found:
        raise InvalidError(f"{name} is {shown(value)}; give text without NUL characters")
    return found


def path(value: Any, name: str) -> bytes:
    """A path for C: any bytes but NUL."""
    try:
        found = os.fsencode(value)
    except (TypeError, UnicodeEncodeError):
        raise InvalidError(f"{name} is {shown(value)}; give a path") from None
    if b"\0" in found:
        raise InvalidError(f"{name} is {shown(value)}; give a path without NUL characters")
    return found


def opened(pointer: Optional[int]) -> int:
    """The session; raises MisusedError if the layout is closed."""
    if not pointer:
        raise MisusedError("the layout is closed; create another")
    return pointer


def shown(value: Any) -> str:
    """A value for a message, shortened."""
    if isinstance(value, int) and abs(value) >> 200:
        return f"a number of {value.bit_length()} bits"
    found = repr(value)
    return found if len(found) <= 80 else found[:80] + "…"


def cell_of(value: Any) -> Any:
    """A data frame's cell as a Python value; None if missing."""
    if _numpy is not None and isinstance(value, (_numpy.datetime64, _numpy.timedelta64)):
        # Nanoseconds would become integers.
        value = value.astype(f"{value.dtype.kind}8[us]")
    if (
        hasattr(value, "item")
        and not hasattr(value, "isoformat")
        and getattr(value, "ndim", 0) == 0
    ):
        value = value.item()
    if isinstance(value, decimal.Decimal) and value == value:
        return int(value) if value == value.to_integral_value() else float(value)
    try:
        return None if value is None or value != value else value
    except (TypeError, ValueError):
        # No truth value: pandas.NA, or an array.
        return None if type(value).__name__ == "NAType" else value


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) or (
        _numpy is not None and isinstance(value, (_numpy.number, _numpy.bool_))
    )


def named(value: Any) -> Optional[Mapping[str, Any]]:
    """Fields of a mapping, a Spark row or a named tuple; otherwise None."""
    if isinstance(value, Mapping):
        return value
    names = (
        (getattr(value, "__fields__", None) or getattr(value, "_fields", None))
        if isinstance(value, tuple)
        else None
    )
    return dict(zip(names, value)) if names else None


def in_order(value: Any, name: str, kind: str) -> Any:
    """A struct's numbers in the order of a type such as "size"; other values unchanged."""
    found = named(value)
    if found is None or kind not in PARTS:
        return value
    if set(found) != set(PARTS[kind]):
        raise InvalidError(f"{name} is {shown(value)}; give {', '.join(PARTS[kind])}")
    return [found[part] for part in PARTS[kind]]


def numbers(value: Any, name: str, count: int, kind: str = "") -> "ctypes.Array[c_double]":
    """Numbers of one value; structs by field name."""
    what = f"{count} number{'s' if count > 1 else ''}"
    parts = [value] if is_number(value) else listed(in_order(value, name, kind), name, what)
    return (c_double * len(parts))(*(real(part, name) for part in parts))


def counts(lengths: Iterable[Any], what: str) -> List[int]:
    return [whole(length, what) for length in listed(lengths, what, "a list of whole numbers")]


def section_counts(
    items: Optional[int],
    sections: Optional[Iterable[Any]],
    offsets: Optional[Iterable[Any]],
    groups: Optional[Iterable[Any]],
) -> Optional[List[int]]:
    """The item count of each section, or None."""
    given = [
        name
        for name, value in (
            ("items", items),
            ("sections", sections),
            ("offsets", offsets),
            ("groups", groups),
        )
        if value is not None
    ]
    if len(given) > 1:
        raise InvalidError(f"{' and '.join(given)} are given; give one of them")
    if items is not None:
        return counts([items], "items")
    if sections is not None:
        return counts(sections, "sections")
    if offsets is not None:
        ends = counts(offsets, "offsets")
        if not ends or ends[0] != 0:
            raise InvalidError("offsets begin at 0 and have one entry more than there are sections")
        return counts(
            (end - start for start, end in zip(ends, ends[1:])), "the differences of offsets"
        )
    if groups is not None:
        return [
            sum(1 for _ in group)
            for _, group in groupby(characters(groups, "groups", "the group of each item"))
        ]
    return None


def length_of(value: Any) -> Optional[int]:
    """A column's length; None for one value for all."""
    if is_number(value) or isinstance(value, (str, tuple, Mapping)):
        return None
    try:
        return len(value)
    except (TypeError, ValueError, OverflowError):
        raise InvalidError(
            f"a value is {shown(value)}; give one value for all, or a column of them"
        ) from None


def set_values(session: Any, scope: int, declared: Declaration, value: Any) -> int:
    """Sets a section or item value; returns the status."""
    name = declared.name.encode()
    # Combines a table column's chunks.
    if declared.components > 1 and hasattr(value, "combine_chunks"):
        value = value.combine_chunks()
    if hasattr(value, "__arrow_c_array__"):
        given = value.__arrow_c_array__()
        try:
            schema, array = given
            addresses = capsule_address(schema, b"arrow_schema"), capsule_address(
                array, b"arrow_array"
            )
        except (TypeError, ValueError) as failure:
            raise InvalidError(
                f"{declared.name} is {shown(value)}, which gives no Arrow array: {failure}; give"
                " one with a schema and an array"
            ) from None
        return int(library.session_set_values_arrow(session, scope, name, *addresses))
    return _set(
        value,
        declared,
        lambda *numbers: library.session_set_values(session, scope, name, *numbers),
        lambda *choices: library.session_set_value_choices(session, scope, name, *choices),
    )


def set_values_of_batch(session: Any, declared: Declaration, value: Any) -> int:
    """Sets a batch's item value from an Arrow array; an invalid value fails only its layout.
    Returns the status.
    """
    schema, array = value.__arrow_c_array__()
    addresses = capsule_address(schema, b"arrow_schema"), capsule_address(array, b"arrow_array")
    return int(
        library.session_set_values_arrow(session, BATCH_SCOPE, declared.name.encode(), *addresses)
    )


def set_parameter_of_batch(session: Any, declared: Declaration, value: Any) -> int:
    """Sets a parameter per layout of a batch, from an Arrow array. Returns the status."""
    schema, array = value.__arrow_c_array__()
    addresses = capsule_address(schema, b"arrow_schema"), capsule_address(array, b"arrow_array")
    return int(
        library.session_set_batch_parameter_arrow(session, declared.name.encode(), *addresses)
    )


def splice_values(
    session: Any, scope: int, declared: Declaration, place: Any, removed: Any, value: Any
) -> int:
    """Replaces some values; returns the status."""
    where = (
        scope,
        declared.name.encode(),
        whole(place, "a place"),
        whole(removed, "a number of values"),
    )
    if length_of(value) is None or isinstance(value, str):
        raise InvalidError(f"{declared.name} is spliced with {shown(value)}; give a list of values")
    return _set(
        value,
        declared,
        lambda *numbers: library.session_splice_values(session, *where, *numbers),
        lambda *choices: library.session_splice_value_choices(session, *where, *choices),
    )


def set_list(session: Any, name: str, declared: Declaration, value: Any) -> int:
    """Sets a column of a list; returns the status."""
    place = name.encode(), declared.name.encode()
    return _set(
        value,
        declared,
        lambda *numbers: library.session_set_list_column(session, *place, *numbers),
        lambda *choices: library.session_set_list_choices(session, *place, *choices),
    )


def _set(
    value: Any,
    declared: Declaration,
    set_numbers: Callable[..., Any],
    set_choices: Callable[..., Any],
) -> int:
    """Passes a column, or one value for all, to a library function for numbers or choice names."""
    if declared.type == "enum":
        choices_given = (
            [value] if isinstance(value, str) else listed(value, declared.name, "names of choices")
        )
        texts = [encoded(choice, declared.name) for choice in choices_given]
        choices = (c_char_p * max(1, len(texts)))(*texts)
        return int(
            set_choices(
                choices, len(texts), 0 if isinstance(value, str) else ctypes.sizeof(c_char_p)
            )
        )
    width = declared.components
    if length_of(value) is None:
        one = numbers(value, declared.name, width, declared.type)
        return int(set_numbers(one, len(one), 1, 0))
    memory, count, width = column(value, declared)
    return int(set_numbers(memory, width, count, 8 * width))


def by_name(value: Any, declared: Declaration) -> Any:
    """A column of structs, or a data frame with a column per field, as rows of numbers; other
    columns unchanged.
    """
    names = PARTS[declared.type]
    if hasattr(value, "columns") and hasattr(value, "__array__"):
        heads = list(getattr(value, "column_names", value.columns))
        if not set(map(str, heads)).intersection(names):
            return value
        if sorted(map(str, heads)) != sorted(names):
            raise InvalidError(
                f"{declared.name} has the columns {', '.join(map(str, heads))}; give"
                f" {', '.join(names)}"
            )
        return value.select(list(names)) if hasattr(value, "select") else value[list(names)]
    if (
        not isinstance(value, list)
        and not hasattr(value, "to_list")
        and not hasattr(value, "tolist")
    ):
        return value
    try:
        first = next(row for row in value if row is not None)
    except (TypeError, ValueError, NotImplementedError, StopIteration):
        return value
    if named(first) is None:
        return value
    rows = []
    for place, row in enumerate(value):
        where = f"{declared.name} at index {place}"
        if named(row) is None:
            raise InvalidError(f"{where} is {shown(row)}; give {', '.join(names)}")
        rows.append(tuple(in_order(row, where, declared.type)))
    return rows


def column(value: Any, declared: Declaration) -> Tuple[Any, int, int]:
    """A column's doubles, its length and its numbers per value. Copies only if it isn't contiguous
    doubles.
    """
    name, width = declared.name, declared.components
    if width > 1:
        value = by_name(value, declared)
    if _numpy is not None:
        try:
            # Masked means missing.
            if isinstance(value, _numpy.ma.MaskedArray):
                value = _numpy.where(
                    _numpy.ma.getmaskarray(value), _numpy.nan, _numpy.ma.getdata(value)
                )
            array = _numpy.asarray(value)
            if (
                array.dtype.kind in "iu"
                and array.size
                and max(int(array.max()), -int(array.min())) > MOST_EXACT
            ):
                raise OverflowError("it has integers beyond 2^53, which a double cannot hold")
            # Numbers, bools and convertible objects; not texts, times or complex numbers.
            if array.dtype.kind not in "fiubO":
                raise TypeError(f"it is of {array.dtype}")
            if array.dtype.kind == "O":
                array = _numpy.array([real(part, name) for part in array.flat]).reshape(array.shape)
            array = _numpy.ascontiguousarray(array, dtype=_numpy.float64)
        except InvalidError:
            raise
        except (TypeError, ValueError, OverflowError, MemoryError) as failure:
            raise InvalidError(
                f"{name} is not a column of numbers: {failure}; give a number for each"
            ) from None
        if array.ndim > 2:
            raise InvalidError(
                f"{name} has the shape {array.shape}; give ({array.shape[0]}, {width})"
            )
        if not len(array):
            return None, 0, width
        # The pointer keeps the array alive.
        return (
            array.ctypes.data_as(ctypes.c_void_p),
            int(array.shape[0]),
            int(array.shape[1]) if array.ndim == 2 else 1,
        )
    try:
        view = memoryview(value)
    except TypeError:
        view = None
    if view is not None and view.ndim > 2:
        raise InvalidError(f"{name} has the shape {view.shape}; give ({view.shape[0]}, {width})")
    if view is not None and view.format == "d" and view.c_contiguous:
        count, width = view.shape[0] if view.shape else 1, view.shape[1] if view.ndim == 2 else 1
        return (
            (c_double * max(1, view.nbytes // 8)).from_buffer_copy(view.cast("B") or bytes(8)),
            count,
            width,
        )
    rows = listed(value, name, f"{width} for each")
    flat: List[float] = []
    for row in rows:
        wanted = "a number for each" if width == 1 else f"{width} numbers for each"
        parts = (
            [row]
            if is_number(row)
            else listed(row, f"{name} is not a column of numbers: a value", wanted)
        )
        if len(parts) != width:
            raise InvalidError(
                f"{name} has a value of {len(parts)} numbers; it is of type {declared.type}, give"
                f" {width}"
            )
        flat += [real(part, name) for part in parts]
    return (c_double * max(1, len(flat)))(*flat), len(rows), width


def count_array(values: Sequence[int]) -> Any:
    """Checked counts for C."""
    return (c_uint64 * max(1, len(values)))(*values)
