"""Figures by the command or by matplotlib."""

from __future__ import annotations

import bisect
import json
import math
import os
import shutil
import subprocess
import tempfile
import warnings
from collections import Counter
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Set, Tuple

from . import _native, _values
from ._elements import Element, Elements
from ._native import InvalidError, NotFoundError

#: Most elements in a notebook.
LIMIT = 4000
#: Row height of whole-day events, in points.
ROW = 20.0
#: By section and item on each day: row from the top, and on the first day the day count.
WholeDays = Dict[Tuple[int, int], Tuple[int, int]]


class Mark(NamedTuple):
    """A figure's item texts, such as labels, and their column's name."""

    name: str
    values: List[Any]


def marks(
    given: Mapping[str, Any],
    data: Mapping[str, Sequence[Any]],
    count: int,
    known: Mapping[str, Mark],
) -> Dict[str, Mark]:
    """Labels, captions, colors and images: a column's name, or a value per item."""
    found = dict(known)
    for kind, value in given.items():
        if value is None:
            continue
        # Column names that aren't texts, such as 0 or ("a", "b").
        if isinstance(value, (int, tuple)) and str(value) in data:
            value = str(value)
        if isinstance(value, Mark):
            found[kind] = value
        elif isinstance(value, str):
            if value not in data:
                raise InvalidError(
                    f"{kind} is {value!r}; give a column of the data, or a list:"
                    f" {', '.join(data) or 'there is none'}"
                )
            found[kind] = Mark(value, list(data[value]))
        else:
            name = getattr(value, "name", None)
            found[kind] = Mark(
                name if isinstance(name, str) else kind,
                _values.listed(value, kind, "one for each item"),
            )
        if len(found[kind].values) != count:
            raise InvalidError(
                f"there are {len(found[kind].values)} {kind} for {count} items; give one for each"
            )
    return found


# ---------------------------------------------------------------- by the command


def found_command() -> Optional[str]:
    """The path of the command tessera, or None."""
    return (
        os.environ.get("TESSERA_COMMAND")
        or _native.packaged("bin/tessera")
        or shutil.which("tessera")
    )


def command() -> str:
    """The path of the command tessera; raises an error if missing."""
    found = found_command()
    if found is None:
        raise NotFoundError(
            "there is no command tessera in this package or in PATH; install Tessera or its wheel,"
            " or set TESSERA_COMMAND to the command's path"
        )
    return found


def draw(
    engine: str,
    folders: Sequence[str],
    document: Mapping[str, Any],
    table: Mapping[str, Mark],
    counts: Sequence[int],
    path: Optional[str],
    options: Sequence[str],
) -> str:
    """Draws a document with item texts into a file, or returns the SVG.

    Passes --option=value as one argument, so no value is taken for an option.
    """
    arguments = [command(), "figure", engine]
    for folder in folders:
        arguments.append(f"--engines={folder}")
    with tempfile.TemporaryDirectory(prefix="tessera") as scratch:

        def write(name: str, text: str) -> str:
            file = os.path.join(scratch, name)
            with open(file, "w", encoding="utf-8", errors="surrogateescape") as open_file:
                open_file.write(text)
            return file

        arguments.append(
            f"--elements={write('layout.json', json.dumps(document, allow_nan=False))}"
        )
        columns: Dict[str, List[Any]] = {
            "section": [section for section, count in enumerate(counts) for _ in range(count)]
        }
        for kind, option in (("images", None), ("captions", "--caption"), ("colors", "--color")):
            # Without items there is no table for columns.
            if kind not in table or not columns["section"]:
                continue
            mark = table[kind]
            # Reserved by the command.
            name = (
                "image"
                if option is None
                else mark.name + " " * (mark.name in ("section", "label", "image", "id"))
            )
            while option is not None and columns.get(name, mark.values) != mark.values:
                name += " "
            columns[name] = (
                [picture(cell) for cell in mark.values]
                if option is None
                else [plain(cell) for cell in mark.values]
            )
            arguments += [] if option is None else [f"{option}={name}"]
        if len(columns) > 1:
            rows = (json.dumps(dict(zip(columns, row))) + "\n" for row in zip(*columns.values()))
            arguments.append(f"--items-from={write('items.ndjson', ''.join(rows))}")
        arguments += [*options, "--format=svg" if path is None else f"--output={_file(path)}"]
        run = subprocess.run(
            arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
    lines = [
        line.removeprefix("tessera: ")
        for line in run.stderr.decode("utf-8", "replace").splitlines()
    ]
    if run.returncode:
        sentence = next(
            (line.removeprefix("Error: ") for line in lines), "the command ended without a message"
        )
        raise _native.error(run.returncode, sentence.encode())
    for line in lines:
        warnings.warn(line, stacklevel=4)
    return run.stdout.decode()


def _file(path: str) -> str:
    """A file argument; "-" alone would mean standard output."""
    return os.path.join(os.curdir, path) if path.startswith("-") else path


def plain(cell: Any) -> Any:
    """A cell for JSON."""
    cell = _values.cell_of(cell)
    if cell is None:
        return None
    if isinstance(cell, float):
        return cell if math.isfinite(cell) else str(cell)
    if isinstance(cell, (bool, int, str)):
        return cell
    return cell.isoformat() if hasattr(cell, "isoformat") else str(cell)


def text(cell: Any) -> str:
    """A cell as a name."""
    found = plain(cell)
    return "" if found is None else found if isinstance(found, str) else str(_values.plain(found))


def picture(cell: Any) -> str:
    """An absolute path, or a web address."""
    found = os.fspath(cell) if hasattr(cell, "__fspath__") else text(cell)
    return found if not found or "://" in found else os.path.abspath(found)


def placed(elements: Elements, whole_days: WholeDays) -> List[Tuple[int, Element]]:
    """Elements with attribute indexes. Moves whole-day events to their days' headers, as the
    command does.
    """
    pairs = list(enumerate(elements))
    if not whole_days:
        return pairs
    headers = {one.section: (place, one) for place, one in pairs if one.kind == "dayHeader"}
    rows = max(row for row, _ in whole_days.values()) + 1
    found = [
        (place, one)
        for place, one in pairs
        if one.category != "cell" or (one.section, one.item) not in whole_days
    ]
    for (section, item), (row, days) in whole_days.items():
        mine = [headers[day] for day in range(section, section + days) if day in headers]
        if not mine:
            continue
        place, first = mine[0]
        start, end = min(one.x for _, one in mine), max(one.x + one.width for _, one in mine)
        y = first.y + first.height - (rows - row) * ROW
        found.append(
            (
                place,
                Element(
                    "cell",
                    None,
                    section,
                    item,
                    start + 2,
                    y,
                    max(0.0, end - start - 4),
                    ROW - 2,
                    1.0,
                    first.z_index + 1,
                ),
            )
        )
    return sorted(
        found,
        key=lambda pair: (pair[1].section, pair[1].category, pair[1].kind or "", pair[1].item),
    )


def document(
    elements: Elements,
    engine: str,
    size: Tuple[float, float],
    labels: Mapping[Tuple[str, Optional[str], int, int], str],
    whole_days: WholeDays,
) -> Dict[str, Any]:
    """Elements in tessera layout's JSON form, with labels."""
    built_in = {
        "category",
        "kind",
        "section",
        "item",
        "frame",
        "x",
        "y",
        "width",
        "height",
        "transform",
        "alpha",
        "z_index",
        "hidden",
    }
    attributes = {name: elements[name] for name in elements.columns if name not in built_in}
    own = {
        name: (
            column.tolist()
            if hasattr(column, "tolist")
            else [plain(cell) if not isinstance(cell, tuple) else list(cell) for cell in column]
        )
        for name, column in attributes.items()
    }
    transforms = elements.transforms
    found = []
    for place, element in placed(elements, whole_days):
        entry: Dict[str, Any] = {
            "category": element.category,
            "section": int(element.section),
            "item": int(element.item),
            "frame": [float(number) for number in element[4:8]],
            "zIndex": int(element.z_index),
            "alpha": float(element.alpha),
            "hidden": bool(element.hidden),
            "attributes": {name: column[place] for name, column in own.items()},
        }
        if element.kind is not None:
            entry["kind"] = element.kind
        if transforms is not None:
            entry["transform3D"] = [float(number) for number in transforms[place]]
        label = labels.get(
            (element.category, element.kind, int(element.section), int(element.item))
        )
        if label:
            entry["label"] = label
        found.append(entry)
    return {"engine": engine, "contentSize": list(size), "elements": found}


# ---------------------------------------------------------------- by matplotlib

#: Hues of Okabe and Ito, made for colour vision deficiencies.
HUES = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7", "#8a8f98")


def groups(order: Sequence[Any]) -> Set[Tuple[int, int]]:
    """Section and item of cells that contain others."""
    cells = sorted(
        (one for one in order if one.category == "cell" and one.width > 0 and one.height > 0),
        key=lambda one: one.x,
    )
    starts = [one.x for one in cells]
    found: Set[Tuple[int, int]] = set()
    for cell in cells:
        for one in cells[bisect.bisect_left(starts, cell.x) :]:
            if one.x > cell.x + cell.width:
                break
            if (
                one.z_index > cell.z_index
                and one.y >= cell.y - 0.01
                and one.y + one.height <= cell.y + cell.height + 0.01
                and one.x + one.width <= cell.x + cell.width + 0.01
            ):
                found.add((int(cell.section), int(cell.item)))
                break
    return found


def plot(
    axes: Any,
    elements: Sequence[Element],
    size: Tuple[float, float],
    labels: Mapping[Tuple[str, Optional[str], int, int], str],
    fills: Optional[List[Any]],
    starts: Sequence[int],
    cmap: Any,
    font_size: float,
) -> None:
    """Adds a patch for each element in content points, and the labels that fit."""
    from matplotlib import colormaps, colors as rgb  # type: ignore[import-not-found, unused-ignore]
    from matplotlib.patches import Rectangle  # type: ignore[import-not-found, unused-ignore]

    axes.set_xlim(0, max(size[0], 1))
    axes.set_ylim(max(size[1], 1), 0)
    axes.set_aspect("equal")
    axes.apply_aspect()  # Labels are measured in the place that the axes have with it.
    axes.set_axis_off()
    order = sorted(
        (element for element in elements if not element.hidden),
        key=lambda one: (one.z_index, one.category != "decoration"),
    )
    values = None if fills is None else [plain(cell) for cell in fills]
    if values is not None:
        # Groups have no colour and don't count for the scale.
        for section, item in groups(order):
            values[starts[section] + item] = None
    numbers = [cell for cell in values or [] if cell is not None]
    scale: Any = None
    if numbers and all(_values.is_number(cell) for cell in numbers):
        scale = rgb.Normalize(min(numbers), max(numbers))
    names = [] if scale is not None else [cell for cell, _ in Counter(numbers).most_common()]

    outer: List[Any] = []

    def hue(element: Any) -> int:
        """The section's number, or in one section with groups the outermost group's."""
        if len(starts) > 2:
            return int(element.section)
        for place, one in enumerate(outer):
            if (
                one.x <= element.x
                and one.y <= element.y
                and one.x + one.width >= element.x + element.width
                and one.y + one.height >= element.y + element.height
            ):
                return place
        outer.append(element)
        return len(outer) - 1

    def fill(element: Any) -> Any:
        if element.category != "cell":
            return (0.5, 0.5, 0.5, 0.25 if element.category == "decoration" else 0.0)
        cell = None if values is None else values[starts[element.section] + element.item]
        if values is not None and cell is None:
            return rgb.to_rgba("#d5d9de")
        if scale is not None:
            return colormaps[cmap](scale(cell))
        # Without groups, all have one colour.
        number = (
            min(names.index(cell), len(HUES) - 1)
            if values is not None
            else hue(element) if is_nested or len(starts) > 2 else 0
        )
        return (*(0.3 + 0.7 * part for part in rgb.to_rgb(HUES[number % len(HUES)])), 1.0)

    is_nested = any(element.z_index > 1 for element in order if element.category == "cell")
    placed = []
    for element in order:
        shade = fill(element)
        patch = Rectangle(
            (element.x, element.y),
            element.width,
            element.height,
            facecolor=(*shade[:3], shade[3] * element.alpha),
            edgecolor="white",
            linewidth=0.5 if element.category == "cell" else 0,
            zorder=1,
        )
        axes.add_patch(patch)
        placed.append((element, patch))
    # Group names are in the strips above their children.
    tops = sorted(
        (element for element in order if element.category == "cell"), key=lambda one: one.y
    )
    edges, deepest = [one.y for one in tops], max((one.z_index for one in tops), default=0)
    # The font's size in pixels: labels are at least half as high, letters at least a sixth as wide.
    pixels = font_size * axes.figure.dpi / 72
    renderer: Any = (
        axes.figure.canvas.get_renderer() if hasattr(axes.figure.canvas, "get_renderer") else None
    )
    for element, patch in placed:
        label = labels.get(
            (element.category, element.kind, int(element.section), int(element.item))
        )
        if not label or element.width <= 0 or element.height <= 0:
            continue
        bottom = element.y + element.height
        (left, top), (right, low) = axes.transData.transform(
            [(element.x, element.y), (element.x + element.width, bottom)]
        )
        if top - low < pixels / 2 or right - left < min(len(label), 5) * pixels / 6:
            continue
        is_strip = False
        if element.category == "cell" and element.z_index < deepest:
            inside = (
                one.y
                for one in tops[
                    bisect.bisect_left(edges, element.y) : bisect.bisect_left(edges, bottom)
                ]
                if one.z_index > element.z_index
                and one.width > 0
                and one.x >= element.x - 0.01
                and one.x + one.width <= element.x + element.width + 0.01
            )
            strip = next(inside, bottom)
            is_strip, bottom = strip < bottom, strip
        red, green, blue, _ = rgb.to_rgba(patch.get_facecolor())
        luminance = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
        note = axes.annotate(
            label,
            (element.x, (element.y + bottom) / 2 if is_strip else element.y),
            xytext=(2, 0 if is_strip else -2),
            textcoords="offset points",
            va="center" if is_strip else "top",
            ha="left",
            fontsize=font_size,
            fontweight="bold" if element.category == "supplementary" else "normal",
            color="white" if luminance < 0.18 and element.category == "cell" else "black",
            clip_on=True,
            zorder=2,
        )
        (left, top), (right, low) = axes.transData.transform(
            [(element.x, element.y), (element.x + element.width, bottom)]
        )
        for length in range(len(label), min(len(label), 5) - 1, -1):
            note.set_text(label if length == len(label) else label[: length - 1].rstrip() + "…")
            extent = note.get_window_extent(renderer)
            # A strip needs no room above and below its letters.
            if (0.95 * pixels if is_strip else extent.height) > top - low:
                note.set_text("")
                break
            if extent.x1 <= right:
                break
        else:
            note.set_text("")
        if not note.get_text():
            note.remove()
