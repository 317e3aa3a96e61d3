"""Query results: tables of elements that share memory with libtessera."""

from __future__ import annotations

import ctypes
import operator
from ctypes import byref, c_double, c_int8, c_int32, c_int64, c_uint8
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from . import _native
from ._native import ArrowArray, ArrowArrayStream, ArrowSchema, capsule

try:
    import numpy as _numpy
except ImportError:  # numpy is optional
    _numpy = None  # type: ignore[assignment]


class Element(NamedTuple):
    """An element: index path, frame, and the engine's other output."""

    category: str
    kind: Optional[str]
    section: int
    item: int
    x: float
    y: float
    width: float
    height: float
    alpha: float = 1.0
    z_index: int = 0
    hidden: bool = False


class _Memory:
    """An exported Arrow array, released with the last object that uses it."""

    def __init__(self, array: ArrowArray, schema: ArrowSchema) -> None:
        self.array, self.schema = array, schema

    def __del__(self) -> None:
        for struct in (self.array, self.schema):
            if struct.release:
                struct.release(ctypes.addressof(struct))

    # A copy would release the memory while in use.
    def __copy__(self) -> "_Memory":
        return self

    def __deepcopy__(self, _: Any) -> "_Memory":
        return self

    def __reduce_ex__(self, _: Any) -> Any:
        raise TypeError("elements cannot be pickled; pickle what to_pandas() or to_arrow() returns")


def _texts(array: ArrowArray) -> List[str]:
    ends = ctypes.cast(array.buffers[1], ctypes.POINTER(c_int32))
    bytes_ = ctypes.string_at(array.buffers[2], ends[array.length]) if array.length else b""
    return [bytes_[ends[place] : ends[place + 1]].decode() for place in range(array.length)]


#: A frame's columns, interleaved in memory.
_SIDES = ("x", "y", "width", "height")
_FORMATS: Dict[bytes, Tuple[Any, str]] = {
    b"c": (c_int8, "int8"),
    b"i": (c_int32, "int32"),
    b"l": (c_int64, "int64"),
    b"g": (c_double, "float64"),
}


class Rows(Sequence[Any]):
    """Rows of numbers without numpy, as tuples. `memory` has the numbers row by row."""

    def __init__(self, memory: memoryview, width: int) -> None:
        self.memory, self.shape = memory, (len(memory) // width, width)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        count, width = self.shape
        if isinstance(key, slice):
            first, last, step = key.indices(count)
            if step == 1:
                return Rows(self.memory[first * width : max(first, last) * width], width)
            return [self[place] for place in range(first, last, step)]
        place = operator.index(key)
        if not -count <= place < count:
            raise IndexError(f"there is no row {place}; there are {count}")
        place %= count
        return tuple(self.memory[place * width : place * width + width])

    def __repr__(self) -> str:
        return f"<tessera.Rows: {self.shape[0]} rows of {self.shape[1]} numbers>"


class _Column:
    """A column of an exported array."""

    def __init__(self, memory: _Memory, schema: ArrowSchema, array: ArrowArray) -> None:
        self.memory = memory
        self.name = schema.name.decode()
        self.format: bytes = schema.format
        self.count = int(array.length)
        self.array = array
        self.width = int(self.format[3:]) if self.format.startswith(b"+w:") else 1
        self.texts = _texts(array.dictionary.contents) if array.dictionary else None

    def _values(self) -> Tuple[Any, str]:
        """The numbers' memory and type."""
        array, format_ = (
            (self.array.children[0].contents, b"g") if self.width > 1 else (self.array, self.format)
        )
        kind, name = _FORMATS[format_]
        count = self.count * self.width
        values = (kind * count).from_address(array.buffers[1])
        # Views keep the memory alive.
        values.memory = self.memory
        return values, name

    def bits(self, buffer: int) -> List[bool]:
        """A bitmap's bits."""
        address = self.array.buffers[buffer]
        if not address:
            return [True] * self.count
        bytes_ = (c_uint8 * ((self.count + 7) // 8)).from_address(address)
        return [bool(bytes_[place // 8] >> place % 8 & 1) for place in range(self.count)]

    def view(self) -> Any:
        """A numpy array, or without numpy a memoryview or Rows; copies only bools."""
        if self.format == b"b":
            if _numpy is None:
                return self.bits(1)
            bytes_ = (c_uint8 * ((self.count + 7) // 8)).from_address(self.array.buffers[1])
            packed = _numpy.frombuffer(memoryview(bytes_), dtype=_numpy.uint8)
            return _numpy.unpackbits(packed, count=self.count, bitorder="little").view(_numpy.bool_)
        values, name = self._values()
        if _numpy is not None:
            found = _numpy.frombuffer(values, dtype=name)
            found.flags.writeable = False
            return found.reshape(self.count, self.width) if self.width > 1 else found
        view = (
            memoryview(values)
            .toreadonly()
            .cast("B")
            .cast({"float64": "d", "int64": "q", "int32": "i", "int8": "b"}[name])
        )
        return view if self.width == 1 else Rows(view, self.width)

    def objects(self) -> List[Any]:
        """Python objects: decoded dictionaries, tuples for lists."""
        if self.format == b"b":
            return self.bits(1)
        values = list(self._values()[0])
        if self.width > 1:
            return [
                tuple(values[place : place + self.width])
                for place in range(0, len(values), self.width)
            ]
        if self.texts is None:
            return values
        texts = self.texts
        return [texts[value] if is_valid else None for value, is_valid in zip(values, self.bits(0))]


class Elements:
    """An immutable query result, in listing order: by section, category (cell, decoration,
    supplementary), kind and item.

    Columns are numpy arrays, or without numpy memoryviews and Rows of 2 or more numbers. They are
    read-only and share the result's memory. Thread-safe.
    """

    def __init__(self, memory: _Memory) -> None:
        self._memory = memory
        schema, array = memory.schema, memory.array
        self._columns = {
            column.name: column
            for column in (
                _Column(memory, schema.children[place].contents, array.children[place].contents)
                for place in range(array.n_children)
            )
        }
        self._count = int(array.length)

    # Immutable, so a copy is the same object.
    def __copy__(self) -> "Elements":
        return self

    def __deepcopy__(self, _: Any) -> "Elements":
        return self

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self._memory.__reduce_ex__(protocol)

    @property
    def columns(self) -> List[str]:
        """Column names: index path, frame and its numbers, and the engine's other output."""
        names = list(self._columns)
        place = names.index("frame") + 1
        return [*names[:place], *(side for side in _SIDES if side not in names), *names[place:]]

    @property
    def frames(self) -> Any:
        """x, y, width and height in points: shape (n, 4), float64."""
        return self._columns["frame"].view()

    @property
    def sections(self) -> Any:
        """Sections, int64."""
        return self._columns["section"].view()

    @property
    def items(self) -> Any:
        """Item numbers within category, kind and section, int64."""
        return self._columns["item"].view()

    @property
    def categories(self) -> List[str]:
        """ "cell", "supplementary" or "decoration"."""
        return self._columns["category"].objects()

    @property
    def kinds(self) -> List[Optional[str]]:
        """Kinds, None for cells."""
        return self._columns["kind"].objects()

    @property
    def transforms(self) -> Any:
        """16 numbers in the order of CSS matrix3d(), or None if all are the identity."""
        return self._view("transform")

    @property
    def alphas(self) -> Any:
        """Opacities, 0 to 1, or None if all are 1."""
        return self._view("alpha")

    @property
    def z_indexes(self) -> Any:
        """Drawing order, or None if all are 0."""
        return self._view("z_index")

    @property
    def hidden(self) -> Any:
        """Whether elements are hidden, or None if all are visible."""
        return self._view("hidden")

    def _view(self, name: str) -> Any:
        column = self._columns.get(name)
        return None if column is None else column.view()

    def __getitem__(self, key: Any) -> Any:
        """A column by name, such as an engine's attribute; or an element by position."""
        if isinstance(key, str):
            if key in _SIDES:
                place = _SIDES.index(key)
                return self.frames[:, place] if _numpy is not None else self.frames.memory[place::4]
            column = self._columns.get(key)
            if column is None:
                raise KeyError(f"there is no column {key!r}; there are {', '.join(self.columns)}")
            return column.objects() if column.texts is not None else column.view()
        place = operator.index(key)
        if not -self._count <= place < self._count:
            raise IndexError(f"there is no element {place}; there are {self._count}")
        return self._element(place % self._count)

    def _element(self, place: int) -> Element:
        columns = self._columns

        def number(name: str, default: Any) -> Any:
            column = columns.get(name)
            if column is None:
                return default
            return column.bits(1)[place] if column.format == b"b" else column._values()[0][place]

        x, y, width, height = columns["frame"]._values()[0][4 * place : 4 * place + 4]
        kind = columns["kind"]
        validity = kind.array.buffers[0]
        is_valid = validity and ctypes.string_at(validity + place // 8, 1)[0] >> place % 8 & 1
        return Element(
            _native.CATEGORIES[number("category", 0)],
            (kind.texts or [])[number("kind", 0)] if is_valid else None,
            number("section", 0),
            number("item", 0),
            x,
            y,
            width,
            height,
            number("alpha", 1.0),
            number("z_index", 0),
            number("hidden", False),
        )

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Element]:
        def column(name: str, default: Any) -> Sequence[Any]:
            found = self._columns.get(name)
            return [default] * self._count if found is None else found.objects()

        frames = self._columns["frame"]._values()[0]
        return map(
            Element,
            self.categories,
            self.kinds,
            column("section", 0),
            column("item", 0),
            frames[0::4],
            frames[1::4],
            frames[2::4],
            frames[3::4],
            column("alpha", 1.0),
            column("z_index", 0),
            column("hidden", False),
        )

    def __repr__(self) -> str:
        return f"<tessera.Elements: {self._count} elements, columns {', '.join(self.columns)}>"

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with every column. Points, sizes, rects and insets become one column
        per number;
        transforms are omitted. pandas.DataFrame(layout) has the columns of Element.
        """
        import pandas  # type: ignore[import-untyped, unused-ignore]

        fields: Dict[str, Any] = {}
        for name, column in self._columns.items():
            if column.texts is not None:
                fields[name] = column.objects()
            elif column.width == 1:
                fields[name] = column.view()
            elif column.width <= 4:
                prefix, view = "" if name == "frame" else f"{name}.", column.view()
                fields.update(
                    (prefix + part, view[:, place])
                    for place, part in enumerate(_SIDES[: column.width])
                )
        return pandas.DataFrame(fields)

    # ---------------------------------------------------------------- Arrow

    def to_arrow(self) -> Any:
        """A pyarrow.RecordBatch; copies only x, y, width and height. Needs pyarrow; other
        libraries can read this object directly.
        """
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        return pyarrow.record_batch(self)

    def __arrow_c_schema__(self) -> Any:
        schema = ArrowSchema()
        self._share(schema=schema)
        return capsule(schema, b"arrow_schema")

    def __arrow_c_array__(self, requested_schema: Any = None) -> Tuple[Any, Any]:
        schema, array = ArrowSchema(), ArrowArray()
        self._share(schema=schema, array=array)
        return capsule(schema, b"arrow_schema"), capsule(array, b"arrow_array")

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        stream = ArrowArrayStream()
        self._share(stream=stream)
        return capsule(stream, b"arrow_array_stream")

    def _share(
        self,
        schema: Optional[ArrowSchema] = None,
        array: Optional[ArrowArray] = None,
        stream: Optional[ArrowArrayStream] = None,
    ) -> None:
        status = _native.library.arrow_share(
            byref(self._memory.array),
            None if schema is None else byref(schema),
            None if array is None else byref(array),
            None if stream is None else byref(stream),
        )
        if status:
            raise _native.error(status, None)
