"""Hosts, engines and layouts."""

from __future__ import annotations

import asyncio
import ctypes
import inspect
import operator
import os
import signal
import threading
from array import array
from ctypes import byref, c_char_p, c_double, c_int32, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass
from html import escape
from itertools import accumulate, groupby
from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Sequence,
    Set,
    Tuple,
)

from . import _figure, _native, _values
from ._elements import Element, Elements, _Memory
from ._native import (
    ArrowArray,
    ArrowSchema,
    InvalidError,
    MisusedError,
    NotFoundError,
    library,
    text,
)
from ._values import Declaration

Size = Tuple[float, float]
Point = Tuple[float, float]
Insets = Tuple[float, float, float, float]

_ISOLATIONS = {"sandbox": 0, "process": 1, "none": 2}
_DIRECTIONS = {"ltr": 0, "rtl": 1}


def _ids(value: Optional[Sequence[Any]]) -> Optional[List[Any]]:
    return None if value is None else _values.characters(value, "ids", "an id for each item")


def _choice(value: str, choices: Mapping[str, int], name: str) -> int:
    if not isinstance(value, str) or value not in choices:
        raise InvalidError(
            f"{name} is {_values.shown(value)}; give"
            f" {', '.join(repr(choice) for choice in choices)}"
        )
    return choices[value]


class _Found(NamedTuple):
    """A batch's result: ends as int64, content sizes as float64."""

    elements: Any
    ends: bytes
    sizes: bytes
    errors: Dict[int, _native.Error]


@dataclass(frozen=True)
class Refusal:
    """A refused file or folder, with the reason."""

    file: str
    reason: str
    status: int
    #: Remaining time after crashes; 0 for another reason.
    seconds: int = 0


class Host:
    """Finds engines and runs each in a sandboxed process by default.

    Thread-safe; calls wait for each other.
    """

    def __init__(
        self,
        *folders: str,
        standard_folders: bool = False,
        isolation: str = "sandbox",
        require_full_sandbox: bool = False,
        worker: Optional[str] = None,
        time_limit: Optional[float] = None,
        memory_limit: Optional[int] = None,
        row_limit: Optional[int] = None,
        kept_workers: int = 0,
        refusal_time: int = 60,
        allowlist: Optional[str] = None,
    ) -> None:
        """Creates a host.

        :param folders: Folders to search for engines. By default the package's engines, those in
            TESSERA_PATH, or the installed ones.
        :param standard_folders: Also search these defaults, after the folders.
        :param isolation: "sandbox", "process" (a process with your rights) or "none" (inside this
        process,
            which a crash ends: only for your own engines).
        :param require_full_sandbox: Refuse engines if this machine's sandbox is not full.
        :param worker: The path of the program tessera-worker.
        :param time_limit: Seconds for one call of a layout; 10 by default.
        :param memory_limit: Bytes of a worker; 4 GiB by default.
        :param row_limit: Rows of a layout, one per element unless it is lazy; 67,108,864 by
        default.
        :param kept_workers: Processes of closed layouts to reuse, 0 to 64.
        :param refusal_time: Seconds to refuse an engine after its third crash within a minute, in
        any
            program of yours; 0 turns this off.
        :param allowlist: A file of SHA-256 checksums of allowed libraries.
        """
        self._lock = _native.lock()
        self._pointer: Optional[int] = library.engines_create()
        if not self._pointer:
            raise MemoryError("there is no memory for a host")
        self._declared: Dict[str, Dict[int, List[Declaration]]] = {}
        #: Also for the command.
        self._folders = [os.fsdecode(_values.path(folder, "folder")) for folder in folders]
        for folder in self._folders:
            self._call("add_folder", os.fsencode(folder))
        if standard_folders:
            self._call("add_standard_folders")
        self._call("set_isolation", _choice(isolation, _ISOLATIONS, "isolation"))
        self._call("require_full_sandbox", int(bool(require_full_sandbox)))
        self._call("set_refusal_time", _values.whole(refusal_time, "refusal_time", (1 << 32) - 1))
        if worker is not None:
            self._call("set_worker", _values.path(worker, "worker"))
        if time_limit is not None:
            self._call("set_time_limit", _values.real(time_limit, "time_limit"))
        if memory_limit is not None:
            self._call("set_memory_limit", _values.whole(memory_limit, "memory_limit"))
        if row_limit is not None:
            self._call("set_row_limit", _values.whole(row_limit, "row_limit"))
        if allowlist is not None:
            self._call("set_allowlist", _values.path(allowlist, "allowlist"))
        self._call("set_kept_workers", _values.whole(kept_workers, "kept_workers", (1 << 32) - 1))

    def __reduce_ex__(self, _: Any) -> Any:
        raise TypeError("a host cannot be copied or pickled; create another")

    def __del__(self) -> None:
        pointer, self._pointer = getattr(self, "_pointer", None), None
        if pointer:
            library.engines_destroy(pointer)

    def _call(self, name: str, *arguments: Any) -> None:
        with self._lock:
            status = getattr(library, f"engines_{name}")(self._pointer, *arguments)
            if status:
                raise _native.error(
                    status,
                    library.engines_message(self._pointer),
                    library.engines_code(self._pointer),
                )

    def _session(self, engine: str) -> int:
        session = c_void_p()
        with self._lock:
            status = library.session_create(
                self._pointer, _values.encoded(engine, "engine"), byref(session)
            )
            if status:
                raise _native.error(
                    status,
                    library.engines_message(self._pointer),
                    library.engines_code(self._pointer),
                )
        assert session.value is not None
        return session.value

    def _declarations(
        self, engine: str, session: int, fresh: bool = False
    ) -> Dict[int, List[Declaration]]:
        """An engine's declarations; `fresh` rereads them, as the library may be new."""
        with self._lock:
            if fresh or engine not in self._declared:
                self._declared[engine] = {
                    sort: _values.declarations(session, sort) for sort in range(9)
                }
            return self._declared[engine]

    def engines(self) -> List["Engine"]:
        """All usable engines on the search path."""
        return [self.engine(id) for id in self._list()[0]]

    def refusals(self) -> List[Refusal]:
        """Unusable files and folders on the search path."""
        return self._list()[1]

    def _list(self) -> Tuple[List[str], List[Refusal]]:
        engines, refusals = c_uint64(), c_uint64()
        ids: List[str] = []
        refused: List[Refusal] = []
        with self._lock:
            self._call("list", byref(engines), byref(refusals))
            info, refusal = _native.EngineInfo(), _native.Refusal()
            for index in range(engines.value):
                self._call("get", index, byref(info), ctypes.sizeof(info))
                if info.shadowed_by is None:
                    ids.append(text(info.id))
            for index in range(refusals.value):
                self._call("get_refusal", index, byref(refusal))
                refused.append(
                    Refusal(
                        text(refusal.file), text(refusal.reason), refusal.status, refusal.seconds
                    )
                )
        return ids, refused

    def engine(self, name: str) -> "Engine":
        """Finds an engine by id, last part of it, or library path."""
        return Engine(self, name)

    def layout(self, engine: str, items: Optional[int] = None, **settings: Any) -> "Layout":
        """Lays out items; takes the arguments of tessera.layout."""
        return Layout(self, engine, items, **settings)


@dataclass(frozen=True)
class Reload:
    """The outcome of reloading a replaced library."""

    #: Number of reloads of the layout.
    count: int
    #: A sentence for each setting that the new library no longer declares in this way.
    dropped: Tuple[str, ...]
    #: Why the previous library stays in use, or None.
    error: Optional[_native.Error]


class Engine:
    """An engine; engine(100, item_size=(50, 50)) is layout(engine.id, 100, …)."""

    def __init__(self, host: Host, name: str) -> None:
        session = host._session(name)
        try:
            info = _native.EngineInfo()
            library.session_get_engine(session, byref(info), ctypes.sizeof(info))
            declared = host._declarations(name, session, fresh=True)
            self.id, self.name, self.version = text(info.id), text(info.name), text(info.version)
            self.author, self.license, self.summary = (
                text(info.author),
                text(info.license),
                text(info.summary),
            )
            self.library, self.base = text(info.library), text(info.base) or None
        finally:
            library.session_destroy(session)
        self._host, self._name = host, name

        def named(sort: int) -> Dict[str, Declaration]:
            return {declaration.name: declaration for declaration in declared[sort]}

        #: Parameters by name.
        self.parameters = named(_values.PARAMETERS)
        self.section_values = named(_values.SECTION_VALUES)
        self.item_values = named(_values.ITEM_VALUES)
        #: Columns by list and column name.
        self.lists: Dict[str, Dict[str, Declaration]] = {
            found.name: {
                column.name: column
                for column in _values.columns_of(found.name, declared[_values.LIST_COLUMNS])
            }
            for found in declared[_values.LISTS]
        }
        #: Element attributes by name.
        self.attributes = named(_values.ATTRIBUTES)
        self.kinds = named(_values.KINDS)
        self.delegate_functions = named(_values.DELEGATES)
        self.published_functions = named(_values.FUNCTIONS)
        self.__doc__ = self._document()
        self.__name__ = self.id.rsplit(".", 1)[-1].replace("-", "_")
        own = [
            parameter
            for parameter in inspect.signature(Layout.__init__).parameters.values()
            if parameter.name not in ("self", "host", "engine", "settings")
        ]
        self.__signature__ = inspect.Signature(
            own
            + [
                inspect.Parameter(
                    declared.keyword,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=_values.plain(declared.initial),
                )
                for declared in self.parameters.values()
                if declared.keyword not in {parameter.name for parameter in own}
            ],
            return_annotation="Layout",
        )

    def __call__(self, items: Optional[int] = None, **settings: Any) -> "Layout":
        return Layout(self._host, self._name, items, **settings)

    def __repr__(self) -> str:
        return f"<tessera.Engine {self.id} {self.version}: {self.summary}>"

    def _document(self) -> str:
        lines = [
            self.summary,
            "",
            f"{self.id} {self.version}" + (f", derived from {self.base}" if self.base else ""),
        ]
        for title, found in (
            ("Parameters, as keyword arguments", self.parameters),
            ("Item values, in values=", self.item_values),
            ("Section values, in section_values=", self.section_values),
            *((f"Records of {name}, in lists=", columns) for name, columns in self.lists.items()),
            ("Attributes of elements", self.attributes),
            ("Kinds of elements", self.kinds),
            ("Delegate functions, in delegates=", self.delegate_functions),
            ("Published functions, for call()", self.published_functions),
        ):
            if found:
                lines += ["", f"{title}:"]
            is_input = found is not self.attributes and found is not self.kinds
            for declared in found.values():
                lines.append(
                    f"    {declared.keyword if is_input else declared.name}: {declared.summary}"
                )
                if declared.help:
                    lines.append(f"        {declared.help}")
        return "\n".join(lines)


class Layout:
    """An engine, its input and its elements.

    Setters do no work; the next query prepares the layout if needed. Query results are
    snapshots. Thread-safe by a lock per layout; different layouts work in parallel. If the
    engine crashes, the call raises DiedError, and the next one restarts it with all settings.

    A layout is closed by close(), by `with`, or by garbage collection.
    """

    def __init__(
        self,
        host: Host,
        engine: str,
        items: Optional[int] = None,
        *,
        sections: Optional[Iterable[int]] = None,
        offsets: Optional[Iterable[int]] = None,
        groups: Optional[Iterable[Any]] = None,
        ids: Optional[Sequence[Any]] = None,
        values: Optional[Mapping[str, Any]] = None,
        section_values: Optional[Mapping[str, Any]] = None,
        section_names: Optional[Sequence[Any]] = None,
        lists: Optional[Mapping[str, Any]] = None,
        data: Any = None,
        labels: Any = None,
        captions: Any = None,
        colors: Any = None,
        images: Any = None,
        bounds: Size = (375.0, 667.0),
        delegates: Optional[Mapping[str, Callable[..., Any]]] = None,
        measure: Optional[Callable[[int, int, Size], Size]] = None,
        measure_supplementary: Optional[Callable[[str, int, Size], Size]] = None,
        progress: Optional[Callable[[float], Any]] = None,
        parameters: Optional[Mapping[str, Any]] = None,
        **settings: Any,
    ) -> None:
        self._lock = _native.lock()
        self._raised: List[BaseException] = []
        self._callbacks: Dict[str, Any] = {}
        #: Ends the wait for a background prepare.
        self._wake: Optional[Callable[[], Any]] = None
        self._all: Optional[Elements] = None
        self._host, self._engine = host, engine
        self._pointer: Optional[int] = host._session(engine)
        self._bounds: Size = (0.0, 0.0)
        #: Settings for drawings, as options of the command.
        self._view: Dict[str, str] = {}
        self._counts: List[int] = []
        self._update: Optional[Update] = None
        self._held = self._origin = (0, 0)
        try:
            info = _native.EngineInfo()
            self._call("get_engine", byref(info), ctypes.sizeof(info))
            #: The id of the engine.
            self.engine: str = text(info.id)
            #: Columns of the program's data, and section names.
            self._data = _values.table(data)
            self._names: List[str] = []
            if isinstance(groups, str) and self._data:
                given = {
                    "labels": labels,
                    "captions": captions,
                    "colors": colors,
                    "images": images,
                    "ids": ids,
                }
                self._check_sorted(groups, {**given, **_values.mapping(values, "values")})
                groups = self._gather(groups)
            elif groups is not None:
                groups = _values.characters(
                    groups, "groups", "the group of each item, or the name of a column of the data"
                )
                self._names = [_figure.text(name) for name, _ in groupby(groups)]
            lengths = _values.section_counts(items, sections, offsets, groups)
            ids = _ids(ids)
            if lengths is None and self._data:
                lengths = [len(next(iter(self._data.values())))]
            if lengths is None:
                found = (
                    _values.length_of(value) for value in _values.mapping(values, "values").values()
                )
                lengths = [
                    next(
                        (length for length in found if length is not None),
                        0 if ids is None else len(ids),
                    )
                ]
            self._set_sections(lengths)
            if section_names is not None:
                self._names = [
                    _figure.text(name)
                    for name in _values.listed(
                        section_names, "section_names", "one for each section"
                    )
                ]
                if len(self._names) != len(lengths):
                    raise InvalidError(
                        f"there are {len(self._names)} section_names for {len(lengths)} sections;"
                        " give one for each"
                    )
            for name, column in self._data.items():
                if len(column) != sum(lengths):
                    raise InvalidError(
                        f"column {name} has {len(column)} rows for {sum(lengths)} items; give one"
                        " for each"
                    )
            #: Whole-day events; drawings show them above the hours.
            self._whole_days: _figure.WholeDays = {}
            self._marks: Dict[str, _figure.Mark] = {}
            self._marks = self._marked(
                labels=labels, captions=captions, colors=colors, images=images
            )
            self._ids = self._identities(ids)
            self.set(bounds=bounds, parameters=parameters, **settings)
            self.set_lists(lists)
            self.set_values(
                {**self._supplied(), **_values.mapping(values, "values")}, section_values
            )
            for name, function in _values.mapping(delegates, "delegates").items():
                self.set_delegate(name, function)
            if measure is not None:
                self.set_measure(measure)
            if measure_supplementary is not None:
                self.set_measure_supplementary(measure_supplementary)
            if progress is not None:
                self.set_progress(progress)
        except BaseException:
            self.close()
            raise

    def _supplied(self) -> Dict[str, Any]:
        """Item values from the data, as the command reads tables: columns named like values, and
        an aspect ratio from width and height.
        """
        if not self._data:
            return {}
        declared = self._host._declarations(self._engine, _values.opened(self._pointer))[
            _values.ITEM_VALUES
        ]
        names = {name: one.name for one in declared for name in (one.keyword, one.name)}
        found = {names[name]: column for name, column in self._data.items() if name in names}
        if (
            "aspectRatio" in names
            and "aspectRatio" not in found
            and {"width", "height"} <= set(self._data)
        ):
            sides = [
                [
                    _values.real(_values.cell_of(cell), f"{side} in row {row}")
                    for row, cell in enumerate(self._data[side])
                ]
                for side in ("width", "height")
            ]
            found = {
                name: column for name, column in found.items() if name not in ("width", "height")
            }
            found["aspectRatio"] = [
                width / height if height else 0.0 for width, height in zip(*sides)
            ]
        return found

    def _check_sorted(self, groups: str, given: Mapping[str, Any]) -> None:
        for name, value in given.items():
            if (
                value is not None
                and not isinstance(value, str)
                and _values.length_of(value) is not None
            ):
                raise InvalidError(
                    f"groups names the column {groups!r}, by which the rows are sorted; give {name}"
                    " as a column of the data, too"
                )

    def _gather(self, name: str) -> List[Any]:
        """Groups the data's rows by a column, in order of first appearance."""
        if name not in self._data:
            raise InvalidError(
                f"groups is {name!r}; give a column of the data, or an entry for each item"
            )
        groups = [_figure.text(cell) for cell in self._data[name]]
        self._names = list(dict.fromkeys(groups))
        places = {group: place for place, group in enumerate(self._names)}
        rows = sorted(range(len(groups)), key=lambda row: places[groups[row]])
        self._data = {column: [cells[row] for row in rows] for column, cells in self._data.items()}
        return [groups[row] for row in rows]

    def _marked(self, **given: Any) -> Dict[str, _figure.Mark]:
        return _figure.marks(given, self._data, sum(self._counts), self._marks)

    # ---------------------------------------------------------------- life

    def close(self) -> None:
        """Ends the worker. Earlier elements stay valid; other calls raise MisusedError."""
        with self._lock:
            pointer, self._pointer = self._pointer, None
            if pointer:
                library.session_destroy(pointer)
            if self._wake:
                self._wake()

    def __enter__(self) -> "Layout":
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __del__(self) -> None:
        pointer, self._pointer = getattr(self, "_pointer", None), None
        if pointer:
            library.session_destroy(pointer)

    def __reduce_ex__(self, _: Any) -> Any:
        raise TypeError(
            "a layout cannot be copied or pickled; create another, or copy what"
            " elements.to_pandas() returns"
        )

    def _call(self, name: str, *arguments: Any) -> None:
        with self._lock:
            function = getattr(library, f"session_{name}")
            given = (_values.opened(self._pointer), *arguments)
            self._check(
                self._interruptible(function, given) if self._callbacks else function(*given)
            )

    def _interruptible(self, function: Callable[..., int], given: Tuple[Any, ...]) -> int:
        """Calls a library function with callbacks. ctypes would only print a KeyboardInterrupt in
        a callback, so this cancels the call and raises it at the end.
        """
        handler = signal.getsignal(signal.SIGINT)
        if not callable(handler) or threading.current_thread() is not threading.main_thread():
            return function(*given)

        def keep(*arguments: Any) -> None:
            try:
                handler(*arguments)
            except BaseException as failure:
                self._raised.append(failure)

        signal.signal(signal.SIGINT, keep)
        try:
            return function(*given)
        finally:
            signal.signal(signal.SIGINT, handler)

    def _check(self, status: int) -> None:
        raised, self._raised[:] = self._raised[:], []
        if raised:
            raise raised[0]
        if status:
            raise _native.error(
                status, library.session_message(self._pointer), library.session_code(self._pointer)
            )

    def _change(self, name: str, *arguments: Any) -> None:
        self._all = None
        self._call(name, *arguments)

    def _declared(self, name: str, sort: int, what: str) -> Declaration:
        pointer = _values.opened(self._pointer)
        declared = self._host._declarations(self._engine, pointer)[sort]
        try:
            return _values.resolve(name, declared, what, self.engine)
        except InvalidError:
            fresh = self._host._declarations(self._engine, pointer, fresh=True)[sort]
            return _values.resolve(name, fresh, what, self.engine)

    # ---------------------------------------------------------------- input

    def set(
        self,
        *,
        bounds: Optional[Size] = None,
        offset: Optional[Point] = None,
        content_insets: Optional[Insets] = None,
        safe_area: Optional[Insets] = None,
        layout_margins: Optional[Insets] = None,
        scale: Optional[float] = None,
        direction: Optional[str] = None,
        element_limit: Optional[int] = None,
        time_limit: Optional[float] = None,
        parameters: Optional[Mapping[str, Any]] = None,
        **named: Any,
    ) -> None:
        """Sets viewport and engine parameters, as target_row_height or targetRowHeight; None
        resets one.

        :param parameters: Engine parameters that clash with arguments here.
        :param bounds: The viewport's width and height in points.
        :param offset: The scroll offset.
        :param content_insets: Top, left, bottom, right, as are safe area and layout margins.
        :param scale: Device pixels per point.
        :param direction: "ltr" or "rtl".
        :param element_limit: Elements that a query may return; 10 million by default.
        :param time_limit: Seconds for one engine call; the host's by default.
        """
        with self._lock:
            for name, value, kind in (
                ("bounds", bounds, "size"),
                ("offset", offset, "point"),
                ("content_insets", content_insets, "insets"),
                ("safe_area", safe_area, "insets"),
                ("layout_margins", layout_margins, "insets"),
            ):
                if value is not None:
                    count = len(_values.PARTS[kind])
                    numbers = list(_values.numbers(value, name, count, kind))
                    if len(numbers) != count:
                        raise InvalidError(f"{name} has {len(numbers)} numbers; give {count}")
                    self._change(f"set_{name}", *numbers)
                    if name == "bounds":
                        self._bounds = (numbers[0], numbers[1])
                    elif name == "content_insets":
                        self._view["--content-insets"] = ",".join(map(repr, numbers))
            if scale is not None:
                self._change("set_scale", _values.real(scale, "scale"))
                self._view["--scale"] = repr(float(scale))
            if direction is not None:
                self._change("set_direction", _choice(direction, _DIRECTIONS, "direction"))
                self._view["--direction"] = "rightToLeft" if direction == "rtl" else "leftToRight"
            if element_limit is not None:
                self._change("set_element_limit", _values.whole(element_limit, "element_limit"))
            if time_limit is not None:
                self._call("set_time_limit", _values.real(time_limit, "time_limit"))
            for name, value in {**_values.mapping(parameters, "parameters"), **named}.items():
                self._set_parameter(name, value)

    def _set_parameter(self, given: str, value: Any) -> None:
        declared = self._declared(given, _values.PARAMETERS, "parameter")
        name = declared.name.encode()
        if value is None:
            self._change("reset_parameter", name)
        elif declared.type == "enum":
            self._change("set_parameter_choice", name, _values.encoded(value, given))
        else:
            numbers = _values.numbers(value, given, declared.components, declared.type)
            self._change("set_parameter", name, numbers, len(numbers))

    def _set_sections(self, lengths: List[int]) -> None:
        self._change("set_sections", _values.count_array(lengths), len(lengths))
        self._counts = lengths

    def set_sections(
        self,
        items: Optional[int] = None,
        *,
        sections: Optional[Iterable[int]] = None,
        offsets: Optional[Iterable[int]] = None,
        groups: Optional[Iterable[Any]] = None,
        ids: Optional[Sequence[Any]] = None,
    ) -> None:
        """Sets section lengths, and removes all values, data and labels."""
        lengths = _values.section_counts(items, sections, offsets, groups)
        if lengths is None:
            raise InvalidError(
                "nothing says how many items there are; give items, sections, offsets or groups"
            )
        ids = _ids(ids)
        with self._lock:
            self._set_sections(lengths)
            self._data, self._names, self._marks, self._whole_days = {}, [], {}, {}
            self._ids = self._identities(ids)

    def _identities(self, ids: Optional[Sequence[Any]]) -> Optional[List[bytes]]:
        if ids is None:
            return None
        found = [_values.encoded(id, "an id") for id in ids]
        if len(found) != sum(self._counts):
            raise InvalidError(
                f"there are {len(found)} ids for {sum(self._counts)} items; give one for each"
            )
        return found

    def set_values(
        self,
        values: Optional[Mapping[str, Any]] = None,
        section_values: Optional[Mapping[str, Any]] = None,
    ) -> None:
        """Sets item and section values: a column in item or section order, or one value for all.
        Columns are numpy arrays, Arrow arrays, lists, or anything that numpy reads. Points,
        sizes, rects and insets are rows of 2 or 4 numbers; one value for all is a tuple.
        """
        with self._lock:
            for scope, sort, what, found in (
                (_native.ITEM_SCOPE, _values.ITEM_VALUES, "item value", values),
                (_native.SECTION_SCOPE, _values.SECTION_VALUES, "section value", section_values),
            ):
                for name, value in _values.mapping(found, f"{what}s").items():
                    declared = self._declared(name, sort, what)
                    self._all = None
                    self._check(
                        _values.set_values(_values.opened(self._pointer), scope, declared, value)
                    )

    def splice_values(
        self, name: str, place: int, removed: int, values: Any, *, of_sections: bool = False
    ) -> None:
        """Replaces `removed` item values at index `place` by others. In an update, it starts from
        the old values, and splices apply in turn; see `splices` of `update`.
        """
        with self._lock:
            scope, sort, what = (
                (_native.SECTION_SCOPE, _values.SECTION_VALUES, "section value")
                if of_sections
                else (_native.ITEM_SCOPE, _values.ITEM_VALUES, "item value")
            )
            declared = self._declared(name, sort, what)
            self._all = None
            self._check(
                _values.splice_values(
                    _values.opened(self._pointer), scope, declared, place, removed, values
                )
            )

    def set_lists(self, lists: Optional[Mapping[str, Any]] = None, **named: Any) -> None:
        """Sets lists of records by name: a mapping per record, or one mapping of columns. Missing
        values have their defaults. In a list with a column `parent`, records can be nested as
        `children`. None and an empty list remove all records.
        """
        with self._lock:
            for given, value in {**_values.mapping(lists, "lists"), **named}.items():
                name = self._declared(given, _values.LISTS, "list").name
                every = self._host._declarations(self._engine, _values.opened(self._pointer))[
                    _values.LIST_COLUMNS
                ]
                count, columns = _values.records(
                    name, value, _values.columns_of(name, every), self.engine
                )
                self._change("set_list", name.encode(), count)
                for column, rows in columns:
                    self._check(_values.set_list(_values.opened(self._pointer), name, column, rows))

    # ---------------------------------------------------------------- callbacks

    def _set_callback(
        self, key: str, setter: str, kind: Any, body: Optional[Callable[..., Any]], *before: bytes
    ) -> None:
        """Sets or removes a callback. It fails if the body returns False; an exception in it ends
        the query, which raises it.
        """
        raised = self._raised

        def call(_: Any, *given: Any) -> int:
            try:
                assert body is not None
                return 1 if body(*given) is False or raised else 0
            except BaseException as failure:
                raised.append(failure)
                return 1

        with self._lock:
            callback = kind(call) if body is not None else kind()
            self._call(setter, *before, callback, None)
            self._callbacks[key] = callback

    def set_delegate(self, name: str, function: Optional[Callable[..., Any]]) -> None:
        """Implements or removes a delegate function. It takes the arguments' numbers and returns a
        number or a tuple. An exception ends the query, which raises it.
        """
        with self._lock:
            declared = self._declared(name, _values.DELEGATES, "delegate function")

            def body(given: Any, count: int, result: Any, result_count: int) -> None:
                assert function is not None
                answer = function(*(_values.plain(given[place]) for place in range(count)))
                if result_count:
                    found = _values.numbers(answer, declared.name, result_count)
                    if len(found) != result_count:
                        raise InvalidError(
                            f"{declared.name} returned {len(found)} numbers; return {result_count}"
                        )
                    for place in range(result_count):
                        result[place] = found[place]

            self._all = None
            given = None if function is None else body
            self._set_callback(
                declared.name, "set_delegate", _native.DELEGATE, given, declared.name.encode()
            )

    def set_measure(self, measure: Optional[Callable[[int, int, Size], Size]]) -> None:
        """Sets the function that measures items. It takes section, item and proposed width and
        height (0 is unlimited), and returns width and height.
        """

        def body(section: int, item: int, proposed: Any, measured: Any) -> None:
            assert measure is not None
            measured[0], measured[1] = measure(section, item, (proposed[0], proposed[1]))

        self._all = None
        # Not a valid delegate name.
        self._set_callback(" measure", "set_measure", _native.MEASURE, measure and body)

    def set_measure_supplementary(
        self, measure: Optional[Callable[[str, int, Size], Size]]
    ) -> None:
        """Sets the function that measures headers and the like. It takes kind, section and
        proposed width and height (0 is unlimited), and returns width and height.
        """

        def body(kind: bytes, section: int, proposed: Any, measured: Any) -> None:
            assert measure is not None
            measured[0], measured[1] = measure(text(kind), section, (proposed[0], proposed[1]))

        self._all = None
        kind = _native.MEASURE_SUPPLEMENTARY
        self._set_callback(
            " measure supplementary", "set_measure_supplementary", kind, measure and body
        )

    def set_progress(self, progress: Optional[Callable[[float], Any]]) -> None:
        """Sets the receiver of the progress of long calls, 0 to 1; returning False cancels."""

        def body(fraction: float) -> Any:
            assert progress is not None
            return False if self._raised else progress(fraction)

        self._set_callback(" progress", "set_progress", _native.PROGRESS, progress and body)

    # ---------------------------------------------------------------- queries

    @property
    def bounds(self) -> Size:
        """The viewport's width and height in points."""
        return self._bounds

    @bounds.setter
    def bounds(self, size: Size) -> None:
        self.set(bounds=size)

    @property
    def last_reload(self) -> Optional[Reload]:
        """The last reload of a replaced library, or None. Reloads happen in calls and keep all
        settings that are still declared.
        """
        count, status = c_uint64(), c_int32()
        with self._lock:
            self._call("reloads", byref(count), byref(status))
            message = library.session_reload_message(self._pointer)
        if not count.value:
            return None
        if status.value:
            return Reload(count.value, (), _native.error(status.value, message))
        return Reload(count.value, tuple(text(message).splitlines()), None)

    @property
    def batch_part(self) -> Optional[Tuple[int, int]]:
        """For measuring functions in a batch: the layout's number, and its first section's number
        in this layout, to add to the function's section. Otherwise None.
        """
        number, section = c_uint64(), c_uint64()
        with self._lock:
            pointer = _values.opened(self._pointer)
            status = library.session_batch_part(pointer, byref(number), byref(section))
            if status == InvalidError.status:
                return None
            if status:
                raise _native.error(
                    status, library.session_message(pointer), library.session_code(pointer)
                )
            return number.value, section.value

    @property
    def offset(self) -> Point:
        """The scroll offset; an update may change it."""
        return self._pair("offset")

    @offset.setter
    def offset(self, point: Point) -> None:
        self.set(offset=point)

    @property
    def sections(self) -> List[int]:
        """The item count of each section."""
        return list(self._counts)

    @property
    def content_size(self) -> Size:
        """The content's width and height in points."""
        return self._pair("content_size")

    def _pair(self, name: str, *arguments: Any) -> Tuple[float, float]:
        one, two = c_double(), c_double()
        self._call(name, *arguments, byref(one), byref(two))
        return one.value, two.value

    def _query(self, name: str, *arguments: Any) -> Elements:
        count = c_uint64()
        with self._lock:
            self._call(
                name, *arguments, None, ctypes.sizeof(_native.ElementStruct), 0, byref(count)
            )
            return self._export()

    def _export(self) -> Elements:
        array, schema = ArrowArray(), ArrowSchema()
        self._call("export", byref(schema), byref(array))
        return Elements(_Memory(array, schema))

    def _export_arrow(self) -> Any:
        """The last result as a pyarrow.RecordBatch with libtessera's columns, without copies."""
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        array, schema = ArrowArray(), ArrowSchema()
        self._call("export", byref(schema), byref(array))
        return pyarrow.RecordBatch._import_from_c(ctypes.addressof(array), ctypes.addressof(schema))

    @property
    def elements(self) -> Elements:
        """All elements, cached until a setter is called."""
        with self._lock:
            if self._all is None:
                self._all = self._query("query_all")
            return self._all

    def in_rect(self, x: float, y: float, width: float, height: float) -> Elements:
        """Elements whose frames intersect a rect. O(log n + k) for k of n elements."""
        rect = (("x", x), ("y", y), ("width", width), ("height", height))
        return self._query("query_rect", *(_values.real(number, name) for name, number in rect))

    def drawn_in(self, x: float, y: float, width: float, height: float, reach: float) -> Elements:
        """Elements drawn in a rect after transforms. O(log n + k) for k of n elements within
        reach.

        :param reach: Largest distance between the rect and frames that a transform moves into it.
        """
        given = (("x", x), ("y", y), ("width", width), ("height", height), ("reach", reach))
        return self._query("query_drawn", *(_values.real(number, name) for name, number in given))

    @property
    def visible(self) -> Elements:
        """Elements that intersect the viewport: the bounds at the offset."""
        return self._query("query_viewport")

    @property
    def frames(self) -> Any:
        """x, y, width and height in points: shape (n, 4), float64."""
        return self.elements.frames

    def __getitem__(self, key: Any) -> Any:
        """A column of all elements by name, or an element by position."""
        return self.elements[key]

    def __len__(self) -> int:
        return len(self.elements)

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[Element]:
        return iter(self.elements)

    def to_pandas(self) -> Any:
        """All elements as a pandas.DataFrame: every column, and the data's columns for cells."""
        table = self.elements.to_pandas()
        for name, column in self._own_columns(list(table)):
            table[name] = column
        return table

    def to_arrow(self) -> Any:
        """All elements as a pyarrow.RecordBatch, with the data's columns for cells."""
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        table = self.elements.to_arrow()
        for name, column in self._own_columns(table.schema.names):
            table = table.append_column(name, pyarrow.array(column, from_pandas=True))
        return table

    def _own_columns(self, taken: Sequence[str]) -> Iterator[Tuple[str, List[Any]]]:
        """The data's columns by element, None except for cells."""
        starts = [0, *accumulate(self._counts)]
        rows = [starts[one.section] + one.item if one.category == "cell" else None for one in self]
        for name, column in self._data.items():
            yield name if name not in taken else f"{name}_data", [
                None if row is None else column[row] for row in rows
            ]

    def __arrow_c_schema__(self) -> Any:
        return (self.to_arrow().schema if self._data else self.elements).__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: Any = None) -> Tuple[Any, Any]:
        return (self.to_arrow() if self._data else self.elements).__arrow_c_array__(
            requested_schema
        )

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        return (self.to_arrow() if self._data else self.elements).__arrow_c_stream__(
            requested_schema
        )

    def resting_offset(self, x: float, y: float, velocity: Point = (0.0, 0.0)) -> Point:
        """Where scrolling comes to rest for a proposed offset."""
        numbers = [_values.real(number, "the offset or velocity") for number in (x, y, *velocity)]
        if len(numbers) != 4:
            raise InvalidError(f"the velocity has {len(numbers) - 2} numbers; give 2")
        return self._pair("resting_offset", *numbers)

    async def prepare(self) -> None:
        """Prepares the layout on another thread, so that the next query doesn't wait. Meanwhile,
        other calls raise MisusedError.
        """
        descriptor, loop = c_int32(), asyncio.get_running_loop()
        self._change("prepare_begin", byref(descriptor))
        finished: asyncio.Future[None] = loop.create_future()

        def finish() -> None:
            if not finished.done():
                finished.set_result(None)

        loop.add_reader(descriptor.value, finish)
        # A closed layout's descriptor never becomes readable.
        self._wake = lambda: loop.call_soon_threadsafe(finish)
        try:
            await finished
        finally:
            self._wake = None
            loop.remove_reader(descriptor.value)
            self._call("prepare_finish")

    def watch(self) -> Tuple[int, Set[str]]:
        """Returns a descriptor that becomes readable when the engine ends or its library is
        replaced, and the events since the last query: "ended", "replaced". After waiting, call
        this again, and prepare the layout if there are events. The layout owns the descriptor.
        """
        descriptor, events = c_int32(), c_uint32()
        self._call("watch", byref(descriptor), byref(events))
        return descriptor.value, {
            name for place, name in enumerate(("ended", "replaced")) if events.value >> place & 1
        }

    # ---------------------------------------------------------------- by hand

    @staticmethod
    def _place(section: int, item: int) -> Tuple[int, int]:
        return _values.whole(section, "a section"), _values.whole(item, "an item")

    def begin_drag(self, section: int, item: int) -> None:
        """Starts dragging an item."""
        with self._lock:
            self._change("drag_begin", *self._place(section, item))
            self._held = self._origin = (section, item)

    def drag_to(self, x: float, y: float) -> Tuple[int, int]:
        """Moves the held item's centre to a point of the content. The layout shows it dropped
        there; returns that section and item.
        """
        section, item = c_uint64(), c_uint64()
        with self._lock:
            self._change(
                "drag_to",
                _values.real(x, "the point"),
                _values.real(y, "the point"),
                byref(section),
                byref(item),
            )
            self._move_held((section.value, item.value))
            return self._held

    @property
    def held_element(self) -> Optional[Element]:
        """The held item as an element, in front of all others; None if no item is held."""
        return self._found("drag_held")

    def end_drag(self) -> Optional["Edit"]:
        """Drops the held item and returns the edit for your own data; None if the item is back."""
        edit, count = _native.EditStruct(), c_uint64()
        self._change("drag_end", byref(edit), byref(count))
        if not count.value:
            return None
        return Edit(
            edit.operation, (edit.from_section, edit.from_item), (edit.to_section, edit.to_item)
        )

    def cancel_drag(self) -> None:
        """Returns the held item to its origin."""
        with self._lock:
            self._change("drag_cancel")
            self._move_held(self._origin)

    def _move_held(self, target: Tuple[int, int]) -> None:
        """Moves per-item settings: ids, data, labels and colors."""
        source = sum(self._counts[: self._held[0]]) + self._held[1]
        self._counts[self._held[0]] -= 1
        self._counts[target[0]] += 1
        place = sum(self._counts[: target[0]]) + target[1]

        def moved(column: List[Any]) -> List[Any]:
            rest = column[:source] + column[source + 1 :]
            return rest[:place] + [column[source]] + rest[place:]

        self._data = {name: moved(column) for name, column in self._data.items()}
        self._marks = {
            name: mark._replace(values=moved(mark.values)) for name, mark in self._marks.items()
        }
        self._ids, self._whole_days = None if self._ids is None else moved(self._ids), {}
        self._held = target

    def set_measured(
        self, section: int, first: int, sizes: Sequence[Size], *, kind: Optional[str] = None
    ) -> None:
        """Sets sizes of consecutive items that the program has measured, or of a section's
        supplementary element `kind` with `first` 0. Other items keep the engine's estimate.
        """
        found = _values.listed(sizes, "sizes", "a width and height for each")
        flat = [number for size in found for number in _values.numbers(size, "a size", 2, "size")]
        if len(flat) != 2 * len(found):
            raise InvalidError(
                f"there are {len(flat)} numbers for {len(found)} sizes; give a width and height for"
                " each"
            )
        numbers = (c_double * max(1, len(flat)))(*flat)
        self._change(
            "set_measured", self._kind(kind), *self._place(section, first), numbers, len(found)
        )

    def withdraw_measured(
        self, section: int, first: int, count: int = 1, *, kind: Optional[str] = None
    ) -> None:
        """Discards measured sizes, to be measured again."""
        self._change(
            "withdraw_measured",
            self._kind(kind),
            *self._place(section, first),
            _values.whole(count, "count"),
        )

    def proposed_size(self, section: int, item: int, *, kind: Optional[str] = None) -> Size:
        """The width and height for measuring an item; 0 is unlimited."""
        return self._pair("proposed_size", self._kind(kind), *self._place(section, item))

    @staticmethod
    def _kind(kind: Optional[str]) -> Optional[bytes]:
        return None if kind is None else _values.encoded(kind, "kind")

    def element_at(self, x: float, y: float) -> Optional[Element]:
        """The frontmost element at a point of the content, or None."""
        return self._found("find_at", _values.real(x, "the point"), _values.real(y, "the point"))

    def next_cell(self, section: int, item: int, toward: str) -> Optional[Element]:
        """The next cell toward "left", "right", "up" or "down", or None."""
        place = self._one_of(toward, ("left", "right", "up", "down"), "toward")
        return self._found(
            "find_next", _values.whole(section, "a section"), _values.whole(item, "an item"), place
        )

    def offset_revealing(self, section: int, item: int, placement: str = "nearest") -> Point:
        """The scroll offset that shows an item at the "start", "centre" or "end", or at the
        "nearest" place.
        Doesn't scroll.
        """
        place = self._one_of(placement, ("nearest", "start", "centre", "end"), "placement")
        return self._pair(
            "offset_revealing",
            _values.whole(section, "a section"),
            _values.whole(item, "an item"),
            place,
        )

    @property
    def needs(self) -> Set[str]:
        """Inputs that the engine and its bases use: "item values", "section values", "measuring",
        "snapping", "reordering", and "scrolling" if elements move with the viewport.
        """
        names = (
            "item values",
            "section values",
            "measuring",
            "snapping",
            "reordering",
            "scrolling",
        )
        with self._lock:
            bits = library.session_needs(_values.opened(self._pointer))
        return {name for place, name in enumerate(names) if bits >> place & 1}

    @staticmethod
    def _one_of(given: str, names: Tuple[str, ...], what: str) -> int:
        if given not in names:
            raise InvalidError(f"{what} is {given!r}; give one of {', '.join(names)}")
        return names.index(given)

    def _found(self, name: str, *arguments: Any) -> Optional[Element]:
        """The element that a session's function finds, or None."""
        found = _native.ElementStruct()
        try:
            self._call(name, *arguments, byref(found), ctypes.sizeof(found))
        except NotFoundError:
            return None
        return self._element(found)

    def _element(self, found: Any) -> Element:
        kind = (
            None
            if found.kind == _native.NO_KIND
            else text(library.session_kind_name(self._pointer, found.kind))
        )
        return Element(
            _native.CATEGORIES[found.category],
            kind,
            found.section,
            found.item,
            found.x,
            found.y,
            found.width,
            found.height,
            found.alpha,
            found.z_index,
            bool(found.hidden),
        )

    def call(self, name: str, *arguments: float) -> Any:
        """Calls a published function of the engine."""
        with self._lock:
            declared = self._declared(name, _values.FUNCTIONS, "published function")
            result_type = declared.type.split("(")[0]
            width = {"void": 0, "point": 2, "size": 2, "rect": 4, "insets": 4}.get(result_type, 1)
            given, result = (c_double * max(1, len(arguments)))(
                *_values.numbers(arguments, name, len(arguments))
            ), (c_double * 4)()
            self._all = None
            self._call("call", declared.name.encode(), given, len(arguments), result, width)
            if width == 1 and result_type not in ("f64", "f32"):
                return bool(result[0]) if result_type == "bool" else int(result[0])
            return tuple(result[:width]) if width > 1 else result[0] if width else None

    @property
    def refusal_time(self) -> int:
        """Seconds until the engine is no longer refused after crashes; 0 if it isn't."""
        seconds = c_uint32()
        self._call("refusal_time", byref(seconds))
        return seconds.value

    @property
    def sandbox(self) -> str:
        """The worker's sandbox: "full", "reduced: " with the missing parts, or "none"."""
        with self._lock:
            return text(library.session_get_sandbox(_values.opened(self._pointer)))

    def batch(
        self,
        section_counts: Optional[Sequence[int]] = None,
        bounds: Optional[Sequence[Size]] = None,
    ) -> "Batch":
        """Lays out each section separately: many small layouts in one call. Measuring functions
        get sections from 0 in each layout; `batch_part` identifies the layout.

        :param section_counts: Sections per layout; one each by default.
        :param bounds: Width and height per layout; the viewport's by default.
        """
        given = None if section_counts is None else _values.counts(section_counts, "section_counts")
        count = len(self._counts if given is None else given)
        sections = None if given is None else _values.count_array(given)
        flat: Optional[List[float]] = None
        if bounds is not None:
            sizes = [
                _values.numbers(size, "bounds", 2, "size")
                for size in _values.listed(bounds, "bounds", "one for each layout")
            ]
            if len(sizes) != count or any(len(size) != 2 for size in sizes):
                raise InvalidError(
                    f"there are {len(sizes)} bounds for {count} layouts; give a width and height"
                    " for each"
                )
            flat = [number for size in sizes for number in size]
        found = self._query_batch(
            sections,
            None if flat is None else (c_double * max(1, len(flat)))(*flat),
            count,
            Layout._export,
        )
        ends, numbers = array("Q", found.ends).tolist(), array("d", found.sizes).tolist()
        return Batch(found.elements, ends, list(zip(numbers[::2], numbers[1::2])), found.errors)

    def _query_batch(
        self, sections: Any, bounds: Any, count: int, exported: Callable[["Layout"], Any]
    ) -> "_Found":
        """Lays out sections separately: all elements, and copies of the library's columns per
        layout.
        """
        columns, found = _native.ColumnsStruct(), _native.BatchStruct()
        with self._lock:
            self._all = None
            self._call(
                "query_batch",
                sections,
                bounds,
                count,
                byref(columns),
                ctypes.sizeof(columns),
                byref(found),
                ctypes.sizeof(found),
            )
            statuses = ctypes.string_at(found.statuses, 4 * count)
            errors = (
                {
                    layout: _native.error(
                        status,
                        library.session_batch_message(self._pointer, layout),
                        library.session_batch_code(self._pointer, layout),
                    )
                    for layout, status in enumerate(memoryview(statuses).cast("i"))
                    if status
                }
                if statuses.strip(b"\0")
                else {}
            )
            return _Found(
                exported(self),
                ctypes.string_at(found.ends, 8 * count),
                ctypes.string_at(found.content_sizes, 16 * count),
                errors,
            )

    # ---------------------------------------------------------------- updates

    def update(
        self,
        ids: Optional[Sequence[Any]] = None,
        *,
        edits: Optional[Sequence["Edit"]] = None,
        items: Optional[int] = None,
        sections: Optional[Iterable[int]] = None,
        offsets: Optional[Iterable[int]] = None,
        groups: Optional[Iterable[Any]] = None,
        values: Optional[Mapping[str, Any]] = None,
        section_values: Optional[Mapping[str, Any]] = None,
        splices: Optional[Iterable[Tuple[str, int, int, Any]]] = None,
        visible: bool = False,
        **parameters: Any,
    ) -> "Update":
        """Changes the data, and returns a track for every element before and after; with
        `visible`, only for the viewport before and after, at proportional cost.

        The change is the new ids, for a layout with ids, or edits, such as [delete(0, 3),
        insert(0, 0)], with the new item counts. `values`, `section_values` and parameters
        describe the new data. `splices` change some item values instead, as (name, place,
        removed, values): [("height", 3, 1, []), ("height", 0, 0, [20])] for these edits. The
        offset is adjusted to keep the top element in place.
        """
        lengths = _values.section_counts(items, sections, offsets, groups)
        ids = _ids(ids)
        with self._lock:
            if (ids is None) == (edits is None):
                raise InvalidError("an update has either ids or edits; give one of them")
            if visible and edits is None:
                raise InvalidError(
                    "an update by ids has tracks of all elements; give edits for those that are"
                    " visible"
                )
            if ids is not None and self._ids is None:
                raise InvalidError(
                    "the layout has no ids to compare with; give ids when you create it, or edits"
                )
            if lengths is None:
                if ids is not None and len(self._counts) == 1:
                    lengths = [len(ids)]
                else:
                    raise InvalidError(
                        "nothing says how many items there are after the update; give items or"
                        " sections"
                    )
            given = _values.listed(() if edits is None else edits, "edits", "a list of Edit")
            if not all(isinstance(edit, Edit) for edit in given):
                raise InvalidError(
                    f"edits is {_values.shown(edits)}; give a list of Edit, such as insert(0, 3)"
                )
            before, self._counts = self._counts, lengths
            raised = self._raised

            # Once the library asks for new values, the counts are new, even on error.
            has_new_counts = False

            def supply(_: Any, __: Any) -> int:
                nonlocal has_new_counts
                has_new_counts = True
                try:
                    self.set_values(values, section_values)
                    for splice in () if splices is None else splices:
                        self.splice_values(*splice)
                    self.set(parameters=parameters)
                    return 0
                except BaseException as failure:
                    raised.append(failure)
                    return 1

            after = None
            try:
                after = self._identities(ids)
                callback, tracks = _native.SUPPLY(supply), c_uint64()
                counts = _values.count_array(lengths)
                if after is not None and self._ids is not None:
                    old, new = self._texts(self._ids), self._texts(after)
                    self._change(
                        "update_identities",
                        old,
                        new,
                        counts,
                        len(lengths),
                        callback,
                        None,
                        byref(tracks),
                    )
                else:
                    found = [edit._struct() for edit in given]
                    structs = (_native.EditStruct * max(1, len(found)))(*found)
                    name = "update_visible" if visible else "update"
                    self._change(
                        name,
                        structs,
                        len(found),
                        counts,
                        len(lengths),
                        callback,
                        None,
                        byref(tracks),
                    )
            except BaseException:
                if has_new_counts:
                    self._ids = after
                else:
                    self._counts = before
                raise
            self._ids = after
            self._data, self._names, self._marks, self._whole_days = {}, [], {}, {}
            self._update = Update(self, tracks.value)
            return self._update

    def moment(self) -> "Moment":
        """The current layout, as the start of a transition. O(n)."""
        with self._lock:
            return Moment(self, "take_moment")

    def transition(self, before: "Moment") -> "Update":
        """Animates from a moment to this layout of the same items, by another engine or with other
        settings.

        An element in only one of them fades out or in. O(n).

        :param before: From `moment()` of a layout, or `moment(progress)` of an unfinished change.
        """
        if not isinstance(before, Moment):
            raise InvalidError(
                f"a transition from {_values.shown(before)} is not possible; give what moment()"
                " returned"
            )
        tracks = c_uint64()
        with self._lock:
            self._call("transition", before._pointer, byref(tracks))
            self._update = Update(self, tracks.value)
            return self._update

    @staticmethod
    def _texts(ids: List[bytes]) -> Any:
        return (c_char_p * max(1, len(ids)))(*ids)

    # ---------------------------------------------------------------- looks

    def __repr__(self) -> str:
        state = "" if self._pointer else ", closed"
        where = "1 section" if len(self._counts) == 1 else f"{len(self._counts)} sections"
        return f"<tessera.Layout {self.engine}: {sum(self._counts)} items in {where}{state}>"

    # ---------------------------------------------------------------- figures

    def svg(self, **options: Any) -> str:
        """The layout as an SVG document; takes the options of save."""
        return self._draw(None, **options)

    def save(self, path: Any, **options: Any) -> None:
        """Draws into a .svg, .png, .pdf or .html as tessera figure does: a figure if items have
        labels, captions, colors or images, else a wireframe.

        :param labels: Item names: a column's name or a sequence. So are the next three.
        :param captions: Second texts of items.
        :param colors: Values that colour items, with a legend.
        :param images: Paths or web addresses of pictures.
        :param title: A title above; `subtitle` is below it, and `source` below the content.
        :param text: Texts of elements by kind: {"hourLabel": "{hour}:00"}.
        :param theme: "light", "dark", or for SVG "auto".
        :param wireframe: True for a wireframe, False for a figure.
        :param fit: How images fill items: "cover", "contain" or "fill".
        :param embed: Embed pictures in an SVG or page instead of linking to them.
        :param width: The width of the drawing; its height follows.
        :param paper: "a4" or "letter": a PDF of pages of paper.
        """
        self._draw(os.fsdecode(_values.path(path, "path")), **options)

    def _draw(
        self,
        path: Optional[str],
        *,
        labels: Any = None,
        captions: Any = None,
        colors: Any = None,
        images: Any = None,
        title: Optional[str] = None,
        subtitle: Optional[str] = None,
        source: Optional[str] = None,
        text: Optional[Mapping[str, str]] = None,
        theme: Optional[str] = None,
        wireframe: Optional[bool] = None,
        fit: Optional[str] = None,
        embed: bool = False,
        width: Optional[float] = None,
        paper: Optional[str] = None,
        is_viewport: bool = False,
    ) -> str:
        with self._lock:
            marks = self._marked(labels=labels, captions=captions, colors=colors, images=images)
            options: List[str] = []
            given = {
                "title": title,
                "subtitle": subtitle,
                "source": source,
                "theme": theme,
                "fit": fit,
                "width": width,
                "paper": paper,
            }
            for name, value in given.items():
                options += (
                    []
                    if value is None
                    else [f"--{name}={os.fsdecode(_values.encoded(value, name))}"]
                )
            for kind, template in _values.mapping(text, "text").items():
                options.append(
                    "--text=" + os.fsdecode(_values.encoded(f"{kind}={template}", "text"))
                )
            options += ["--embed"] if embed else []
            if wireframe is None:
                wireframe = not (
                    marks
                    or text
                    or any(value is not None for value in (title, subtitle, source, paper))
                )
            options += ["--wireframe"] if wireframe else []
            for name, vector in (("bounds", self._bounds), ("offset", self.offset)):
                options.append(f"--{name}={vector[0]!r},{vector[1]!r}")
            options += [f"{name}={value}" for name, value in self._view.items()]
            elements = self.visible if is_viewport else self.elements
            if is_viewport:
                options.append("--visible")
            size = self.content_size
            document = _figure.document(
                elements, self.engine, size, self._shown_texts(marks, elements), self._whole_days
            )
            info = _native.EngineInfo()
            self._call("get_engine", byref(info), ctypes.sizeof(info))
            folders = [
                os.path.dirname(os.path.abspath(os.fsdecode(info.library))),
                *self._host._folders,
            ]
            counts = self._counts
        if wireframe:
            # A wireframe shows neither.
            marks = {
                kind: mark for kind, mark in marks.items() if kind not in ("captions", "colors")
            }
        return _figure.draw(self.engine, folders, document, marks, counts, path, options)

    def _shown_texts(
        self, marks: Mapping[str, _figure.Mark], elements: Elements
    ) -> Dict[Tuple[str, Optional[str], int, int], str]:
        """Texts of cells, headers and hour labels, by category, kind, section and item."""
        found: Dict[Tuple[str, Optional[str], int, int], str] = {}
        if "labels" in marks:
            names = iter(marks["labels"].values)
            for section, count in enumerate(self._counts):
                found.update(
                    {
                        ("cell", None, section, item): _figure.text(next(names))
                        for item in range(count)
                    }
                )
        declared = self._host._declarations(self._engine, _values.opened(self._pointer))
        hours = {one.name for one in declared[_values.ATTRIBUTES] if one.unit == "h"}
        for kind in declared[_values.KINDS]:
            if kind.role == "header":
                found.update(
                    {
                        (kind.type, kind.name, section, 0): name
                        for section, name in enumerate(self._names)
                    }
                )
            elif kind.shows in hours and kind.shows in elements.columns:
                for one, hour in zip(elements, elements[kind.shows]):
                    if one.kind == kind.name:
                        found[one.category, one.kind, one.section, one.item] = f"{int(hour)}:00"
        return found

    def plot(
        self,
        axes: Any = None,
        *,
        labels: Any = None,
        colors: Any = None,
        cmap: Any = "viridis",
        font_size: float = 8,
    ) -> Any:
        """Draws into matplotlib axes and returns them: a patch for each element, in content
        points, and the labels that fit. Set the figure's size first.
        """
        with self._lock:
            marks = self._marked(labels=labels, colors=colors)
            if axes is None:
                import matplotlib.pyplot  # type: ignore[import-not-found, unused-ignore]

                axes = matplotlib.pyplot.gca()
            fills = marks["colors"].values if "colors" in marks else None
            starts = [0, *accumulate(self._counts)]
            texts = self._shown_texts(marks, self.elements)
            shown = [element for _, element in _figure.placed(self.elements, self._whole_days)]
            _figure.plot(axes, shown, self.content_size, texts, fills, starts, cmap, font_size)
        return axes

    def _repr_svg_(self) -> Optional[str]:
        """The viewport for a notebook; None without a command, or if too large."""
        if len(self.visible) > _figure.LIMIT or _figure.found_command() is None:
            return None
        drawing = self._draw(None, is_viewport=True, theme="light", embed="images" in self._marks)
        return drawing.replace("<svg ", '<svg style="max-width:100%;height:auto" ', 1)

    def _repr_html_(self) -> str:
        """The same with a line about the layout."""
        drawing, (width, height) = self._repr_svg_() or "", self.content_size
        items, sections = sum(self._counts), len(self._counts)
        where = "1 section" if sections == 1 else f"{sections} sections"
        line = (
            f"{escape(self.engine)}: {items} items in {where}, content {width:.6g} × {height:.6g}"
        )
        return f"<figure style='margin:0'>{drawing}<figcaption>{line}</figcaption></figure>"


@dataclass(frozen=True)
class Edit:
    """A change of adjacent items: see insert, delete, move, reload and the section edits."""

    operation: int
    origin: Tuple[int, int] = (0, 0)
    target: Tuple[int, int] = (0, 0)
    count: int = 1

    def _struct(self) -> _native.EditStruct:
        places = [
            _values.listed(place, "an edit", "a section and an item")
            for place in (self.origin, self.target)
        ]
        numbers = [_values.whole(number, "an edit") for place in places for number in place]
        if any(len(place) != 2 for place in places):
            raise InvalidError(
                f"an edit is from {self.origin!r} to {self.target!r}; give a section and an item"
            )
        return _native.EditStruct(
            _values.whole(self.operation, "the operation of an edit", 8, 1),
            _values.whole(self.count, "the count of an edit", 2**32 - 1, 1),
            *numbers,
        )


def insert(section: int, item: int, count: int = 1) -> Edit:
    """Inserts items, at an index after the update."""
    return Edit(1, target=(section, item), count=count)


def delete(section: int, item: int, count: int = 1) -> Edit:
    """Deletes items, at an index before the update."""
    return Edit(2, origin=(section, item), count=count)


def move(origin: Tuple[int, int], target: Tuple[int, int], count: int = 1) -> Edit:
    """Moves items from a (section, item) before the update to one after it."""
    return Edit(3, origin=origin, target=target, count=count)


def reload(section: int, item: int, count: int = 1) -> Edit:
    """Marks items as changed, at an index before the update."""
    return Edit(4, origin=(section, item), count=count)


def insert_section(section: int) -> Edit:
    """Inserts a section with its items."""
    return Edit(5, target=(section, 0))


def delete_section(section: int) -> Edit:
    """Deletes a section with its items."""
    return Edit(6, origin=(section, 0))


def move_section(origin: int, target: int) -> Edit:
    """Moves a section with its items."""
    return Edit(7, origin=(origin, 0), target=(target, 0))


def reload_section(section: int) -> Edit:
    """Marks all items of a section as changed."""
    return Edit(8, origin=(section, 0))


@dataclass(frozen=True)
class Track:
    """An element before and after an update. New elements start at their initial appearance,
    removed ones end at their final one.
    """

    #: "stays", "appears" or "disappears"
    fate: str
    before: Element
    after: Element


class Moment:
    """An immutable snapshot of a layout, or of a change at a progress."""

    def __init__(self, layout: Layout, name: str, *arguments: Any) -> None:
        self._pointer = c_void_p()
        layout._call(name, *arguments, byref(self._pointer))

    def __reduce_ex__(self, _: Any) -> Any:
        raise TypeError("a moment cannot be copied or pickled; take another")

    def __del__(self) -> None:
        pointer, self._pointer = getattr(self, "_pointer", None), c_void_p()
        if pointer:
            library.moment_destroy(pointer)


class Update:
    """A change of the data, or a transition, as an animation: a track for every element."""

    _FATES = ("stays", "appears", "disappears")

    def __init__(self, layout: Layout, count: int) -> None:
        self._layout = layout
        kind = _native.ElementStruct * max(1, count)
        before, after, fates, copied = kind(), kind(), (c_uint32 * max(1, count))(), c_uint64()
        layout._call(
            "copy_tracks",
            0,
            before,
            after,
            fates,
            ctypes.sizeof(_native.ElementStruct),
            count,
            byref(copied),
        )
        #: The tracks, in listing order.
        self.tracks: List[Track] = [
            Track(
                self._FATES[fates[place]],
                layout._element(before[place]),
                layout._element(after[place]),
            )
            for place in range(copied.value)
        ]

    def __len__(self) -> int:
        return len(self.tracks)

    def __iter__(self) -> Iterator[Track]:
        return iter(self.tracks)

    def _check_last(self) -> None:
        if self._layout._update is not self:
            raise MisusedError("the layout was updated again; use the last update")

    def at(self, progress: float) -> List[Element]:
        """The elements at a progress of 0 to 1; valid until the next update."""
        layout, count = self._layout, c_uint64()
        with layout._lock:
            self._check_last()
            size, room = (
                ctypes.sizeof(_native.ElementStruct),
                (_native.ElementStruct * max(1, len(self.tracks)))(),
            )
            layout._call(
                "query_moment",
                _values.real(progress, "progress"),
                room,
                size,
                len(self.tracks),
                byref(count),
            )
            return [
                layout._element(room[place]) for place in range(min(count.value, len(self.tracks)))
            ]

    def moment(self, progress: float) -> Moment:
        """The change at a progress, as the start of a transition. O(n)."""
        with self._layout._lock:
            self._check_last()
            return Moment(self._layout, "take_animated_moment", _values.real(progress, "progress"))

    def tracks_at(self, progress: float) -> List[Track]:
        """Tracks at a progress, parallel to `at`."""
        layout, count = self._layout, c_uint64()
        with layout._lock:
            self._check_last()
            places = (c_uint64 * max(1, len(self.tracks)))()
            layout._call(
                "moment_tracks",
                _values.real(progress, "progress"),
                places,
                len(self.tracks),
                byref(count),
            )
            return [self.tracks[place] for place in places[: min(count.value, len(self.tracks))]]


class Batch:
    """Many small layouts, with their elements in layout order."""

    def __init__(
        self,
        elements: Elements,
        ends: List[int],
        sizes: List[Size],
        errors: Dict[int, _native.Error],
    ) -> None:
        #: The elements of all layouts.
        self.elements = elements
        #: Layout i has elements ends[i - 1] (or 0) up to ends[i].
        self.ends = ends
        #: Content width and height by layout.
        self.content_sizes = sizes
        #: Errors by failed layout; these have no elements.
        self.errors = errors

    def __len__(self) -> int:
        return len(self.ends)

    def __getitem__(self, layout: int) -> Any:
        """Frames of a layout; raises its error if it failed."""
        place = operator.index(layout)
        if not -len(self.ends) <= place < len(self.ends):
            raise IndexError(f"there is no layout {place}; there are {len(self.ends)}")
        place %= len(self.ends)
        if place in self.errors:
            raise self.errors[place]
        return self.elements.frames[self.ends[place - 1] if place else 0 : self.ends[place]]

    def __repr__(self) -> str:
        failed = f", {len(self.errors)} failed" if self.errors else ""
        return f"<tessera.Batch: {len(self.ends)} layouts of {len(self.elements)} elements{failed}>"
