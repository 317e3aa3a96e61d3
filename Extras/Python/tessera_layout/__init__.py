"""Tessera lays out items with engines that are plug-ins, and returns where every element goes.

    import tessera_layout as tessera
    layout = tessera.layout("flow", 100, bounds=(320, 480), item_size=(50, 50))
    layout.frames                       # (n, 4) float64: x, y, width, height
    layout.in_rect(0, 200, 320, 480)    # the elements that a rect shows
    layout                              # in a notebook: the picture

help(tessera.engine("flow")) describes an engine, and tessera.engines() lists those that there are. Engines run in a
sandboxed process each; one that crashes raises DiedError, and the layout goes on with the next call.
"""

from __future__ import annotations

import importlib
import os
from types import ModuleType
from typing import Any, Callable, Iterable, List, Mapping, Optional, Sequence

from ._elements import Element, Elements
from ._layout import (
    Batch,
    Edit,
    Engine,
    Host,
    Insets,
    Layout,
    Moment,
    Point,
    Refusal,
    Reload,
    Size,
    Track,
    Update,
    delete,
    delete_section,
    insert,
    insert_section,
    move,
    move_section,
    reload,
    reload_section,
)
from ._native import (
    CancelledError,
    CannotLoadError,
    CannotWriteError,
    DiedError,
    Error,
    InvalidError,
    MisusedError,
    NotAllowedError,
    NotFoundError,
    RefusedError,
)
from . import _charts, _native, _values
from ._values import Declaration

__all__ = [
    "Batch", "CancelledError", "CannotLoadError", "CannotWriteError", "Declaration", "DiedError", "Edit", "Element", "Elements", "Engine",
    "Error", "Host", "InvalidError", "Layout", "MisusedError", "Moment", "NotAllowedError", "NotFoundError", "Refusal",
    "RefusedError", "Reload", "Track", "Update", "delete", "delete_section", "engine", "engines", "insert", "insert_section",
    "justified", "layout", "layouts", "move", "move_section", "reload", "reload_section", "timetable", "treemap", "waterfall",
]  # fmt: skip

__version__ = "1.0.0"

_host: Optional[Host] = None
_host_lock = _native.lock()


def __getattr__(name: str) -> ModuleType:
    # These two need other packages, so they are loaded when a program uses them.
    if name in ("duckdb", "spark"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _forget_host() -> None:
    """Lets a forked process create its own host."""
    global _host
    _host = None


os.register_at_fork(after_in_child=_forget_host)


def _default() -> Host:
    global _host
    with _host_lock:
        if _host is None:
            _host = Host()
        return _host


def layout(
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
    offset: Optional[Point] = None,
    content_insets: Optional[Insets] = None,
    safe_area: Optional[Insets] = None,
    layout_margins: Optional[Insets] = None,
    scale: Optional[float] = None,
    direction: Optional[str] = None,
    delegates: Optional[Mapping[str, Callable[..., Any]]] = None,
    measure: Optional[Callable[[int, int, Size], Size]] = None,
    measure_supplementary: Optional[Callable[[str, int, Size], Size]] = None,
    progress: Optional[Callable[[float], Any]] = None,
    parameters: Optional[Mapping[str, Any]] = None,
    **named: Any,
) -> Layout:
    """Lays out items with an engine.

    :param engine: The id of an engine, the last part of it, or the path of a library.
    :param items: How many items there are, in one section. Without this and the next three, as many as the values
        have.
    :param sections: The item count of each section.
    :param offsets: Where each section begins, and the count of all items: 0, 3, 10 for sections of 3 and 7 items.
    :param groups: A column with an entry for each item; equal entries in a row are a section, and its name. Or the name
        of a column of the data, by which the rows are then sorted into sections.
    :param ids: An id for each item, for updates.
    :param values: Item values by name: a column each, or one value for all.
    :param section_values: Section values by name.
    :param section_names: The name of each section, which its header shows in figures.
    :param data: An item a row: a data frame, an Arrow table, a mapping of columns, or a list of mappings. A column named
        like an item value supplies it, and columns width and height an aspect ratio. to_pandas() has all columns.
    :param labels: What Layout.save shows of each item, as are captions, colors and images.
    :param lists: Lists of records by name, as for Layout.set_lists.
    :param bounds: The viewport's width and height.
    :param delegates: Functions that the engine calls, by name.
    :param measure: Measures an item: gets its section, its number and the proposed size, and returns its size.
    :param measure_supplementary: Measures a header or the like: gets its kind, its section and the proposed size.
    :param progress: Receives the progress of long calls, 0 to 1; returns False to cancel.
    :param parameters: Parameters of the engine whose names are also arguments here.
    :param named: The parameters of the engine, in either spelling: target_row_height or targetRowHeight.

    Other arguments are those of Layout.set.
    """
    return Layout(
        _default(), engine, items, sections=sections, offsets=offsets, groups=groups, ids=ids, values=values,
        section_values=section_values, section_names=section_names, lists=lists, data=data, labels=labels, captions=captions,
        colors=colors, images=images, bounds=bounds, offset=offset, content_insets=content_insets, safe_area=safe_area,
        layout_margins=layout_margins, scale=scale, direction=direction, delegates=delegates, measure=measure,
        measure_supplementary=measure_supplementary,
        progress=progress, parameters=parameters, **named,
    )  # fmt: skip


def layouts(engine: str, sections: Optional[Iterable[int]] = None, **settings: Any) -> Any:
    """Lays out many small collections in one call.

    With `sections`, each section by itself: takes what layout takes, and `bounds` either for all or as a sequence with a
    width and height for each; returns a Batch.

    With list columns, each row by itself: `data` is a table of polars, Arrow, DuckDB or pandas, and the item values are
    the names of its list columns; or there is no data, and they are list columns of Arrow or polars. Takes what
    tessera.spark.layouts takes; returns a stream of Arrow, a pyarrow.RecordBatchReader, which lays out while it is read.
    Needs pyarrow.

        polars.DataFrame(tessera.layouts("flow", data=albums, values={"size": "sizes"}, bounds=("width", 400)))
    """
    if "data" in settings or sections is None:
        return _streamed(engine, settings, sections)
    bounds = settings.pop("bounds", None)
    each: Optional[Sequence[Size]] = None
    if bounds is not None:
        bounds = _values.in_order(bounds, "bounds", "size")
        listed = _values.listed(bounds, "bounds", "a width and a height, or these for each layout")
        if all(_values.is_number(number) for number in listed):
            settings["bounds"] = listed
        else:
            each = listed
    # Called after layouts that end the engine's process, so that Ctrl-C does not wait for all of them.
    settings.setdefault("progress", lambda _: True)
    with Layout(_default(), engine, sections=sections, **settings) as many:
        return many.batch(bounds=each)


def _streamed(engine: str, settings: Any, sections: Any) -> Any:
    from . import _bulk

    data, keep = settings.pop("data", None), settings.pop("keep", None)
    named = {
        name: settings.pop(name)
        for name in ("values", "items", "bounds", "columns", "host", "element_limit", "max_errors", "separate", "float32")
        if name in settings
    }
    if data is None:
        import pyarrow  # type: ignore[import-untyped, unused-ignore]

        columns = {
            name: pyarrow.chunked_array(value)
            for name, value in _values.mapping(named.get("values"), "values").items()
            if hasattr(value, "__arrow_c_stream__") or hasattr(value, "__arrow_c_array__")
        }
        if not columns:
            raise InvalidError("nothing says what is laid out; give sections, list columns as values, or data")
        if len({len(column) for column in columns.values()}) > 1:
            several = ", ".join(f"{name} {len(column)}" for name, column in columns.items())
            raise InvalidError(f"the columns of values have different numbers of rows: {several}; give as many in each")
        named["values"] = {name: name if name in columns else value for name, value in named["values"].items()}
        data, keep = pyarrow.table(columns), []
    parameters = {name: value for name, value in settings.items() if name != "parameters"}
    work = _bulk.Work(engine, sections=sections, settings={**parameters, "parameters": settings.get("parameters")}, **named)
    return _bulk.stream(work, data, keep)


def treemap(data: Any, path: Any, values: Any = None, *, colors: Any = None, **settings: Any) -> Layout:
    """A treemap of a data frame, with the sums of values as areas and captions.

    :param data: As for layout.
    :param path: The columns of the groups, the outermost first, and of the leaves last; one name, or several.
    :param values: The column of the areas; without it, rows are counted.
    :param colors: The column by which leaves are coloured: the mean of numbers by areas.
    :param settings: Other arguments of layout, such as bounds; 800×600 by default.
    """
    return _charts.treemap(layout, data, path, values, colors, settings)


def justified(data: Any, **settings: Any) -> Layout:
    """Pictures in rows of equal height. The data has columns width and height, or aspect_ratio."""
    return _charts.pictures(layout, "justified", data, ["width and height", "aspect_ratio"], settings)


def waterfall(data: Any, **settings: Any) -> Layout:
    """Items in columns, each in the shortest. The data has columns width and height, aspect_ratio, or height alone."""
    return _charts.pictures(layout, "waterfall", data, ["width and height", "aspect_ratio", "height"], settings)


def timetable(
    data: Any, start: Any = "start", end: Any = "end", *, labels: Any = None, day: Any = None, **settings: Any
) -> Layout:
    """Events by day and hour.

    :param data: As for layout.
    :param start: The column of the starts: dates and times, or times or hours of a day. So is end.
    :param day: The column of the days, if starts have no dates.
    """
    return _charts.timetable(layout, data, start, end, labels, day, settings)


def engine(name: str) -> Engine:
    """An engine by its id, the last part of it, or the path of a library. help(engine(…)) describes it."""
    return _default().engine(name)


def engines() -> List[Engine]:
    """All engines that can be used."""
    return _default().engines()
