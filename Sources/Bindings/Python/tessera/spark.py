"""Layouts in Spark: of a collection in each row, or in each group of rows.

    import tessera.spark
    laid_out = tessera.spark.layouts(albums, "flow", values={"size": "sizes"}, bounds=(1280, 800))
    laid_out.select("id", "frame", "content_size", "error")

Both functions return a DataFrame, and validate names and parameters on the driver. They need the package where executors
run Python; executors need nothing else but pyarrow, which Spark itself needs there.
"""

from __future__ import annotations

import uuid
from array import array
from itertools import accumulate
from typing import Any, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar, Union

from . import _values
from ._layout import Batch, Host, Layout
from ._native import InvalidError, RefusedError

DataFrame = TypeVar("DataFrame")
#: A number for all, or the name of the column that has it.
Side = Union[float, str]

__all__ = ["groups", "layouts"]

#: A layout of more items than this is handed over by itself.
_ITEMS_AT_ONCE = 1 << 20
_PARTS: Dict[str, Tuple[str, ...]] = {
    "point": ("x", "y"), "size": ("width", "height"), "rect": ("x", "y", "width", "height"),
    "insets": ("top", "left", "bottom", "right"),
}  # fmt: skip
_SIZE = _PARTS["size"]
#: The columns that every engine has: their types, and the values where the engine writes none. A type is that of SQL, or
#: the names of the numbers in a struct.
_COLUMNS: Dict[str, Tuple[Any, Any]] = {
    "category": ("string", None), "kind": ("string", None), "section": ("bigint", 0), "item": ("bigint", 0),
    "frame": (_PARTS["rect"], None), "alpha": ("double", 1.0), "z_index": ("int", 0), "hidden": ("boolean", False),
}  # fmt: skip
_ATTRIBUTES = {"number": "double", "integer": "bigint", "bool": "boolean", "enum": "string", **_PARTS}


def layouts(
    data: DataFrame,
    engine: str,
    *,
    values: Optional[Mapping[str, Any]] = None,
    items: Optional[str] = None,
    sections: Optional[str] = None,
    bounds: Tuple[Side, Side] = (375.0, 667.0),
    keep: Optional[Sequence[str]] = None,
    columns: Sequence[str] = ("category", "kind", "item", "frame"),
    host: Optional[Mapping[str, Any]] = None,
    parameters: Optional[Mapping[str, Any]] = None,
    **settings: Any,
) -> DataFrame:
    """Lays out the collection of each row, with mapInArrow.

    The result has the columns that are kept, an array for each of `columns` with an entry for each element,
    `content_size`, and `error`: null, or why this row has no layout. An engine that crashes, hangs or breaks the contract
    costs only its row.

    :param values: Item values: the names of array columns with an entry for each item, or a number or tuple for all.
    :param items: The column of the number of items, for rows without array columns.
    :param sections: The array column of the number of items in each section; without it, a row is one section.
    :param bounds: The viewport's width and height: numbers, or the names of columns.
    :param keep: The columns of the data that the result has; all by default.
    :param columns: What the result has of each element: category, kind, section, item, frame, alpha, z_index, hidden,
        and attributes of the engine.
    :param host: The arguments of tessera.Host on executors, with the folders as "folders". Engines that crash often are
        not refused unless this says so.
    :param parameters: Parameters of the engine whose names are also arguments here.
    :param settings: The parameters of the engine, in either spelling, and the arguments of Layout.set.
    """
    work = _Work(data, engine, values, items, sections, bounds, keep, columns, host, parameters, settings)

    def lay_out(batches: Iterable[Any]) -> Iterator[Any]:
        return work.rows(batches)

    fields = [(name, ("array", kind)) for name, kind, _ in work.columns] + [("content_size", _SIZE), ("error", "string")]
    return work.input(data).mapInArrow(lay_out, work.schema(data, fields))  # type: ignore[no-any-return]


def groups(
    data: DataFrame,
    by: Union[str, Sequence[str]],
    engine: str,
    *,
    order_by: Union[None, str, Sequence[str]] = None,
    values: Optional[Mapping[str, Any]] = None,
    bounds: Tuple[Side, Side] = (375.0, 667.0),
    keep: Optional[Sequence[str]] = None,
    columns: Sequence[str] = ("category", "kind", "item", "frame"),
    host: Optional[Mapping[str, Any]] = None,
    parameters: Optional[Mapping[str, Any]] = None,
    **settings: Any,
) -> DataFrame:
    """Lays out each group of rows, of which each is an item, with applyInArrow of Spark 4.

    The result has a row for each element, with the columns that are kept, `columns`, `content_size` and `error`. Those
    kept are those of the item; headers, footers and decorations have only those of `by`. A group that fails has one row,
    with `error` and the columns of `by`. Many small groups are faster as rows: collect them with collect_list, and use
    layouts.

    :param by: The columns that are equal in a group.
    :param order_by: The columns that order the items of a group. Without any, the order is what Spark happens to have.
    :param values: Item values: the names of columns, or a number or tuple for all.
    :param bounds: The viewport's width and height: numbers, or the names of columns, of which each group's first
        row counts.

    Other arguments are those of layouts.
    """
    keys = [by] if isinstance(by, str) else list(by)
    order = [order_by] if isinstance(order_by, str) else list(order_by or [])
    if keep is not None:
        keep = keys + [name for name in keep if name not in keys]
    work = _Work(data, engine, values, None, None, bounds, keep, columns, host, parameters, settings, keys, order)

    def lay_out(table: Any) -> Any:
        return work.group(table)

    fields = [(name, kind) for name, kind, _ in work.columns] + [("content_size", _SIZE), ("error", "string")]
    grouped = work.input(data).groupBy(*keys)
    if not hasattr(grouped, "applyInArrow"):
        raise InvalidError("this Spark has no applyInArrow; use Spark 4, or collect the groups and use layouts")
    return grouped.applyInArrow(lay_out, work.schema(data, fields))  # type: ignore[no-any-return]


class _Work:
    """What executors do: made on the driver, and pickled."""

    def __init__(
        self,
        data: Any,
        engine: str,
        values: Optional[Mapping[str, Any]],
        items: Optional[str],
        sections: Optional[str],
        bounds: Tuple[Side, Side],
        keep: Optional[Sequence[str]],
        columns: Sequence[str],
        host: Optional[Mapping[str, Any]],
        parameters: Optional[Mapping[str, Any]],
        settings: Mapping[str, Any],
        keys: Sequence[str] = (),
        order: Sequence[str] = (),
    ) -> None:
        self.id = uuid.uuid4().hex
        self.engine, self.items, self.sections, self.bounds, self.order = engine, items, sections, bounds, list(order)
        self.keys = list(keys)
        # Each row is on its own: crashes on some must not refuse the others.
        self.host = {"kept_workers": 1, "refuses_crashing": False, **(host or {})}
        self.settings = {**settings, "parameters": parameters}
        if not any(isinstance(side, str) for side in bounds):
            self.settings["bounds"] = bounds
        declared = _host(self.host).engine(engine)
        # Wrong parameters are found here and not on executors.
        declared(0, **self.settings).close()
        found = {name: _values.resolve(name, list(declared.item_values.values()), "item value", declared.id) for name in values or {}}
        #: The item values that columns have: the declared name, the column, and how many numbers each is.
        self.lists = [(found[name].name, column, found[name].components) for name, column in (values or {}).items() if isinstance(column, str)]
        self.constants = {found[name].name: value for name, value in (values or {}).items() if not isinstance(value, str)}
        known = {**_COLUMNS, **{name: (_ATTRIBUTES[one.type], None) for name, one in declared.attributes.items()}}
        for name in columns:
            if name not in known:
                raise InvalidError(f"{declared.id} has no column {name!r}; it has {', '.join(known)}")
        #: The columns of elements: their names, their types and the values where there are none.
        self.columns = [(name, *known[name]) for name in columns]
        if not keys and items is None and sections is None and not self.lists:
            raise InvalidError("nothing says how many items a row has; give values of array columns, items or sections")
        if items is not None and sections is not None:
            raise InvalidError("items and sections are given; give one of them")
        needed = [column for _, column, _ in self.lists] + [side for side in bounds if isinstance(side, str)]
        needed += [name for name in (items, sections) if name is not None] + self.order + self.keys
        self.keep = list(data.columns) if keep is None else list(keep)
        for name in needed + self.keep:
            if name not in data.columns:
                raise InvalidError(f"the data has no column {name!r}; it has {', '.join(data.columns)}")
        own = [*columns, "content_size", "error"]
        for name in self.keep:
            if name in own:
                raise InvalidError(f"the data has a column {name!r}, as the result has; rename it, or do not keep it")
        self.names = [*self.keep, *own]
        self.needed = self.keep + [name for name in dict.fromkeys(needed) if name not in self.keep]

    # ---------------------------------------------------------------- driver

    def input(self, data: Any) -> Any:
        """The columns that executors need."""
        return data.select(*(f"`{name}`" for name in self.needed))

    def schema(self, data: Any, fields: Sequence[Tuple[str, Any]]) -> Any:
        """The types of the result."""
        from pyspark.sql import types  # type: ignore[import-not-found, unused-ignore]

        plain = {
            "string": types.StringType(), "bigint": types.LongType(), "int": types.IntegerType(),
            "double": types.DoubleType(), "boolean": types.BooleanType(),
        }  # fmt: skip

        def of(kind: Any) -> Any:
            if isinstance(kind, str):
                return plain[kind]
            if kind[0] == "array":
                return types.ArrayType(of(kind[1]))
            return types.StructType([types.StructField(name, plain["double"]) for name in kind])

        kept = [types.StructField(name, data.schema[name].dataType) for name in self.keep]
        return types.StructType(kept + [types.StructField(name, of(kind)) for name, kind in fields])

    # ---------------------------------------------------------------- executors

    def rows(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Lays out the collection of each row."""
        for batch in batches:
            counts, bounds, wrong = self._shapes(batch)
            first = 0
            while first < batch.num_rows:
                last, items = first + 1, sum(counts[first])
                while last < batch.num_rows and items + sum(counts[last]) <= _ITEMS_AT_ONCE:
                    items += sum(counts[last])
                    last += 1
                for start, stop, found in self._solve(batch, counts, bounds, wrong, first, last):
                    yield self._result(batch.slice(start, stop - start), counts[start:stop], found)
                first = last

    def _shapes(self, batch: Any) -> Tuple[List[List[int]], Optional[List[Tuple[float, float]]], Dict[int, str]]:
        """The item counts of each row's sections, its bounds, and what is wrong in which row."""
        import pyarrow.compute as compute  # type: ignore[import-untyped, unused-ignore]

        rows, wrong = batch.num_rows, {}  # type: int, Dict[int, str]
        lists = [(column, compute.list_value_length(batch.column(column)).to_pylist()) for _, column, _ in self.lists]
        counts: Any
        if self.sections is not None:
            counts = batch.column(self.sections).to_pylist()
            source, totals = self.sections, [None if one is None or None in one else sum(one) for one in counts]
        elif self.items is not None:
            source, totals = self.items, batch.column(self.items).to_pylist()
        else:
            source, totals = lists[0]
        for name, lengths in [(source, totals), *lists]:
            if lengths is totals and None not in totals and name is source:
                continue
            for row, (total, length) in enumerate(zip(totals, lengths)):
                if length is None:
                    wrong.setdefault(row, f"{name} is null; give an empty array for no items")
                elif length != total:
                    wrong.setdefault(row, f"{name} has {length} values for {total} items of {source}; give one for each")
        if self.sections is None:
            counts = [[total] for total in totals]
        bounds = None
        if any(isinstance(length, str) for length in self.bounds):
            sides = [
                batch.column(length).to_pylist() if isinstance(length, str) else [length] * rows for length in self.bounds
            ]
            for row, side in enumerate(zip(*sides)):
                if None in side:
                    wrong.setdefault(row, f"{self.bounds[side.index(None)]} is null; give the length of the bounds")
            bounds = list(zip(*sides))
        for row in wrong:
            counts[row] = []
        return counts, bounds, wrong

    def _solve(
        self, batch: Any, counts: List[List[int]], bounds: Any, wrong: Mapping[int, str], first: int, last: int
    ) -> Iterator[Tuple[int, int, Union[str, Batch]]]:
        """Lays out rows in one call. Input that libtessera refuses is found by halves."""
        start = first
        for row in sorted(row for row in wrong if first <= row < last):
            yield from self._try(batch, counts, bounds, start, row)
            yield row, row + 1, wrong[row]
            start = row + 1
        yield from self._try(batch, counts, bounds, start, last)

    def _try(
        self, batch: Any, counts: List[List[int]], bounds: Any, first: int, last: int
    ) -> Iterator[Tuple[int, int, Union[str, Batch]]]:
        if first == last:
            return
        try:
            values = {name: batch.column(column).slice(first, last - first).flatten() for name, column, _ in self.lists}
            found: Union[str, Batch] = self._batch(values, counts[first:last], None if bounds is None else bounds[first:last])
        except (InvalidError, RefusedError) as failure:
            if last - first > 1:
                middle = (first + last) // 2
                yield from self._try(batch, counts, bounds, first, middle)
                yield from self._try(batch, counts, bounds, middle, last)
                return
            found = str(failure)
        yield first, last, found

    def _batch(self, values: Mapping[str, Any], counts: List[List[int]], bounds: Any) -> Batch:
        """Hands over layouts of these section counts."""
        layout = _layout(self)
        layout.set_sections(sections=[count for row in counts for count in row])
        columns = {name: _column(values[name], name, width) for name, _, width in self.lists}
        layout.set_values({**columns, **self.constants})
        return layout.batch([len(row) for row in counts], bounds)

    def _result(self, batch: Any, counts: List[List[int]], found: Union[str, Batch]) -> Any:
        """Rows of the result."""
        import pyarrow.compute

        errors, elements, sizes, ends = _parts(found, batch.num_rows)
        starts: List[Optional[int]] = [0, *ends]
        for row in errors:
            # An array without a start is null.
            starts[row] = None
        firsts = list(accumulate((len(row) for row in counts), initial=0))
        offsets = pyarrow.array(starts, pyarrow.int32())
        arrays = [batch.column(name) for name in self.keep]
        for name, kind, missing in self.columns:
            column = _elements(elements, name, kind, missing)
            if name == "section":
                before = [first for first, start, end in zip(firsts, [0, *ends], ends) for _ in range(start, end)]
                column = pyarrow.compute.subtract(column, pyarrow.array(before, pyarrow.int64()))
            arrays.append(pyarrow.ListArray.from_arrays(offsets, column))
        texts = pyarrow.array([errors.get(row) for row in range(batch.num_rows)], pyarrow.string())
        return pyarrow.RecordBatch.from_arrays([*arrays, sizes, texts], self.names)

    def group(self, table: Any) -> Any:
        """Lays out the rows of a group."""
        import pyarrow.compute

        if self.order:
            table = table.sort_by([(name, "ascending") for name in self.order])
        table = table.combine_chunks()
        sides = [table.column(side)[0].as_py() if isinstance(side, str) else side for side in self.bounds]
        found: Union[str, Batch]
        try:
            if None in sides:
                raise InvalidError(f"{self.bounds[sides.index(None)]} is null; give the length of the bounds")
            values = {name: _whole(table.column(column)) for name, column, _ in self.lists}
            found = self._batch(values, [[table.num_rows]], [sides])
        except (InvalidError, RefusedError) as failure:
            found = str(failure)
        errors, elements, sizes, _ = _parts(found, 1)
        count = 1 if errors else elements.num_rows
        once = pyarrow.array([0] * count, pyarrow.int64())
        if errors:
            items = pyarrow.nulls(1, pyarrow.int64())
            columns = [pyarrow.nulls(1, _arrow_type(kind)) for _, kind, _ in self.columns]
        else:
            is_cell = pyarrow.compute.equal(_elements(elements, "category", "string", None), "cell")
            items = pyarrow.compute.if_else(is_cell, elements.column("item"), pyarrow.scalar(None, pyarrow.int64()))
            columns = [_elements(elements, name, kind, missing) for name, kind, missing in self.columns]
        kept = [_whole(table.column(name)).take(once if name in self.keys else items) for name in self.keep]
        texts = pyarrow.array([errors.get(0)] * count, pyarrow.string())
        return pyarrow.Table.from_arrays([*kept, *columns, sizes.take(once), texts], self.names)


_hosts: Dict[str, Host] = {}
#: The work of the last call in this process, and its layout.
_last: Tuple[str, Optional[Layout]] = ("", None)


def _host(settings: Mapping[str, Any]) -> Host:
    """The host of this process with these settings."""
    key = repr(sorted(settings.items()))
    if key not in _hosts:
        named = dict(settings)
        _hosts[key] = Host(*named.pop("folders", ()), **named)
    return _hosts[key]


def _layout(work: _Work) -> Layout:
    """The layout of a work in this process, so that engines start once and not for each call."""
    global _last
    id, layout = _last
    if layout is None or id != work.id:
        if layout is not None:
            layout.close()
        layout = _host(work.host).layout(work.engine, 0, **work.settings)
        _last = (work.id, layout)
    return layout


def _arrow_type(kind: Any) -> Any:
    import pyarrow

    if isinstance(kind, tuple):
        return pyarrow.struct([(name, pyarrow.float64()) for name in kind])
    plain = {"string": pyarrow.string, "bigint": pyarrow.int64, "int": pyarrow.int32, "double": pyarrow.float64, "boolean": pyarrow.bool_}
    return plain[kind]()


def _whole(column: Any) -> Any:
    """A column of a table as one array."""
    import pyarrow

    return pyarrow.concat_arrays(column.chunks) if column.num_chunks != 1 else column.chunk(0)


def _parts(found: Union[str, Batch], rows: int) -> Tuple[Dict[int, str], Any, Any, List[int]]:
    """The errors, elements, content sizes and ends of layouts."""
    import pyarrow

    if isinstance(found, str):
        return {row: found for row in range(rows)}, None, pyarrow.nulls(rows, _arrow_type(_SIZE)), [0] * rows
    errors = {row: str(error) for row, error in found.errors.items()}
    sides = [pyarrow.array([size[side] for size in found.content_sizes], pyarrow.float64()) for side in range(len(_SIZE))]
    sizes = pyarrow.StructArray.from_arrays(sides, list(_SIZE))
    if errors:
        sizes = sizes.take(pyarrow.array([None if row in errors else row for row in range(rows)], pyarrow.int64()))
    return errors, found.elements.to_arrow(), sizes, found.ends


def _elements(elements: Any, name: str, kind: Any, missing: Any) -> Any:
    """A column of elements in a type that Spark has."""
    import pyarrow.compute

    type_ = _arrow_type(kind)
    if elements is None:
        return pyarrow.nulls(0, type_)
    if name == "frame":
        return pyarrow.StructArray.from_arrays([elements.column(side) for side in kind], list(kind))
    place = elements.schema.get_field_index(name)
    if place < 0:
        return pyarrow.array([missing] * elements.num_rows, type_)
    column = elements.column(place)
    if isinstance(kind, tuple):
        sides = [pyarrow.compute.list_element(column, side) for side in range(len(kind))]
        return pyarrow.StructArray.from_arrays(sides, list(kind))
    return column.cast(type_)


def _column(values: Any, name: str, width: int) -> Any:
    """Item values in a form that layouts take."""
    import pyarrow.compute

    type_ = values.type
    if pyarrow.types.is_decimal(type_):
        return values.cast(pyarrow.float64())
    if width == 1:
        return values
    if values.null_count:
        raise InvalidError(f"{name} is null at index {values.is_null().index(True).as_py()}; give a value for each item")
    if pyarrow.types.is_struct(type_):
        if type_.num_fields != width:
            raise InvalidError(f"{name} has a struct of {type_.num_fields} numbers; give {width}")
        rows = array("d", bytes(8 * width * len(values)))
        for side, numbers in enumerate(values.flatten()):
            if numbers.null_count:
                raise InvalidError(f"{name} has a null at index {numbers.is_null().index(True).as_py()}; give {width} numbers for each")
            rows[side::width] = array("d", numbers.cast(pyarrow.float64()).to_pylist())
        # Arrow takes the memory of the numbers as it is.
        numbers = pyarrow.Array.from_buffers(pyarrow.float64(), len(rows), [None, pyarrow.py_buffer(rows)])
    else:
        lengths = pyarrow.compute.list_value_length(values).to_pylist()
        odd = next((length for length in lengths if length != width), None)
        if odd is not None:
            raise InvalidError(f"{name} has a value of {odd} numbers; give {width}")
        numbers = values.flatten().cast(pyarrow.float64())
    return pyarrow.FixedSizeListArray.from_arrays(numbers, width)
