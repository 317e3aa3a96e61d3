"""Layouts of table rows by Arrow, shared by Spark, DuckDB and tessera.layouts.

A Work has the settings and column names. It is created where the column types are known, rejects
anything that no row can have, and is pickled. A Process lays out batches of rows in one worker.
"""

from __future__ import annotations

import contextlib
import ctypes
import decimal
import inspect
import math
import os
import re
from array import array
from bisect import bisect_right
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Union,
)

from . import _native, _values
from ._layout import Host, Layout
from ._native import DiedError, Error, InvalidError, RefusedError

try:
    import numpy as _numpy
except ImportError:  # numpy is optional
    _numpy = None  # type: ignore[assignment]

#: A number for all rows, or a column's name.
Side = Union[float, str]
#: A row's error: code and sentence.
Problem = Tuple[str, str]

#: Most items per call, so that results fit the cache; a larger row is passed alone.
_ITEMS_AT_ONCE = 1 << 17
#: Most rows per call with `max_errors`.
_ROWS_TO_STOP = 256
_MOST_ITEMS = 1 << 40
#: Rows of a large table per batch.
_ROWS_AT_ONCE = 1 << 16
#: Doubles are exact up to this integer.
_MOST_EXACT = 1 << 53
#: Defaults in bytes and seconds.
_MEMORY_LIMIT, _TIME_LIMIT = 512 << 20, 1.0
#: Least start time in seconds.
_START_LIMIT = 10.0
_MOST_ELEMENTS = 10_000_000
PARTS: Dict[str, Tuple[str, ...]] = _values.PARTS
SIZE = PARTS["size"]
#: Columns of every engine, with type and default. A type is an SQL name or a struct's fields.
COLUMNS: Dict[str, Tuple[Any, Any]] = {
    "category": ("string", None),
    "kind": ("string", None),
    "section": ("bigint", 0),
    "item": ("bigint", 0),
    "frame": (PARTS["rect"], None),
    "alpha": ("double", 1.0),
    "z_index": ("int", 0),
    "hidden": ("boolean", False),
}
_ATTRIBUTES = {
    "number": "double",
    "integer": "bigint",
    "bool": "boolean",
    "enum": "string",
    **PARTS,
}
#: The last columns of a result.
ENDING: Tuple[Tuple[str, Any], ...] = (
    ("content_size", SIZE),
    ("error", "string"),
    ("error_code", "string"),
)
DEFAULT_COLUMNS = ("category", "kind", "item", "frame")


def types() -> Any:
    import pyarrow  # type: ignore[import-untyped, unused-ignore]

    return pyarrow.types


def arrow_type(kind: Any, single: bool = False) -> Any:
    """The Arrow type of a column; 32-bit numbers if `single`."""
    import pyarrow

    if isinstance(kind, tuple):
        return pyarrow.struct(
            [(name, pyarrow.float32() if single else pyarrow.float64()) for name in kind]
        )
    if kind == "double" and single:
        return pyarrow.float32()
    plain = {
        "string": pyarrow.string,
        "bigint": pyarrow.int64,
        "int": pyarrow.int32,
        "double": pyarrow.float64,
        "boolean": pyarrow.bool_,
    }
    return plain[kind]()


def columns_of(declared: Any, names: Sequence[str]) -> List[Tuple[str, Any, Any]]:
    """Element columns by name, each with its type and its default.

    :param declared: The engine; None if it varies, so there are no attributes.
    """
    known = dict(COLUMNS)
    if declared is not None:
        known.update(
            (name, (_ATTRIBUTES[one.type], one.initial))
            for name, one in declared.attributes.items()
        )
    for name in names:
        if name not in known:
            owner = "an element" if declared is None else declared.id
            raise InvalidError(f"{owner} has no column {name!r}; it has {', '.join(known)}")
    return [(name, *known[name]) for name in names]


def names_of(given: Any, what: str) -> List[str]:
    """Unique column names."""
    names = _values.listed(given, what, "a list of names")
    for name in names:
        if not isinstance(name, str):
            raise InvalidError(f"{what} has {_values.shown(name)}; give names")
        if names.count(name) > 1:
            raise InvalidError(f"{what} has {name!r} twice; give each name once")
    return names


def _is_list(type_: Any) -> bool:
    found = types()
    return any(
        getattr(found, f"is_{name}")(type_)
        for name in ("list", "large_list", "fixed_size_list", "list_view", "large_list_view")
    )


def _is_number(type_: Any) -> bool:
    found = types()
    return bool(found.is_integer(type_) or found.is_floating(type_) or found.is_decimal(type_))


def _may_be(is_right: Callable[[Any], bool], type_: Any) -> bool:
    """Whether a type matches, or is all null."""
    return bool(types().is_null(type_)) or is_right(type_)


def _is_text(type_: Any) -> bool:
    found = types()
    if found.is_dictionary(type_):
        type_ = type_.value_type
    return bool(
        found.is_string(type_) or found.is_large_string(type_) or found.is_string_view(type_)
    )


def _plain_type(type_: Any) -> Any:
    """The decoded type: whole columns may be dictionary or run-end encoded, and lists and structs
    may contain dictionaries. Text dictionaries stay.
    """
    return _without_dictionaries(type_.value_type if types().is_run_end_encoded(type_) else type_)


def _without_dictionaries(type_: Any) -> Any:
    import pyarrow

    found = types()
    if found.is_dictionary(type_):
        return type_ if _is_text(type_) else _without_dictionaries(type_.value_type)
    if found.is_struct(type_):
        fields = [type_.field(place) for place in range(type_.num_fields)]
        return pyarrow.struct([one.with_type(_without_dictionaries(one.type)) for one in fields])
    value = _without_dictionaries(type_.value_type) if _is_list(type_) else None
    if value is None or value.equals(type_.value_type):
        return type_
    if found.is_fixed_size_list(type_):
        return pyarrow.list_(value, type_.list_size)
    return (pyarrow.large_list if found.is_large_list(type_) else pyarrow.list_)(value)


def _plain_column(column: Any) -> Any:
    """A column, decoded."""
    import pyarrow.compute as compute  # type: ignore[import-untyped, unused-ignore]

    if types().is_run_end_encoded(column.type):
        column = compute.run_end_decode(column)
    elif types().is_dictionary(column.type) and not _is_text(column.type):
        column = column.dictionary_decode()
    type_ = _plain_type(column.type)
    return column if column.type.equals(type_) else column.cast(type_)


def check_values(declared: Any, type_: Any, what: str) -> None:
    """Checks an Arrow type against an engine's declaration."""
    found = types()
    if found.is_null(type_):
        return
    if declared.type == "enum":
        if not _is_text(type_):
            raise InvalidError(
                f"{what} is of {type_}, but {declared.keyword} is a choice; give texts:"
                f" {', '.join(declared.choices)}"
            )
    elif declared.components == 1:
        is_right = _is_number(type_) or (declared.type == "bool" and found.is_boolean(type_))
        if declared.type == "bool":
            is_right = found.is_boolean(type_) or found.is_integer(type_)
        if not is_right:
            wanted = {"bool": "booleans", "integer": "whole numbers"}.get(declared.type, "numbers")
            raise InvalidError(f"{what} is of {type_}; give {wanted} for {declared.keyword}")
    elif found.is_struct(type_):
        names, wanted_names = [type_.field(place).name for place in range(type_.num_fields)], PARTS[
            declared.type
        ]
        if sorted(names) != sorted(wanted_names):
            raise InvalidError(
                f"{what} has the fields {', '.join(names) or 'none'}, but {declared.keyword} is a"
                f" {declared.type}; give a struct of {', '.join(wanted_names)}"
            )
        for place, name in enumerate(names):
            kind = type_.field(place).type
            if not (_is_number(kind) or found.is_null(kind)):
                raise InvalidError(f"the field {name} of {what} is of {kind}; give numbers")
    elif not (
        _is_list(type_)
        and (_is_number(type_.value_type) or found.is_null(type_.value_type))
        and (not found.is_fixed_size_list(type_) or type_.list_size == declared.components)
    ):
        raise InvalidError(
            f"{what} is of {type_}, but {declared.keyword} is a {declared.type}; give a struct of "
            f"{', '.join(PARTS[declared.type])}, or an array of {declared.components} numbers"
        )


def check_shape(
    found: Mapping[str, Any], bounds: Sequence[Side], items: Optional[str], sections: Optional[str]
) -> None:
    """Checks the Arrow types of item counts and bounds. A null is an error of its row, even if all
    are.
    """
    if items is not None and sections is not None:
        raise InvalidError("items and sections are given; give one of them")
    for side in bounds:
        if isinstance(side, str) and not _may_be(_is_number, found[side]):
            raise InvalidError(f"{side} is of {found[side]}; give numbers for the bounds")
    if items is not None and not _may_be(_is_number, found[items]):
        raise InvalidError(f"{items} is of {found[items]}; give whole numbers of items")
    if sections is not None and not _may_be(
        lambda type_: _is_list(type_) and _may_be(_is_number, type_.value_type), found[sections]
    ):
        raise InvalidError(
            f"{sections} is of {found[sections]}; give an array of the number of items in each"
            " section"
        )


class Work:
    """The settings of a layout, and the columns of a table that it reads."""

    def __init__(
        self,
        engine: str,
        *,
        values: Optional[Mapping[str, Any]] = None,
        items: Optional[str] = None,
        sections: Optional[str] = None,
        bounds: Tuple[Side, Side] = (375.0, 667.0),
        columns: Sequence[str] = DEFAULT_COLUMNS,
        host: Optional[Mapping[str, Any]] = None,
        element_limit: Optional[int] = None,
        max_errors: Optional[int] = None,
        separate: Optional[str] = None,
        float32: bool = False,
        varying: Optional[Mapping[str, str]] = None,
        is_grouped: bool = False,
        settings: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self.engine, self.items, self.sections, self.separate = engine, items, sections, separate
        for name, given in (("items", items), ("sections", sections), ("separate", separate)):
            if given is not None and not isinstance(given, str):
                raise InvalidError(f"{name} is {_values.shown(given)}; give the name of a column")
        self.bounds = tuple(
            _values.listed(
                _values.in_order(bounds, "bounds", "size"), "bounds", "a width and a height"
            )
        )
        if len(self.bounds) != 2:
            raise InvalidError(f"bounds is {_values.shown(bounds)}; give a width and a height")
        self.bounds = tuple(
            side if isinstance(side, str) else _values.real(side, "bounds") for side in self.bounds
        )
        self.max_errors = None if max_errors is None else _values.whole(max_errors, "max_errors")
        self.float32, self.is_grouped = bool(float32), is_grouped
        # Rows are independent: one row's crashes must not block the others. Closed layouts keep
        # nothing.
        self.host: Dict[str, Any] = {
            "refusal_time": 0,
            "time_limit": _TIME_LIMIT,
            "memory_limit": _MEMORY_LIMIT,
            **_values.mapping(host, "host"),
        }
        self.settings = dict(settings or {})
        # Per album; on a busy machine, a process can take as long to start.
        self.settings.setdefault("time_limit", self.host["time_limit"])
        self.host["time_limit"] = max(
            _START_LIMIT, _values.real(self.host["time_limit"], "time_limit of host")
        )
        self.element_limit = _MOST_ELEMENTS
        if element_limit is not None:
            self.element_limit = _values.whole(element_limit, "element_limit", least=1)
            self.host.setdefault("row_limit", max(_MOST_ELEMENTS, self.element_limit))
        self.settings["element_limit"] = max(_MOST_ELEMENTS, self.element_limit)
        self.settings["bounds"] = tuple(
            0.0 if isinstance(side, str) else side for side in self.bounds
        )
        self._checked: Optional[Tuple[int, Layout]] = None
        # Fails here, rather than on executors, if no row can work. The worker that describes the
        # engine also lays out the first rows.
        with _keeping_one(new_host(self.host), self.host.get("kept_workers", 0)) as found_host:
            self.declared = found_host.engine(engine)
            names = list(self.declared.item_values.values())
            found = {
                name: _values.resolve(name, names, "item value", self.declared.id)
                for name in _values.mapping(values, "values")
            }
            #: Item values from columns: declaration and column.
            self.lists = [
                (found[name], column)
                for name, column in (values or {}).items()
                if isinstance(column, str)
            ]
            self.constants = {
                found[name].name: value
                for name, value in (values or {}).items()
                if not isinstance(value, str)
            }
            if self.constants:
                self.declared(1, values=self.constants, **self.settings).close()
            #: Parameters from columns: name and column.
            parameters = list(self.declared.parameters.values())
            self.varying = [
                (_values.resolve(name, parameters, "parameter", self.declared.id), column)
                for name, column in (varying or {}).items()
            ]
            self.columns = columns_of(self.declared, names_of(columns, "columns"))
            if not is_grouped and items is None and sections is None and not self.lists:
                raise InvalidError(
                    "nothing says how many items a row has; give values of array columns, items or"
                    " sections"
                )
            if items is not None and sections is not None:
                raise InvalidError("items and sections are given; give one of them")
            checked = self.declared(0, **self.settings)
            try:
                checked.content_size
            except (DiedError, RefusedError):
                pass  # What an engine makes of no items says nothing about the rows.
            except BaseException:
                checked.close()
                raise
            self._checked = os.getpid(), checked
        #: Input columns, unique.
        self.needed = list(
            dict.fromkeys(
                [column for _, column in self.lists]
                + [side for side in self.bounds if isinstance(side, str)]
                + [name for name in (items, sections, separate) if name is not None]
                + [column for _, column in self.varying]
            )
        )

    def __getstate__(self) -> Dict[str, Any]:
        # Another process starts its own worker.
        self._checked = None
        return {**self.__dict__, "declared": None}

    def close(self) -> None:
        """Ends an unused worker: a caught error may keep the work alive."""
        checked, self._checked = self._checked, None
        if checked is not None:
            checked[1].close()

    def opened(self) -> Layout:
        """A layout in a new worker."""
        checked, self._checked = self._checked, None
        if checked is not None and checked[0] == os.getpid():
            return checked[1]
        return new_host(self.host).layout(self.engine, 0, **self.settings)

    def check(self, found: Mapping[str, Any]) -> None:
        """Checks the Arrow types of input columns."""
        try:
            self._check(found)
        except BaseException:
            self.close()
            raise

    def _check(self, found: Mapping[str, Any]) -> None:
        found = {name: _plain_type(type_) for name, type_ in found.items()}
        for declared, column in self.lists:
            type_ = found[column]
            if not self.is_grouped:
                if not _is_list(type_) and not types().is_null(type_):
                    raise InvalidError(
                        f"{column} is of {type_}; give an array with a value for each item"
                    )
                type_ = type_ if types().is_null(type_) else type_.value_type
            check_values(declared, type_, column if self.is_grouped else f"a value of {column}")
        check_shape(found, self.bounds, self.items, self.sections)
        for declared, column in self.varying:
            check_values(declared, found[column], column)

    def fields(self) -> List[Tuple[str, Any]]:
        """Fields of a result: arrays of element columns (or, with one element per row, none), then
        the layout's.
        """
        return [
            (name, kind if self.is_grouped else ("array", kind)) for name, kind, _ in self.columns
        ] + list(ENDING)

    def arrow_field(self, kind: Any, name: str) -> Any:
        """The Arrow type of a field."""
        import pyarrow

        is_ending = any(name == one for one, _ in ENDING)
        if isinstance(kind, tuple) and kind[0] == "array":
            return pyarrow.list_(pyarrow.field("element", arrow_type(kind[1], self.float32)))
        return arrow_type(kind, self.float32 and not is_ending)


@contextlib.contextmanager
def _keeping_one(host: Host, most: int) -> Iterator[Host]:
    """Keeps a worker between layouts; then restores the limit."""
    host._call("set_kept_workers", 1)
    try:
        yield host
    finally:
        host._call("set_kept_workers", most)


def new_host(settings: Mapping[str, Any]) -> Host:
    """A host with the arguments of `host`."""
    named = dict(settings)
    folders = named.pop("folders", ())
    known = inspect.signature(Host).parameters
    for name in named:
        if name not in known:
            raise InvalidError(f"host has no {name!r}; it has {', '.join(known)}")
    return Host(*([folders] if isinstance(folders, str) else folders), **named)


def sentence(text: str) -> str:
    """Rewrites advice for bulk layouts."""
    # Running out of the worker's memory leaves no room for rows either.
    text = text.replace(
        "ask for a part with in_rect(), or for fewer items",
        "allow more with element_limit=… and Host(memory_limit=…)",
    )
    text = text.replace("Host(row_limit=…)", "element_limit=…").replace(" or set(time_limit=…)", "")
    return re.sub(r"Host\((\w+)=…\)", r'host={"\1": …}', text)


class Process:
    """Lays out rows in one worker, or in one per value of the column `separate`."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self._layout: Optional[Layout] = None
        self._tenant: Any = None
        self._errors = 0
        #: Whether the last call ended the worker, or there was no call yet.
        self._is_careful = True

    def close(self) -> None:
        """Ends the worker."""
        layout, self._layout = self._layout, None
        if layout is not None:
            layout.close()

    def _opened(self, tenant: Any = None) -> Layout:
        if self._layout is None or tenant != self._tenant:
            self.close()
            self._layout = self.work.opened()
            if "progress" not in self.work.settings:
                # Called between layouts, so Ctrl-C doesn't wait for several time limits.
                self._layout.set_progress(lambda _: True)
            names = [name.encode() for name, _, _ in self.work.columns]
            self._layout._call(
                "set_batch_columns", (ctypes.c_char_p * max(1, len(names)))(*names), len(names)
            )
            self._tenant = tenant
        return self._layout

    # ---------------------------------------------------------------- rows

    def lay_out(self, batch: Any) -> Iterator[Tuple[int, int, List[Any]]]:
        """Yields results for some rows at a time: first row, end row, and the field arrays.

        :param batch: A record batch with the needed columns.
        """
        import pyarrow

        needed = set(self.work.needed)
        plain = [
            _plain_column(column) if name in needed else column
            for name, column in zip(batch.schema.names, batch.columns)
        ]
        if plain:
            batch = pyarrow.RecordBatch.from_arrays(plain, batch.schema.names)
        counts, sections, bounds, wrong = self._shapes(batch)
        for first, last in self._pieces(counts):
            part = (
                {row: problem for row, problem in wrong.items() if first <= row < last}
                if wrong
                else {}
            )
            yield first, last, self._piece(batch, counts, sections, bounds, part, first, last)

    def _pieces(self, counts: Any) -> Iterator[Tuple[int, int]]:
        """Row ranges with few enough items for one call."""
        import pyarrow.compute as compute

        if len(counts) == 0:
            return
        numbers = _buffer(compute.cumulative_sum(counts))
        ends = memoryview(numbers.buffers()[1]).cast("q")[
            numbers.offset : numbers.offset + len(numbers)
        ]
        first, items = 0, 0
        while first < len(ends):
            last = max(first + 1, bisect_right(ends, items + _ITEMS_AT_ONCE, first))
            if self.work.max_errors is not None:
                # Few enough to stop early, even if each row times out.
                last = min(
                    last,
                    first
                    + (
                        max(1, self.work.max_errors - self._errors + 1)
                        if self._is_careful
                        else _ROWS_TO_STOP
                    ),
                )
            yield first, last
            first, items = last, ends[last - 1]

    def _shapes(self, batch: Any) -> Tuple[Any, Any, Any, Dict[int, Problem]]:
        """Item counts, section counts if there are several, bounds, and problems by row. Invalid
        rows have no items.
        """
        import pyarrow
        import pyarrow.compute as compute

        work, rows = self.work, batch.num_rows
        wrong: Dict[int, Problem] = {}

        def note(mask: Any, problem: Any, code: str = "invalidValue") -> None:
            for row in compute.indices_nonzero(mask.fill_null(False)).to_pylist():
                wrong.setdefault(row, (code, problem(row)))

        lengths: List[Tuple[str, Any]] = []
        for _, column in work.lists:
            found = batch.column(column)
            length = pyarrow.nulls(rows, pyarrow.int64())
            if not types().is_null(found.type):
                length = compute.list_value_length(found).cast(pyarrow.int64())
                length = compute.if_else(
                    found.is_valid(), length, pyarrow.scalar(None, pyarrow.int64())
                )
            note(
                length.is_null(),
                lambda _, column=column: f"{column} is null; give an empty array for no items",
            )
            lengths.append((column, length))
        sections = None
        if work.sections is not None:
            source, sections = work.sections, batch.column(work.sections)
            if types().is_null(sections.type):
                sections = sections.cast(pyarrow.list_(pyarrow.int64()))
            note(
                sections.is_null(),
                lambda _: f"{source} is null; give an empty array for no sections",
            )
            flat, bad = _whole_numbers(sections.flatten(), f"an entry of {source}")
            owners = _owners(compute.list_value_length(sections))
            for place, problem in bad.items():
                wrong.setdefault(owners[place].as_py(), problem)
            flat = flat.fill_null(0)
            sums = (
                pyarrow.table({"row": owners, "count": flat})
                .group_by("row")
                .aggregate([("count", "sum")])
            )
            totals = _scattered(rows, sums.column("row"), sums.column("count_sum"))
        elif work.items is not None:
            source = work.items
            totals, bad = _whole_numbers(batch.column(source), source)
            for row, problem in bad.items():
                wrong.setdefault(row, problem)
        else:
            source, totals = lengths[0]
        for column, length in lengths:
            if column == source:
                continue
            note(
                compute.not_equal(length, totals),
                lambda row, column=column, length=length: (
                    f"{column} has {length[row].as_py()} values for {totals[row].as_py()} items of"
                    f" {source}; give one for each"
                ),
                "wrongCount",
            )
        for (declared, column), (_, length) in zip(work.lists, lengths):
            misfits = (
                []
                if _is_plain(batch.column(column).type, is_list=True)
                else _misfits(batch.column(column).flatten(), declared)
            )
            owners = None
            for place, found in misfits:
                if owners is None:
                    owners, ends = _owners(length), compute.cumulative_sum(length.fill_null(0))
                row = owners[place].as_py()
                item = place - ends[row].as_py() + length[row].as_py()
                where = " in section 0" if sections is None else ""
                wrong.setdefault(
                    row, ("invalidValue", f"{declared.name} of item {item}{where} {found}")
                )
        note(
            compute.greater(totals, _MOST_ITEMS),
            lambda row: (
                f"{source} has {totals[row].as_py()} items, more than a layout can have; give fewer"
            ),
            "tooManyRows",
        )
        bounds = None
        if any(isinstance(side, str) for side in work.bounds):
            sides = []
            for side in work.bounds:
                if isinstance(side, str):
                    column = batch.column(side).cast(pyarrow.float64(), safe=False)
                    note(
                        column.is_null(),
                        lambda _, side=side: f"{side} is null; give the length of the bounds",
                    )
                    for row, length in _inexact(batch.column(side)):
                        what = (
                            f"{side} is {_number(length)}; give a length that a double can hold"
                            " exactly"
                        )
                        wrong.setdefault(row, ("invalidValue", what))
                    sides.append(column.fill_null(0.0))
                else:
                    sides.append(
                        pyarrow.array([float(side)], pyarrow.float64()).take(
                            pyarrow.array([0] * rows, pyarrow.int64())
                        )
                    )
            bounds = sides
        for declared, column in work.varying:
            note(
                batch.column(column).is_null(),
                lambda _, column=column: f"{column} is null; give a value for the parameter",
            )
            for row, found in (
                []
                if _is_plain(batch.column(column).type)
                else _misfits(batch.column(column), declared)
            ):
                wrong.setdefault(row, ("invalidValue", f"{column} {found}"))
        if wrong:
            mask = _mask(rows, wrong)
            totals = compute.if_else(mask, pyarrow.scalar(0, pyarrow.int64()), totals)
        return totals.fill_null(0), sections, bounds, wrong

    def _piece(
        self,
        batch: Any,
        counts: Any,
        sections: Any,
        bounds: Any,
        wrong: Dict[int, Problem],
        first: int,
        last: int,
    ) -> List[Any]:
        """The result fields of some rows."""
        import pyarrow
        import pyarrow.compute as compute

        rows = last - first
        good = _counting(first, last)
        if wrong:
            good = good.filter(compute.invert(_mask(rows, wrong, first)))
        keys = self._keys(batch, good)
        if len(keys) <= 1:
            taken = good if wrong else None
            found = self._solve(
                batch, counts, sections, bounds, taken, first, last, next(iter(keys), ())
            )
            return self._assembled(rows, first, wrong, good, *found)
        # One call per group of rows; then restores the order.
        pieces: List[List[Any]] = []
        order: List[int] = []
        for key, places in keys.items():
            chosen = pyarrow.array(places, pyarrow.int64())
            order += places
            found = self._solve(batch, counts, sections, bounds, chosen, first, last, key)
            pieces.append(
                self._assembled(
                    len(places), 0, {}, pyarrow.array(range(len(places)), pyarrow.int64()), *found
                )
            )
        if wrong:
            bad = sorted(wrong)
            order += bad
            renamed = {place: wrong[row] for place, row in enumerate(bad)}
            nothing = pyarrow.array([], pyarrow.int64())
            sizes = nothing.cast(pyarrow.float64())
            pieces.append(
                self._assembled(len(bad), 0, renamed, nothing, {}, None, nothing, (sizes, sizes))
            )
        back = array("q", bytes(8 * rows))
        for place, row in enumerate(order):
            back[row - first] = place
        places_back = pyarrow.array(back, pyarrow.int64())
        return [pyarrow.concat_arrays(list(field)).take(places_back) for field in zip(*pieces)]

    def _keys(self, batch: Any, good: Any) -> Dict[Tuple[Any, ...], List[int]]:
        """Rows by worker key, sorted, as each key costs a start."""
        if self.work.separate is None:
            return {(): []}
        found: Dict[Tuple[Any, ...], List[int]] = {}
        for row, cell in zip(
            good.to_pylist(), batch.column(self.work.separate).take(good).to_pylist()
        ):
            found.setdefault((_hashable(cell),), []).append(row)
        return dict(sorted(found.items(), key=lambda item: repr(item[0])))

    def _solve(
        self,
        batch: Any,
        counts: Any,
        sections: Any,
        bounds: Any,
        taken: Any,
        first: int,
        last: int,
        key: Tuple[Any, ...],
    ) -> Tuple[Dict[int, Problem], Any, Any, Tuple[Any, Any]]:
        """Lays out rows in one call, or in several if there are too many elements.

        :param taken: Row numbers; None for the whole range.
        :returns: Errors by index in `taken`, the elements, their count per row, and content widths
        and
            heights.
        """
        import pyarrow

        def chosen(column: Any) -> Any:
            return column.slice(first, last - first) if taken is None else column.take(taken)

        work = self.work
        number = last - first if taken is None else len(taken)
        if number == 0:
            nothing = pyarrow.array([], pyarrow.int64())
            return {}, None, nothing, (nothing.cast(pyarrow.float64()),) * 2
        tenant = None if work.separate is None else (key[0] if key else None,)
        given: Any = None
        for attempt in (0, 1):
            try:
                layout = self._opened(tenant)
                own = chosen(counts)
                lengths, parts = own, None
                if sections is not None:
                    mine = chosen(sections)
                    parts = pyarrow.compute.list_value_length(mine).cast(pyarrow.int64())
                    lengths = _whole_numbers(mine.flatten(), "")[0].fill_null(0)
                given = _buffer(lengths)
                layout._call("set_sections", _pointer(given, ctypes.c_uint64), len(lengths))
                for declared, column in work.lists:
                    values = _prepared(chosen(batch.column(column)).flatten(), declared)
                    layout._check(
                        _values.set_values_of_batch(
                            _values.opened(layout._pointer), declared, values
                        )
                    )
                for declared, column in work.varying:
                    values = _prepared(chosen(batch.column(column)), declared)
                    layout._check(
                        _values.set_parameter_of_batch(
                            _values.opened(layout._pointer), declared, values
                        )
                    )
                if work.constants:
                    layout.set_values(work.constants)
                sides = None if bounds is None else _interleaved([chosen(side) for side in bounds])
                return self._outcome(layout, number, parts, sides)
            except DiedError as failure:
                # The worker ended between two calls; restart it.
                if attempt:
                    return self._failed(number, failure)
            except (InvalidError, RefusedError) as failure:
                if number == 1:
                    return self._failed(number, failure)
                break
        middle = number // 2
        rows = _counting(first, last) if taken is None else taken
        return _joined(
            [
                self._solve(batch, counts, sections, bounds, part, first, last, key)
                for part in (rows[:middle], rows[middle:])
            ],
            middle,
        )

    def _failed(
        self, number: int, failure: Error
    ) -> Tuple[Dict[int, Problem], Any, Any, Tuple[Any, Any]]:
        import pyarrow

        zeros = pyarrow.array([0] * number, pyarrow.int64())
        sizes = zeros.cast(pyarrow.float64())
        return (
            {
                row: (failure.code or "invalidValue", sentence(str(failure)))
                for row in range(number)
            },
            None,
            zeros,
            (sizes, sizes),
        )

    def _outcome(
        self, layout: Layout, number: int, parts: Any, sides: Optional["array[float]"]
    ) -> Tuple[Dict[int, Problem], Any, Any, Tuple[Any, Any]]:
        import pyarrow
        import pyarrow.compute as compute

        counts = None if parts is None else _buffer(parts)
        found = layout._query_batch(
            None if counts is None else _pointer(counts, ctypes.c_uint64),
            _pointer(sides, ctypes.c_double),
            number,
            Layout._export_arrow if self.work.columns else lambda _: None,
        )
        ends = pyarrow.Array.from_buffers(
            pyarrow.int64(), number, [None, pyarrow.py_buffer(found.ends)]
        )
        lengths = compute.subtract(
            ends, pyarrow.concat_arrays([pyarrow.array([0], pyarrow.int64()), ends[:-1]])
        )
        numbers = array("d", found.sizes)
        sizes = _doubles(numbers[0::2]), _doubles(numbers[1::2])
        errors = {row: (error.code, sentence(str(error))) for row, error in found.errors.items()}
        self._is_careful = any(isinstance(error, DiedError) for error in found.errors.values())
        if self.work.element_limit < _MOST_ELEMENTS:
            for row in compute.indices_nonzero(
                compute.greater(lengths, self.work.element_limit)
            ).to_pylist():
                errors[row] = (
                    "tooManyRows",
                    (
                        f"the layout has {lengths[row].as_py()} elements, more than"
                        f" {self.work.element_limit}; allow more with element_limit=…"
                    ),
                )
        elements = found.elements
        if elements is not None and any(name == "section" for name, _, _ in self.work.columns):
            elements = _relative(elements, lengths, parts)
        return errors, elements, lengths, sizes

    # ---------------------------------------------------------------- results

    def _assembled(
        self,
        rows: int,
        first: int,
        wrong: Mapping[int, Problem],
        good: Any,
        errors: Mapping[int, Problem],
        elements: Any,
        lengths: Any,
        sizes: Tuple[Any, Any],
    ) -> List[Any]:
        """Result fields of failed and successful rows."""
        import pyarrow
        import pyarrow.compute as compute

        work = self.work
        failures = {row - first: problem for row, problem in wrong.items()}
        if errors:
            numbers = good.to_pylist()
            failures.update((numbers[place] - first, problem) for place, problem in errors.items())
        self._errors += len(failures)
        if work.max_errors is not None and self._errors > work.max_errors:
            code, text = next(iter(failures.values()))
            many = Error(
                f"{self._errors} rows failed, more than max_errors, {work.max_errors}; one of them:"
                f" {text} ({code})"
            )
            many.code = "tooManyErrors"
            raise many
        where = good if first == 0 else compute.subtract(good, first)
        is_whole = len(good) == rows
        failed = _mask(rows, failures) if failures else None
        arrays: List[Any] = []
        if work.columns:
            if not is_whole:
                lengths = _scattered(rows, where, lengths)
            kept = lengths
            ends = compute.cumulative_sum(kept.cast(pyarrow.int32()))
            starts = pyarrow.concat_arrays([pyarrow.array([0], pyarrow.int32()), ends])
            if failed is not None:
                # An array without a start is null.
                heads = compute.if_else(failed, pyarrow.scalar(None, pyarrow.int32()), starts[:-1])
                starts = pyarrow.concat_arrays([heads, starts[-1:]])
            for name, kind, missing in work.columns:
                column = elements_column(elements, name, kind, missing, work.float32)
                arrays.append(
                    pyarrow.ListArray.from_arrays(
                        starts, column, type=work.arrow_field(("array", kind), name)
                    )
                )
        widths, heights = (
            side if is_whole else _scattered(rows, where, side, pyarrow.float64()) for side in sizes
        )
        size = (
            pyarrow.StructArray.from_arrays([widths, heights], list(SIZE), mask=failed)
            if rows
            else pyarrow.array([], arrow_type(SIZE))
        )
        arrays.append(size)
        for place in (1, 0):
            if failures:
                arrays.append(
                    pyarrow.array(
                        [failures[row][place] if row in failures else None for row in range(rows)],
                        pyarrow.string(),
                    )
                )
            else:
                arrays.append(pyarrow.nulls(rows, pyarrow.string()))
        return arrays


def _relative(elements: Any, lengths: Any, parts: Any) -> Any:
    """Elements with sections counted from 0 in each row."""
    import pyarrow
    import pyarrow.compute as compute

    place = elements.schema.get_field_index("section")
    sections = elements.column(place)
    zero = pyarrow.array([0], pyarrow.int64())
    if parts is None:
        # Each layout has one section.
        relative = pyarrow.nulls(elements.num_rows, pyarrow.int64()).fill_null(0)
    else:
        lists = pyarrow.LargeListArray.from_arrays(
            pyarrow.concat_arrays([zero, compute.cumulative_sum(lengths)]), sections
        )
        firsts = pyarrow.concat_arrays([zero, compute.cumulative_sum(parts)])
        relative = compute.subtract(sections, firsts.take(compute.list_parent_indices(lists)))
    columns = [
        relative if number == place else column for number, column in enumerate(elements.columns)
    ]
    return pyarrow.RecordBatch.from_arrays(columns, elements.schema.names)


def _hashable(value: Any) -> Any:
    """A cell as a key: structs by name and value, NaN equal to itself."""
    if isinstance(value, dict):
        return tuple((name, _hashable(one)) for name, one in value.items())
    if isinstance(value, list):
        return tuple(_hashable(one) for one in value)
    return math.nan if value != value else value


def _mask(rows: int, chosen: Iterable[int], first: int = 0) -> Any:
    """A boolean mask."""
    import pyarrow

    bytes_ = bytearray(rows)
    for row in chosen:
        bytes_[row - first] = 1
    return pyarrow.Array.from_buffers(
        pyarrow.uint8(), rows, [None, pyarrow.py_buffer(bytes_)]
    ).cast(pyarrow.bool_())


def _scattered(rows: int, places: Any, values: Any, type_: Any = None) -> Any:
    """Scatters values; 0 elsewhere."""
    import pyarrow

    type_ = pyarrow.int64() if type_ is None else type_
    code = "d" if types().is_floating(type_) else "q"
    found = array(code, bytes(8 * rows))
    for place, value in zip(places.to_pylist(), values.to_pylist()):
        found[place] = value
    return pyarrow.array(found, type_)


def _joined(
    halves: Sequence[Any], middle: int
) -> Tuple[Dict[int, Problem], Any, Any, Tuple[Any, Any]]:
    import pyarrow

    (errors, elements, lengths, sizes), (more, others, counts, others_sizes) = halves
    known = [one for one in (elements, others) if one is not None]
    joined = None
    if known:
        names = known[0].schema.names
        # Optional columns depend on the engine, so either all batches have them or none.
        joined = (
            pyarrow.Table.from_batches([known[0]])
            if len(known) == 1
            else pyarrow.concat_tables(
                [pyarrow.Table.from_batches([one.select(names)]) for one in known],
                promote_options="permissive",
            )
        )
        joined = (
            joined.combine_chunks().to_batches(max_chunksize=None)[0]
            if joined.num_rows
            else known[0]
        )
    return (
        {**errors, **{row + middle: problem for row, problem in more.items()}},
        joined,
        pyarrow.concat_arrays([lengths, counts]),
        (
            pyarrow.concat_arrays([sizes[0], others_sizes[0]]),
            pyarrow.concat_arrays([sizes[1], others_sizes[1]]),
        ),
    )


def _whole_numbers(column: Any, name: str) -> Tuple[Any, Dict[int, Problem]]:
    """Counts as integers, with problems by place; the count is 0 there."""
    import pyarrow
    import pyarrow.compute as compute

    bad: Dict[int, Problem] = {}
    if types().is_integer(column.type):
        # Unsigned overflow becomes negative.
        numbers = column.cast(pyarrow.int64(), safe=False)
        wrong = compute.or_kleene(
            compute.less(numbers, 0), compute.greater(numbers, _MOST_EXACT)
        ).fill_null(True)
    elif types().is_decimal(column.type):
        # Exact, as a fractional decimal may round to a whole double.
        cells = [
            (
                cell
                if cell is not None
                and 0 <= cell <= _MOST_EXACT
                and cell == cell.to_integral_value()
                else None
            )
            for cell in column.to_pylist()
        ]
        numbers = pyarrow.array(
            [None if cell is None else int(cell) for cell in cells], pyarrow.int64()
        )
        wrong = numbers.is_null()
    else:
        doubles = column.cast(pyarrow.float64(), safe=False)
        is_whole = compute.and_(
            compute.equal(compute.floor(doubles), doubles), compute.greater_equal(doubles, 0.0)
        )
        wrong = compute.invert(
            compute.and_(is_whole, compute.less_equal(doubles, float(_MOST_EXACT))).fill_null(False)
        )
        numbers = compute.if_else(wrong, 0.0, doubles).cast(pyarrow.int64())
    for place in compute.indices_nonzero(wrong).to_pylist():
        found = column[place].as_py()
        if found is None:
            bad[place] = ("invalidValue", f"{name} is null; give 0 for no items")
        else:
            bad[place] = (
                "invalidValue",
                f"{name} is {_number(found)}; give a whole number of items, 0 to 2^53",
            )
    if bad:
        numbers = compute.if_else(wrong, pyarrow.scalar(0, pyarrow.int64()), numbers)
    return numbers, bad


def _number(value: Any) -> str:
    """A number for a message, without a decimal's exponent."""
    if not isinstance(value, decimal.Decimal):
        return str(_values.plain(value) if abs(value) < 1 << 64 else value)
    found = f"{value:f}"
    return found.rstrip("0").rstrip(".") if "." in found else found


def _owners(lengths: Any) -> Any:
    """List index of each entry, from list lengths. Arrow's function counts entries beneath nulls
    too.
    """
    import pyarrow
    import pyarrow.compute as compute

    ends = compute.cumulative_sum(lengths.fill_null(0).cast(pyarrow.int64()))
    starts = pyarrow.concat_arrays([pyarrow.array([0], pyarrow.int64()), ends])
    return compute.list_parent_indices(
        pyarrow.LargeListArray.from_arrays(starts, pyarrow.nulls(starts[-1].as_py()))
    )


def _is_plain(type_: Any, is_list: bool = False) -> bool:
    """Whether libtessera reads a type (in lists) directly."""
    found = types()
    if found.is_null(type_):
        return True
    if is_list:
        type_ = type_.value_type
    if found.is_struct(type_):
        return not any(
            found.is_decimal(type_.field(place).type) for place in range(type_.num_fields)
        )
    if _is_list(type_):
        return bool(found.is_fixed_size_list(type_)) and not found.is_decimal(type_.value_type)
    return not found.is_decimal(type_)


def _is_exact(type_: Any) -> bool:
    """Whether libtessera reads the type, and detects numbers that a double can't hold."""
    found = types()
    return bool(found.is_integer(type_) or found.is_float32(type_) or found.is_float64(type_))


def _misfits(values: Any, declared: Any) -> Iterator[Tuple[int, str]]:
    """Problems that libtessera can't detect: lists of a wrong length, and decimals that a double
    can't hold.
    """
    import pyarrow.compute as compute

    type_, found, owners = values.type, types(), None
    if found.is_struct(type_):
        numbers = values.flatten()
    elif _is_list(type_):
        if not found.is_fixed_size_list(type_):
            lengths = compute.list_value_length(values)
            for place in compute.indices_nonzero(
                compute.not_equal(lengths, declared.components).fill_null(False)
            ).to_pylist():
                yield (
                    place,
                    f"has {lengths[place].as_py()} numbers; give {declared.components} for each",
                )
        numbers = [values.flatten()]
        owners = None if _is_exact(type_.value_type) else _owners(compute.list_value_length(values))
    else:
        numbers = [values]
    for column in numbers:
        if not found.is_decimal(column.type):
            continue
        for place, number in _inexact(column):
            yield (
                place if owners is None else owners[place].as_py(),
                (
                    f"is {_number(number)}, which a number cannot hold exactly; give integers of at"
                    " most 2^53"
                ),
            )


def _inexact(column: Any) -> Iterator[Tuple[int, Any]]:
    """Integers and decimals beyond 2^53, by place."""
    import pyarrow
    import pyarrow.compute as compute

    if types().is_floating(column.type):
        return
    doubles = column.cast(pyarrow.float64(), safe=False)
    for place in compute.indices_nonzero(
        compute.greater_equal(compute.abs(doubles), float(_MOST_EXACT)).fill_null(False)
    ).to_pylist():
        number = column[place].as_py()
        if abs(number) > _MOST_EXACT:
            yield place, number


def _prepared(values: Any, declared: Any) -> Any:
    """Item values in a type that libtessera reads."""
    import pyarrow
    import pyarrow.compute as compute

    type_, found = values.type, types()
    if found.is_null(type_):
        kind: Any = pyarrow.float64()
        if declared.type == "enum":
            kind = pyarrow.string()
        elif declared.components > 1:
            kind = pyarrow.list_(pyarrow.float64(), declared.components)
        return values.cast(kind)

    def plain(numbers: Any) -> Any:
        # libtessera itself rejects integers that a double can't hold.
        return (
            numbers
            if _is_exact(numbers.type) or found.is_boolean(numbers.type)
            else numbers.cast(pyarrow.float64())
        )

    if found.is_struct(type_):
        if all(_is_exact(type_.field(place).type) for place in range(type_.num_fields)):
            return values
        names = [type_.field(place).name for place in range(type_.num_fields)]
        return pyarrow.StructArray.from_arrays(
            [plain(column) for column in values.flatten()], names, mask=values.is_null()
        )
    if declared.components == 1:
        return values if declared.type == "enum" else plain(values)
    if found.is_fixed_size_list(type_) and _is_exact(type_.value_type):
        return values
    # A value of a wrong length counts as missing.
    lengths = compute.list_value_length(values)
    is_right = compute.equal(lengths, declared.components).fill_null(False)
    count = compute.sum(is_right).as_py() or 0
    rows = plain(values.filter(is_right).flatten())
    lists = pyarrow.FixedSizeListArray.from_arrays(rows, declared.components)
    if count == len(values):
        return lists
    places = compute.subtract(compute.cumulative_sum(is_right.cast(pyarrow.int64())), 1)
    return lists.take(compute.if_else(is_right, places, pyarrow.scalar(None, pyarrow.int64())))


def elements_column(elements: Any, name: str, kind: Any, missing: Any, single: bool = False) -> Any:
    """A column of elements in the result's type."""
    import pyarrow

    type_ = arrow_type(kind, single)
    if elements is None:
        return pyarrow.nulls(0, type_)
    place = elements.schema.get_field_index(name)
    if place < 0:
        if isinstance(kind, tuple) and missing is not None:
            missing = dict(zip(kind, missing))
        return pyarrow.repeat(pyarrow.scalar(missing, type_), elements.num_rows)
    column = elements.column(place)
    if isinstance(kind, tuple):
        return pyarrow.StructArray.from_arrays(
            _sides(column.flatten(), len(kind), single), list(kind)
        )
    return column.cast(type_, safe=not single)


# ---------------------------------------------------------------- memory


def _sides(numbers: Any, width: int, single: bool) -> List[Any]:
    """Splits rows into columns, ten times as fast as Arrow's function."""
    import pyarrow

    type_ = pyarrow.float32() if single else pyarrow.float64()
    count = len(numbers) // width
    if count == 0:
        return [pyarrow.nulls(0, type_)] * width
    memory = memoryview(numbers.buffers()[1])[
        8 * numbers.offset : 8 * (numbers.offset + len(numbers))
    ]
    if _numpy is None:
        rows = array("d")
        rows.frombytes(memory)
        parts = [array("f" if single else "d", rows[side::width]) for side in range(width)]
        return [
            pyarrow.Array.from_buffers(type_, count, [None, pyarrow.py_buffer(part)])
            for part in parts
        ]
    columns = _numpy.empty((width, count), _numpy.float32 if single else _numpy.float64)
    rows = _numpy.frombuffer(memory, _numpy.float64).reshape(count, width)
    # Blocks that fit the cache.
    for first in range(0, count, 4096):
        columns[:, first : first + 4096] = rows[first : first + 4096].T
    return [
        pyarrow.Array.from_buffers(type_, count, [None, pyarrow.py_buffer(column)])
        for column in columns
    ]


def _counting(first: int, last: int) -> Any:
    """The integers in first..<last."""
    import pyarrow

    return pyarrow.Array.from_buffers(
        pyarrow.int64(), last - first, [None, pyarrow.py_buffer(array("q", range(first, last)))]
    )


def _doubles(numbers: "array[float]") -> Any:
    """An Arrow array sharing memory with a Python array."""
    import pyarrow

    return pyarrow.Array.from_buffers(
        pyarrow.float64(), len(numbers), [None, pyarrow.py_buffer(numbers)]
    )


def _buffer(numbers: Any) -> Any:
    """An Arrow int64 array without nulls; shares and keeps the memory."""
    return numbers.combine_chunks() if hasattr(numbers, "combine_chunks") else numbers


def _pointer(numbers: Any, type_: Any) -> Any:
    """The address of an Arrow or Python array's numbers; null for None."""
    if numbers is None:
        return None
    if isinstance(numbers, array):
        address = numbers.buffer_info()[0]
    else:
        memory = numbers.buffers()[1]
        address = 0 if memory is None else memory.address + 8 * numbers.offset
    return ctypes.cast(ctypes.c_void_p(address), ctypes.POINTER(type_))


def _interleaved(sides: Sequence[Any]) -> "array[float]":
    """Interleaves columns of doubles by row."""
    rows = array("d", bytes(8 * len(sides) * len(sides[0])))
    for place, side in enumerate(sides):
        numbers = array("d")
        memory = side.buffers()[1]
        if memory is not None:
            numbers.frombytes(memoryview(memory)[8 * side.offset : 8 * (side.offset + len(side))])
        rows[place :: len(sides)] = numbers
    return rows


# ---------------------------------------------------------------- kept workers, SQL functions

#: Kept workers with their keys, most recently used last.
_kept: List[Tuple[Any, Process]] = []
_kept_lock = _native.lock()
#: Workers in use, and the peak.
_calls = [0, 0]
_MOST_KEPT = 2


@contextlib.contextmanager
def kept_process(key: Any, work: Any) -> Iterator[Process]:
    """A worker for a key, exclusive to this thread: a kept one, or a new one for a work or a
    factory. Ends the least recently used.
    """
    # Excludes the parent's workers after a fork.
    key = os.getpid(), key
    with _kept_lock:
        place = next((place for place, (one, _) in enumerate(_kept) if one == key), None)
        process = None if place is None else _kept.pop(place)[1]
        _calls[0] += 1
        _calls[1] = max(_calls)
    try:
        if process is None:
            process = Process(work() if callable(work) else work)
        yield process
    except BaseException:
        if process is not None:
            process.close()
        raise
    else:
        with _kept_lock:
            _kept.append((key, process))
    finally:
        with _kept_lock:
            _calls[0] -= 1
            old = [_kept.pop(0)[1] for _ in range(len(_kept) - max(_MOST_KEPT, _calls[1]))]
        for one in old:
            one.close()


class Function:
    """The SQL function: takes an engine and a struct per row."""

    def __init__(
        self,
        columns: Sequence[str],
        host: Optional[Mapping[str, Any]],
        element_limit: Optional[int],
        float32: bool,
    ) -> None:
        self.columns, self.host, self.element_limit, self.float32 = (
            names_of(columns, "columns"),
            host,
            element_limit,
            float32,
        )
        self.found = columns_of(None, self.columns)
        if element_limit is not None:
            _values.whole(element_limit, "element_limit", least=1)
        new_host(_values.mapping(host, "host"))

    def kind(self) -> List[Tuple[str, Any]]:
        """The result's fields."""
        elements = (
            [("elements", ("array", [(name, kind) for name, kind, _ in self.found]))]
            if self.found
            else []
        )
        return [*elements, *ENDING]

    def work(self, engine: str, struct: Any) -> Work:
        """The work of an engine for a struct type."""
        if not types().is_struct(struct):
            raise InvalidError(
                f"layout was given {struct}; give the engine, and a struct of values and parameters"
            )
        given = _fields(struct)
        work = Work(
            engine,
            columns=self.columns,
            host=self.host,
            element_limit=self.element_limit,
            float32=self.float32,
            **_named(new_host(self.host or {}).engine(engine), given),
        )
        work.check(given)
        return work

    def _can_be_taken(self, struct: Any) -> bool:
        """Whether any engine on the search path takes the struct type."""
        if not types().is_struct(struct):
            return False
        given = _fields(struct)
        for declared in new_host(self.host or {}).engines():
            try:
                named = _named(declared, given)
                check_shape(given, named["bounds"], named["items"], named["sections"])
                for name, column in named["values"].items():
                    type_ = given[column]
                    if _is_list(type_):
                        check_values(declared.item_values[name], type_.value_type, column)
                for name, column in named["varying"].items():
                    check_values(declared.parameters[name], given[column], column)
                return True
            except InvalidError:
                continue
        return False

    def __call__(self, engines: Any, given: Any) -> Any:
        import pyarrow
        import pyarrow.compute as compute

        engines, given = (
            one.combine_chunks() if hasattr(one, "chunks") else one for one in (engines, given)
        )
        if hasattr(engines, "dictionary_decode"):
            engines = engines.dictionary_decode()
        names = compute.unique(engines).to_pylist()
        if len(names) <= 1:
            return self._of_engine(names[0] if names else None, given)
        # One call per engine; then restores the order.
        pieces, order = [], []
        for name in names:
            mask = (
                engines.is_null() if name is None else compute.equal(engines, name).fill_null(False)
            )
            rows = compute.indices_nonzero(mask).cast(pyarrow.int64())
            pieces.append(self._of_engine(name, given.take(rows)))
            order += rows.to_pylist()
        back = array("q", bytes(8 * len(order)))
        for place, row in enumerate(order):
            back[row] = place
        return pyarrow.concat_arrays(pieces).take(pyarrow.array(back, pyarrow.int64()))

    def _of_engine(self, engine: Optional[str], given: Any) -> Any:
        """Results for one engine. An unknown or unsuitable engine is an error of its rows, as rows
        can have different engines; a struct that no engine takes ends the query.
        """
        import pyarrow

        element = pyarrow.struct(
            [(name, arrow_type(kind, self.float32)) for name, kind, _ in self.found]
        )
        fields = [("elements", pyarrow.list_(element))] if self.found else []
        fields += [(name, arrow_type(kind)) for name, kind in ENDING]
        whole = pyarrow.struct(fields)
        rows = len(given)
        if rows == 0:
            return pyarrow.array([], whole)
        text, code = "the engine is null; give its name", "invalidValue"
        if engine is not None:
            key = (
                tuple(self.columns),
                repr(self.host),
                self.element_limit,
                self.float32,
                engine,
                given.type,
            )
            try:
                with kept_process(key, lambda: self.work(engine, given.type)) as process:
                    return self._rows(process, given, whole)
            except Error as failure:
                if isinstance(failure, InvalidError) and not self._can_be_taken(given.type):
                    raise
                text, code = sentence(str(failure)), failure.code or "invalidValue"
        nothing = [pyarrow.nulls(rows, type_) for _, type_ in fields[:-2]]
        problem = [
            pyarrow.repeat(pyarrow.scalar(one, pyarrow.string()), rows) for one in (text, code)
        ]
        return pyarrow.StructArray.from_arrays([*nothing, *problem], fields=list(whole))

    def _rows(self, process: Process, given: Any, whole: Any) -> Any:
        """The results of structs."""
        import pyarrow

        columns = dict(
            zip(
                (given.type.field(place).name for place in range(given.type.num_fields)),
                given.flatten(),
            )
        )
        for name, column in list(columns.items()):
            if name.lower() == "bounds":
                is_null = types().is_null(column.type)
                parts = (
                    {}
                    if is_null
                    else dict(
                        zip((column.type.field(place).name for place in range(2)), column.flatten())
                    )
                )
                columns.update((side, parts.get(part, column)) for side, part in zip(_SIDES, SIZE))
        needed = {name: columns[name] for name in process.work.needed}
        batch = (
            pyarrow.RecordBatch.from_pydict(needed)
            if needed
            else pyarrow.RecordBatch.from_pydict({"": given})
        )
        pieces = []
        for _, _, arrays in process.lay_out(batch):
            count = len(self.found)
            elements = [zipped(arrays[:count], self.columns)] if count else []
            pieces.append(
                pyarrow.StructArray.from_arrays([*elements, *arrays[count:]], fields=list(whole))
            )
        return pyarrow.concat_arrays(pieces)

    def rows(self, engine: Optional[str], given: Any, type_: Any) -> Iterator[Tuple[Any, ...]]:
        """Elements of one row as tuples with the layout's columns; on error, one tuple without an
        element.

        :param type_: The Arrow type of the struct.
        """
        import pyarrow

        found = self._of_engine(engine, pyarrow.array([_plain(given)], type_))[0].as_py()
        ending = tuple(found[name] for name, _ in ENDING)
        elements = found.get("elements")
        if elements is None:
            yield (*([None] * len(self.columns)), *ending)
        for element in elements or []:
            yield (*(element[name] for name in self.columns), *ending)


#: Names of bounds' sides from a struct's field.
_SIDES = "bounds.width", "bounds.height"


def _fields(struct: Any) -> Dict[str, Any]:
    """Types of a struct's fields, and of its bounds' sides."""
    found = {
        struct.field(place).name: _plain_type(struct.field(place).type)
        for place in range(struct.num_fields)
    }
    for name, type_ in list(found.items()):
        if name.lower() == "bounds":
            is_struct = types().is_struct(type_)
            for side, part in zip(_SIDES, SIZE):
                place = type_.get_field_index(part) if is_struct else -1
                found[side] = type_.field(place).type if place >= 0 else type_
    return found


def _named(declared: Any, given: Mapping[str, Any]) -> Dict[str, Any]:
    """A struct's fields as arguments of Work."""
    values: Dict[str, str] = {}
    varying: Dict[str, str] = {}
    items = sections = None
    bounds: Tuple[Side, Side] = (375.0, 667.0)
    known: Dict[str, str] = {}
    for name, type_ in given.items():
        own = name.lower()
        if name in _SIDES:
            continue
        if own == "items":
            items = name
        elif own == "sections":
            sections = name
        elif own == "bounds":
            if not types().is_null(type_) and (
                not types().is_struct(type_)
                or sorted(type_.field(place).name for place in range(type_.num_fields))
                != sorted(SIZE)
            ):
                raise InvalidError(f"bounds is of {type_}; give a struct of width and height")
            bounds = _SIDES
        else:
            spelled = [
                one
                for one in [*declared.item_values.values(), *declared.parameters.values()]
                if own in (one.name.lower(), one.keyword.lower())
            ]
            if not spelled:
                _values.resolve(
                    name,
                    [*declared.item_values.values(), *declared.parameters.values()],
                    "item value or parameter",
                    declared.id,
                )
            own = spelled[0].name
            is_list = _is_list(type_) or types().is_null(type_)
            value = next(
                (one for one in spelled if one.name in declared.item_values and is_list), None
            )
            if value is not None:
                values[value.name] = name
            elif own in declared.parameters:
                varying[own] = name
            elif not types().is_null(type_):
                raise InvalidError(
                    f"{name} is of {type_}; give an array with a value for each item"
                )
        if own in known:
            raise InvalidError(
                f"the struct has {known[own]} and {name}, which are the same; give one of them"
            )
        known[own] = name
    return {
        "values": values,
        "varying": varying,
        "items": items,
        "sections": sections,
        "bounds": bounds,
    }


def _plain(value: Any) -> Any:
    """Spark rows and named tuples as dicts, as Arrow would read them by position."""
    found = _values.named(value)
    if found is not None:
        return {name: _plain(one) for name, one in found.items()}
    return [_plain(one) for one in value] if _is_sequence(value) else value


def _is_sequence(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or getattr(value, "dtype", None) == object


def _has_rows(value: Any) -> bool:
    """Whether a value or its entries contain Spark rows or named tuples."""
    found = _values.named(value)
    if found is not None:
        return found is not value or any(map(_has_rows, found.values()))
    for one in value if _is_sequence(value) else ():
        if _has_rows(one):
            return True
        # If one is a number or a text, all are.
        is_missing = one is None or isinstance(one, float) and one != one
        if not is_missing and _values.named(one) is None and not _is_sequence(one):
            return False
    return False


def _with_structs(data: Any) -> Any:
    """Converts Spark rows and named tuples in a pandas data frame to dicts."""
    if not hasattr(data, "isetitem"):
        return data
    for place in range(data.shape[1]):
        cells = data.iloc[:, place]
        if cells.dtype == object and _has_rows(list(cells)):
            data = data.copy(deep=False)
            data.isetitem(place, [_plain(cell) for cell in cells])
    return data


def zipped(arrays: Sequence[Any], names: Sequence[str]) -> Any:
    """Zips equally long list arrays into one array of lists of structs."""
    import pyarrow
    import pyarrow.compute as compute

    first = arrays[0]
    lengths = compute.list_value_length(first).cast(pyarrow.int32())
    ends = compute.cumulative_sum(lengths.fill_null(0))
    starts = pyarrow.concat_arrays([pyarrow.array([0], pyarrow.int32()), ends])
    if first.null_count:
        heads = compute.if_else(
            first.is_valid(), starts[:-1], pyarrow.scalar(None, pyarrow.int32())
        )
        starts = pyarrow.concat_arrays([heads, starts[-1:]])
    return pyarrow.ListArray.from_arrays(
        starts, pyarrow.StructArray.from_arrays([one.flatten() for one in arrays], list(names))
    )


# ---------------------------------------------------------------- tables


def reader_of(data: Any) -> Any:
    """An Arrow stream from a table, a lazy frame, a mapping of columns, or a list of mappings."""
    import pyarrow

    if isinstance(data, pyarrow.RecordBatchReader):
        return data
    try:
        data = _with_structs(_values.collected(data))
        if not hasattr(data, "__arrow_c_stream__"):
            if not hasattr(data, "__arrow_c_array__"):
                data = {
                    name: _plain(cells) if _has_rows(cells) else cells
                    for name, cells in _values.table(data).items()
                }
            data = pyarrow.table(data)
        return pyarrow.RecordBatchReader.from_stream(data)
    except InvalidError:
        raise
    except (TypeError, ValueError, NotImplementedError, OverflowError) as failure:
        # Arrow errors about columns have several arguments.
        reason = "; ".join(map(str, failure.args))
        raise InvalidError(
            f"data cannot be read as a table of Arrow: {reason}; give a table of polars, Arrow,"
            " pandas or DuckDB whose columns have one type each"
        ) from None


def stream(work: Work, data: Any, keep: Optional[Sequence[str]]) -> Any:
    """Results of table rows as an Arrow stream, laid out as it is read."""
    try:
        return _stream(work, reader_of(data), keep)
    except BaseException:
        work.close()
        raise


def _stream(work: Work, reader: Any, keep: Optional[Sequence[str]]) -> Any:
    import pyarrow

    names = reader.schema.names
    # A pandas index is only a column if it has a name.
    own_names = [name for name in names if not re.fullmatch(r"__index_level_\d+__", name)]
    chosen = own_names if keep is None else names_of(keep, "keep")
    for name in [*chosen, *work.needed]:
        if names.count(name) != 1:
            several = (
                f"several columns {name!r}; give one of them another name"
                if name in names
                else f"no column {name!r}; it has {', '.join(names)}"
            )
            raise InvalidError(f"the data has {several}")
    own = [name for name, _ in work.fields()]
    for name in chosen:
        if name in own or chosen.count(name) > 1:
            raise InvalidError(
                f"the result has two columns {name!r}; rename the column of the data, or do not"
                " keep it"
            )
    work.check({name: reader.schema.field(name).type for name in work.needed})
    fields = [reader.schema.field(name) for name in chosen]
    fields += [pyarrow.field(name, work.arrow_field(kind, name)) for name, kind in work.fields()]
    schema = pyarrow.schema(fields)

    def batches() -> Iterator[Any]:
        process = Process(work)
        try:
            for whole in reader:
                for start in range(0, whole.num_rows, _ROWS_AT_ONCE):
                    batch = whole.slice(start, _ROWS_AT_ONCE)
                    for first, last, arrays in process.lay_out(batch):
                        kept = [batch.column(name).slice(first, last - first) for name in chosen]
                        yield pyarrow.RecordBatch.from_arrays([*kept, *arrays], schema=schema)
        finally:
            process.close()

    return pyarrow.RecordBatchReader.from_batches(schema, batches())
