"""Pictures, treemaps and timetables of a data frame."""

from __future__ import annotations

import datetime
import math
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from . import _figure, _values
from ._layout import Layout
from ._native import InvalidError

Make = Callable[..., Layout]

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _column(data: Dict[str, List[Any]], given: Any, name: str) -> List[Any]:
    """A column by name, or a value for each row."""
    if given is None:
        raise InvalidError(f"{name} is None; give a column of the data, or a value for each row")
    count = len(next(iter(data.values()), []))
    return _figure.marks(
        {name: given},
        data,
        count if data else len(_values.listed(given, name, "a value for each row")),
        {},
    )[name].values


def pictures(
    make: Make, engine: str, data: Any, needed: Sequence[str], settings: Dict[str, Any]
) -> Layout:
    """Sizes items by columns, unless given otherwise."""
    table = _values.table(data)
    names = {*table, *(["aspect_ratio"] if "aspectRatio" in table else [])}
    given = {_values.snake_case(name) for name in settings}
    if (
        table
        and not given & {"values", "aspect_ratio"}
        and not any(set(columns.split(" and ")) <= names for columns in needed)
    ):
        raise InvalidError(
            f"the data has no columns {', '.join(needed[:-1])} or {needed[-1]}; it has"
            f" {', '.join(table)}"
        )
    return make(engine, data=table, **{"bounds": (800.0, 600.0), **settings})


def treemap(
    make: Make, data: Any, path: Any, values: Any, colors: Any, settings: Dict[str, Any]
) -> Layout:
    """Items for leaves and groups, each group before its children."""
    table = _values.table(data)
    names = (
        [path]
        if isinstance(path, str)
        else _values.listed(path, "path", "the names of columns, the outermost first")
    )
    if not names:
        raise InvalidError("path is empty; give the names of columns, the outermost first")
    levels = [
        [_figure.text(cell) for cell in _column(table, name, f"path {place}")]
        for place, name in enumerate(names)
    ]
    sizes = [1.0] * len(levels[0]) if values is None else _column(table, values, "values")
    shades = (
        None
        if colors is None
        else _figure.marks({"colors": colors}, table, len(levels[0]), {})["colors"]
    )
    totals: Dict[Tuple[str, ...], float] = {}
    found: Dict[Tuple[str, ...], List[Any]] = {}
    inner: Set[Tuple[str, ...]] = set()
    for row, cell in enumerate(sizes):
        # A row with a short path is a leaf there.
        key = tuple(level[row] for level in levels)
        while key and not key[-1]:
            key = key[:-1]
        if not key:
            continue
        cell = _values.cell_of(cell)
        number = 0.0 if cell is None else _values.real(cell, f"values in row {row}")
        if not 0.0 <= number < math.inf:
            raise InvalidError(
                f"values in row {row} is {_values.plain(number)}; give finite numbers, 0 or more"
            )
        for depth in range(1, len(key) + 1):
            totals[key[:depth]] = totals.get(key[:depth], 0.0) + number
        inner.update(key[:depth] for depth in range(1, len(key)))
        found.setdefault(key, []).append(
            (number, None if shades is None else _figure.plain(shades.values[row]))
        )

    def shade(key: Tuple[str, ...]) -> Any:
        """The weighted mean of numbers, or the common text."""
        cells = [(weight, cell) for weight, cell in found.get(key, []) if cell is not None]
        if key in inner or not cells:
            return None
        if all(_values.is_number(cell) for _, cell in cells):
            whole = sum(weight for weight, _ in cells)
            return sum(weight * cell for weight, cell in cells) / whole if whole else cells[0][1]
        return cells[0][1] if len({cell for _, cell in cells}) == 1 else None

    order = sorted(
        totals,
        key=lambda key: [
            part
            for depth in range(1, len(key) + 1)
            for part in (-totals[key[:depth]], key[depth - 1])
        ],
    )
    places = {key: place for place, key in enumerate(order)}
    # A group's own rows add to its children.
    weights = [sum((weight for weight, _ in found.get(key, [])), 0.0) for key in order]
    value_name = values if isinstance(values, str) else getattr(values, "name", None) or "values"
    columns: Dict[str, List[Any]] = {
        name: [key[depth] if depth < len(key) else None for key in order]
        for depth, name in enumerate(
            name if isinstance(name, str) else f"path {place}" for place, name in enumerate(names)
        )
    }
    columns[value_name] = [totals[key] for key in order]
    if shades is not None:
        columns[shades.name if shades.name not in columns else "colors"] = [
            shade(key) for key in order
        ]
    defaults: Dict[str, Any] = {"bounds": (800.0, 600.0), "padding_inner": 1.0}
    if inner:
        defaults.update(padding_outer=2.0, padding_top=18.0)
    return make(
        "treemap",
        data=columns,
        labels=[key[-1] for key in order],
        captions=value_name,
        colors=None if shades is None else _figure.Mark(shades.name, [shade(key) for key in order]),
        values={"weight": weights, "parent": [places.get(key[:-1], -1) for key in order]},
        **{**defaults, **settings},
    )


def moment(cell: Any) -> Any:
    """A date and time, or hours since midnight from a time, duration or number."""
    cell = _values.cell_of(cell)
    if cell is None:
        raise InvalidError(
            "a time is missing; leave out the row, or give a date and time, a time such as 09:30,"
            " or hours"
        )
    # A pandas period counts as its start.
    cell = getattr(cell, "start_time", cell)
    if isinstance(cell, str):
        given = cell.strip()
        given = given[:-1] + "+00:00" if given.endswith("Z") else given
        for read in (
            datetime.datetime.fromisoformat,
            lambda text: datetime.time.fromisoformat(text.zfill(5)),
            float,
        ):
            try:
                cell = read(given)
                break
            except ValueError:
                continue
    if _values.is_number(cell):
        return _values.real(cell, "a time")
    if isinstance(cell, datetime.timedelta):
        return cell.total_seconds() / 3600
    if isinstance(cell, datetime.time):
        return _hours(cell)
    if isinstance(cell, datetime.datetime):
        return cell
    if isinstance(cell, datetime.date):
        return datetime.datetime(cell.year, cell.month, cell.day)
    raise InvalidError(
        f"a time is {_values.shown(cell)}; give a date and time, a time such as 09:30, or hours"
    )


def _hours(time: Any) -> float:
    return float(time.hour + time.minute / 60 + time.second / 3600)


def _event(
    row: int, start: Any, end: Any
) -> Tuple[Optional[datetime.date], float, Optional[datetime.date], float]:
    """Day and hours of an event, in the start's time zone."""
    first, last = moment(start), moment(end)
    if isinstance(first, datetime.datetime) and isinstance(last, datetime.datetime):
        if (first.utcoffset() is None) != (last.utcoffset() is None):
            raise InvalidError(
                f"the event in row {row} has a time zone at one of its ends; give it for both, or"
                " for neither"
            )
        if first.utcoffset() is not None:
            last = last.astimezone(first.tzinfo)
    days = [one.date() if isinstance(one, datetime.datetime) else None for one in (first, last)]
    hours = [one if days[place] is None else _hours(one) for place, one in enumerate((first, last))]
    later = 0 if days[0] is None or days[1] is None else (days[1] - days[0]).days
    if later < 0 or (later == 0 and hours[1] < hours[0]):
        raise InvalidError(
            f"the event in row {row} ends at {_values.shown(end)}, before it starts at"
            f" {_values.shown(start)}; give an end that is not before the start"
        )
    return days[0], hours[0], days[1], hours[1]


def timetable(
    make: Make, data: Any, start: Any, end: Any, labels: Any, day: Any, settings: Dict[str, Any]
) -> Layout:
    """Events by day of their start, or of a column. An event over several days is on each, up to
    31.
    """
    table = _values.table(data)
    begins, finishes = _column(table, start, "start"), _column(table, end, "end")
    if len(begins) != len(finishes):
        raise InvalidError(f"there are {len(begins)} starts and {len(finishes)} ends; give as many")
    events = [_event(row, *pair) for row, pair in enumerate(zip(begins, finishes))]
    starts, ends = [event[:2] for event in events], [event[2:] for event in events]
    days: Sequence[Any] = (
        [date for date, _ in starts]
        if day is None
        else [_figure.plain(cell) for cell in _column(table, day, "day")]
    )
    is_dated = day is None and bool(days) and all(date is not None for date in days)
    # Row, day and hours of each part of an event.
    parts: List[Tuple[int, Any, float, float]] = []
    for row, ((begin, hour), (last, until)) in enumerate(zip(starts, ends)):
        later = (last - begin).days if last is not None and begin is not None else 0
        count = later - (until == 0) if is_dated else 0
        if not 0 < count < 31:
            parts.append((row, days[row], hour, until + 24.0 * later))
            continue
        for place in range(count + 1):
            end_hour = until + 24.0 * (later - count) if place == count else 24.0
            parts.append(
                (row, days[row] + datetime.timedelta(place), hour if place == 0 else 0.0, end_hour)
            )
    days = [part[1] for part in parts]
    if is_dated:
        first = min(days)
        # Omits empty days in gaps longer than a month.
        shown: List[Any] = []
        for date in sorted(set(days)):
            gap = (date - shown[-1]).days if shown else 1
            shown += (
                [date]
                if gap > 31
                else (
                    [shown[-1] + datetime.timedelta(step) for step in range(1, gap + 1)]
                    if shown
                    else [first]
                )
            )
        names = [f"{_DAYS[date.weekday()]} {date.day} {_MONTHS[date.month - 1]}" for date in shown]
    else:
        shown = list(dict.fromkeys(days))
        names = [_figure.text(date) for date in shown]
    places = {date: place for place, date in enumerate(shown)}
    parts.sort(key=lambda part: places[part[1]])
    order = [part[0] for part in parts]
    sections = [0] * len(shown)
    for part in parts:
        sections[places[part[1]]] += 1
    columns = {name: [column[row] for row in order] for name, column in table.items()}
    # Whole-day events are laid out elsewhere without taking space; drawings show them on headers.
    whole_days = _whole_days(parts, places) if is_dated else {}
    if whole_days:
        rows = max(row for row, _ in whole_days.values()) + 1
        name = "dayHeaderHeight" if "dayHeaderHeight" in settings else "day_header_height"
        settings[name] = _values.real(settings.get(name, 44.0), name) + rows * _figure.ROW
        settings.setdefault(
            "bounds", (max(800.0, 56.0 + 120.0 * len(shown)), 1484.0 + rows * _figure.ROW)
        )
    if labels is not None:
        settings["labels"] = [_column(table, labels, "labels")[row] for row in order]
    for mark in ("captions", "colors", "images"):
        # Reorders per-row arguments by part.
        if (
            order != list(range(len(starts)))
            and settings.get(mark) is not None
            and not isinstance(settings[mark], str)
        ):
            listed = _values.listed(settings[mark], mark, "one for each item")
            settings[mark] = (
                [listed[row] for row in order] if len(listed) == len(starts) else listed
            )
    if "captions" not in settings:

        def clock(hours: float) -> str:
            minutes = round(hours * 60)
            return f"{minutes // 60}:{minutes % 60:02}"

        # A whole day has no times.
        settings["captions"] = [
            (
                ""
                if starts[row][1] == 0 and ends[row][1] in (0, 24)
                else f"{clock(starts[row][1])}–{clock(ends[row][1])}"
            )
            for row in order
        ]
    settings.setdefault("bounds", (max(800.0, 56.0 + 120.0 * len(shown)), 1484.0))
    is_whole = [
        (section, item) in whole_days
        for section, count in enumerate(sections)
        for item in range(count)
    ]
    layout = make(
        "timetable",
        sections=sections,
        section_names=names,
        data=columns,
        values={
            "start": [-1.0 if whole else part[2] for part, whole in zip(parts, is_whole)],
            "end": [0.0 if whole else part[3] for part, whole in zip(parts, is_whole)],
        },
        **settings,
    )
    layout._whole_days = whole_days
    return layout


def _whole_days(
    parts: Sequence[Tuple[int, Any, float, float]], places: Dict[Any, int]
) -> _figure.WholeDays:
    """Whole-day events; each day may lack its last minute. Longer ones first, each in the first
    row free on all its days.

    :param parts: Row, day and hours of each part of an event, by day.
    :param places: The section of each day.
    """
    hours = {row for row, _, start, end in parts if not (start == 0 and 23.976 <= end <= 24)}
    counts: Dict[int, int] = {}
    runs: Dict[int, List[Tuple[int, int]]] = {}
    for row, day, _, _ in parts:
        section = places[day]
        item = counts[section] = counts.get(section, -1) + 1
        if row not in hours:
            runs.setdefault(row, []).append((section, item))
    taken: List[Set[int]] = []
    found: _figure.WholeDays = {}
    for run in sorted(runs.values(), key=lambda run: (run[0][0], -len(run))):
        days = {section for section, _ in run}
        place = next((place for place, used in enumerate(taken) if not used & days), len(taken))
        taken[place : place + 1] = [days | (taken[place] if place < len(taken) else set())]
        found.update({cell: (place, len(run) if cell == run[0] else 0) for cell in run})
    return found
