"""Tessera lays out items with plug-in engines and returns every element's position.

    import tessera_layout as tessera
    layout = tessera.layout("flow", 100, bounds=(320, 480), item_size=(50, 50))
    layout.frames                       # (n, 4) float64: x, y, width, height
    layout.in_rect(0, 200, 320, 480)    # the elements in a rectangle
    layout                              # in a notebook: the picture

help(tessera.engine("flow")) describes an engine, and tessera.engines() lists all. Each engine runs
in a sandboxed process; a crash raises DiedError, and the next call restarts it.
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
    "Batch",
    "CancelledError",
    "CannotLoadError",
    "CannotWriteError",
    "Declaration",
    "DiedError",
    "Edit",
    "Element",
    "Elements",
    "Engine",
    "Error",
    "Host",
    "InvalidError",
    "Layout",
    "MisusedError",
    "Moment",
    "NotAllowedError",
    "NotFoundError",
    "Refusal",
    "RefusedError",
    "Reload",
    "Track",
    "Update",
    "delete",
    "delete_section",
    "engine",
    "engines",
    "insert",
    "insert_section",
    "justified",
    "layout",
    "layouts",
    "move",
    "move_section",
    "reload",
    "reload_section",
    "timetable",
    "treemap",
    "waterfall",
]

__version__ = "1.0.0"

_host: Optional[Host] = None
_host_lock = _native.lock()


def __getattr__(name: str) -> ModuleType:
    # Loaded on demand, as they need other packages.
    if name in ("duckdb", "spark"):
        return importlib.import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _forget_host() -> None:
    """A forked process creates its own host."""
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

    :param engine: The engine's id, the last part of it, or the path of a library.
    :param items: The item count of one section. By default, the number of values.
    :param sections: The item count of each section.
    :param offsets: Where each section begins, and the total: 0, 3, 10 for sections of 3 and 7
    items.
    :param groups: A column with an entry per item; each run of equal entries is a section with that
        name. Or the name of a column of the data, which sorts the rows into sections.
    :param ids: An id for each item, for updates.
    :param values: Item values by name: a column each, or one value for all.
    :param section_values: Section values by name.
    :param section_names: Section names, for headers in figures.
    :param data: One item per row: a data frame, an Arrow table, a mapping of columns, or a list of
        mappings. A column named like an item value supplies it; width and height supply an aspect
        ratio. to_pandas() has all columns.
    :param labels: Item names for Layout.save; captions, colors and images are its other arguments.
    :param lists: Lists of records by name, as for Layout.set_lists.
    :param bounds: The viewport's width and height in points.
    :param delegates: Functions that the engine calls, by name.
    :param measure: Measures an item: takes section, item and proposed size, and returns the size.
    :param measure_supplementary: Measures headers and the like: takes kind, section and proposed
    size.
    :param progress: Receives the progress of long calls, 0 to 1; returns False to cancel.
    :param parameters: Engine parameters that clash with arguments here.
    :param named: Engine parameters, as target_row_height or targetRowHeight.

    Other arguments are passed to Layout.set.
    """
    return Layout(
        _default(),
        engine,
        items,
        sections=sections,
        offsets=offsets,
        groups=groups,
        ids=ids,
        values=values,
        section_values=section_values,
        section_names=section_names,
        lists=lists,
        data=data,
        labels=labels,
        captions=captions,
        colors=colors,
        images=images,
        bounds=bounds,
        offset=offset,
        content_insets=content_insets,
        safe_area=safe_area,
        layout_margins=layout_margins,
        scale=scale,
        direction=direction,
        delegates=delegates,
        measure=measure,
        measure_supplementary=measure_supplementary,
        progress=progress,
        parameters=parameters,
        **named,
    )


def layouts(engine: str, sections: Optional[Iterable[int]] = None, **settings: Any) -> Any:
    """Lays out many small collections in one call.

    With `sections`, each section is a layout: takes the arguments of layout, with `bounds` for
    all or as a sequence of sizes; returns a Batch.

    With list columns, each row is a layout: `data` is a table (polars, Arrow, DuckDB or pandas)
    and `values` names its list columns; without `data`, `values` has Arrow or polars list
    columns. Takes the arguments of tessera.spark.layouts; returns a pyarrow.RecordBatchReader,
    which lays out while it is read. Needs pyarrow.

        polars.DataFrame(
            tessera.layouts("flow", data=albums, values={"size": "sizes"}, bounds=("width", 400)))
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
    # Called between layouts, so Ctrl-C doesn't wait for all of them.
    settings.setdefault("progress", lambda _: True)
    with Layout(_default(), engine, sections=sections, **settings) as many:
        return many.batch(bounds=each)


def _streamed(engine: str, settings: Any, sections: Any) -> Any:
    from . import _bulk

    data, keep = settings.pop("data", None), settings.pop("keep", None)
    named = {
        name: settings.pop(name)
        for name in (
            "values",
            "items",
            "bounds",
            "columns",
            "host",
            "element_limit",
            "max_errors",
            "separate",
            "float32",
        )
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
            raise InvalidError(
                "nothing says what is laid out; give sections, list columns as values, or data"
            )
        if len({len(column) for column in columns.values()}) > 1:
            several = ", ".join(f"{name} {len(column)}" for name, column in columns.items())
            raise InvalidError(
                f"the columns of values have different numbers of rows: {several}; give as many in"
                " each"
            )
        named["values"] = {
            name: name if name in columns else value for name, value in named["values"].items()
        }
        data, keep = pyarrow.table(columns), []
    parameters = {name: value for name, value in settings.items() if name != "parameters"}
    work = _bulk.Work(
        engine,
        sections=sections,
        settings={**parameters, "parameters": settings.get("parameters")},
        **named,
    )
    return _bulk.stream(work, data, keep)


def treemap(
    data: Any, path: Any, values: Any = None, *, colors: Any = None, **settings: Any
) -> Layout:
    """Lays out a data frame as a treemap; areas and captions are sums of values.

    :param data: As for layout.
    :param path: One column or several: groups from the outermost, then leaves.
    :param values: The column of areas; by default, rows are counted.
    :param colors: The column that colours leaves: numbers are averaged by area.
    :param settings: Other arguments of layout, such as bounds; 800×600 by default.
    """
    return _charts.treemap(layout, data, path, values, colors, settings)


def justified(data: Any, **settings: Any) -> Layout:
    """Lays out pictures in rows of equal height, from columns width and height, or aspect_ratio."""
    return _charts.pictures(
        layout, "justified", data, ["width and height", "aspect_ratio"], settings
    )


def waterfall(data: Any, **settings: Any) -> Layout:
    """Lays out items in columns, each below the shortest, from width and height, aspect_ratio, or
    height.
    """
    return _charts.pictures(
        layout, "waterfall", data, ["width and height", "aspect_ratio", "height"], settings
    )


def timetable(
    data: Any,
    start: Any = "start",
    end: Any = "end",
    *,
    labels: Any = None,
    day: Any = None,
    **settings: Any,
) -> Layout:
    """Lays out events by day and hour.

    :param data: As for layout.
    :param start: The column of starts: dates and times, or times or hours of a day. So is end.
    :param day: The column of days, if starts have no dates.
    """
    return _charts.timetable(layout, data, start, end, labels, day, settings)


def engine(name: str) -> Engine:
    """Finds an engine by id, last part of it, or library path. help(engine(…)) describes it."""
    return _default().engine(name)


def engines() -> List[Engine]:
    """Lists all usable engines."""
    return _default().engines()
