"""The rows that the README of an engine states."""

import re
import shlex
import sys

from figures import ROOT, Problem, Row

MILLION = ["--items", "1e6"]
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3}


def engine_rows(products, folder, runs):
    """Measures an engine as the table under "Speed" in its README says.

    A row of the table is `| measure | options of tessera bench | target |`; a million items unless the
    options say otherwise. Files in Plugins are named from the root. A target is `1.1 × C`, `2 × memset`,
    `100 µs`, or `0.2 × prepare`, which compares with the prepare of the same run.
    """
    if not (products.folder / f"libTessera{folder}.so").is_file():
        print(f"Tools/bench: without {folder}, which is not among the products", file=sys.stderr)
        return []
    stated = speed_table(folder)
    rows = []
    for options in dict.fromkeys(options for _, options, _ in stated):
        asked = [(measure, target) for measure, found, target in stated if found == options]
        names = sorted({measure for measure, _ in asked} | {"prepare"})
        given = shlex.split(options.replace("Plugins/", f"{ROOT}/Plugins/"))
        items = [] if "--items" in given else MILLION
        report = products.bench(folder, runs, *items, "--only", ",".join(names), *given)
        rows += [row(report, folder, measure, options, target) for measure, target in asked]
    return rows


def speed_table(folder):
    path = ROOT / "Plugins" / folder / "README.md"
    section = re.search(r"^## Speed\n(.*?)(?=^## |\Z)", path.read_text(), re.M | re.S)
    if not section:
        return [("prepare", "", "")]
    lines = [line.strip("| ").split("|") for line in section[1].splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line] for line in lines[2:]]
    if not cells or any(len(line) != 3 for line in cells):
        raise Problem(65, f"the table under Speed in {path} needs rows of a measure, options and a target")
    return [(measure, options.strip("`"), target) for measure, options, target in cells]


def row(report, folder, measure, options, target):
    work = f"{folder}: {measure}" + (f" `{options}`" if options else "")
    found = report.find(measure)
    if not target:
        return Row(work, found and found["perLoop"], float("inf"), "× C")
    number, unit = target.split(" ", 1)
    number = float(number)
    if found is None:
        return Row(work, None, number, unit)
    if unit in UNITS:
        return Row(work, found["median"], number * UNITS[unit], "s")
    figures = {
        "× C": lambda: found["perLoop"],
        "× memset": lambda: found["perMemset"],
        "× prepare": lambda: found["median"] / report.seconds("prepare"),
        "ns an item": lambda: found["median"] / found["items"] * 1e9,
    }
    if unit not in figures:
        raise Problem(65, f"{folder}: the target {target} has the unit {unit}; expected {', '.join([*figures, *UNITS])}")
    return Row(work, figures[unit](), number, unit)
