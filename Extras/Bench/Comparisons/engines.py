"""Measures the rows of Engines.md."""

import re
import shlex
import statistics
import sys

from figures import ROOT, Problem, Row, amount

MILLION = ["--items", "1e6"]
UNITS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3}


class Loops:
    """The C loops in Loops, measured in turns with the engines and memset."""

    def __init__(self, products, work):
        self.products, self.work = products, work
        self.machine = []

    def run(self, folder, command, *arguments):
        """Compares rows of loops and engines; returns the program's output by table row."""
        sources = (
            ROOT / "Extras/Bench/Comparisons/loops.c",
            ROOT / "Extras/Bench/Loops" / f"{folder}.c",
        )
        program = self.products.program(self.work, f"loops-{folder}", *sources)
        lines = self.products.output(
            [program, command, self.products.folder / f"libTessera{folder}.so", *arguments]
        ).splitlines()
        return {
            options: list(map(float, seconds))
            for options, *seconds in (line.split("\t") for line in lines)
        }

    def measure(self, folder, runs):
        """Ratios of prepare to loop and to memset, by options."""
        print(f"Extras/Bench/bench: the loops of {folder}", file=sys.stderr)
        found = self.run(folder, "measure", str(runs))
        self.machine.append(found.pop("machine"))
        return found

    def speed(self):
        """A sentence for comparing machines."""
        if not self.machine:
            return "No engine was measured."
        memset, addition = (statistics.median(numbers) for numbers in zip(*self.machine))
        return (
            f"This machine takes {memset * 1e9:.3g} ns for a memset of the 32 bytes of a frame, and"
            f" {addition * 1e9:.3g} ns for an addition that waits for the one before."
        )


def is_by_loop(measure, target):
    return measure == "prepare" and target.endswith(("× C", "× memset"))


def engine_rows(products, folder, runs, loops):
    """Measures an engine's table in Engines.md.

    A table row is `| measure | options of tessera bench | target |`, with a million items by
    default and paths relative to the root. A target is `1.2 × C` (the loop), `10 × memset`,
    `100 µs` or `0.2 × prepare` (of the same run).
    """
    if not (products.folder / f"libTessera{folder}.so").is_file():
        print(
            f"Extras/Bench/bench: without {folder}, which is not among the products",
            file=sys.stderr,
        )
        return []
    stated = speed_table(folder)
    by_loop = (
        loops.measure(folder, runs)
        if any(is_by_loop(measure, target) for measure, _, target in stated)
        else {}
    )
    rows = []
    for options in dict.fromkeys(options for _, options, _ in stated):
        asked = [(measure, target) for measure, found, target in stated if found == options]
        names = {measure for measure, target in asked if not is_by_loop(measure, target)}
        report = None
        if names:
            given = shlex.split(options.replace("Extras/", f"{ROOT}/Extras/"))
            items = [] if "--items" in given else MILLION
            report = products.bench(
                folder, runs, *items, "--only", ",".join(sorted(names | {"prepare"})), *given
            )
        for measure, target in asked:
            if not is_by_loop(measure, target):
                rows.append(row(report, folder, measure, options, target))
            elif options in by_loop:
                rows.append(loop_row(by_loop[options], folder, options, target))
            else:
                raise Problem(
                    65,
                    f"{folder}: the prepare {options} has no loop; add one to"
                    f" Extras/Bench/Loops/{folder}.c, or give its target in µs",
                )
    return rows


def speed_table(folder):
    path = ROOT / "Extras/Bench/Engines.md"
    section = re.search(rf"^## {folder}\n(.*?)(?=^## |\Z)", path.read_text(), re.M | re.S)
    lines = [
        line.strip("| ").split("|")
        for line in (section[1] if section else "").splitlines()
        if line.startswith("|")
    ]
    cells = [[cell.strip() for cell in line] for line in lines[2:]]
    if not cells or any(len(line) != 3 for line in cells):
        raise Problem(
            65, f"{path} needs a table under {folder}, with rows of a measure, options and a target"
        )
    return [(measure, options.strip("`"), target) for measure, options, target in cells]


def work_of(folder, measure, options):
    return f"{folder}: {measure}" + (f" `{options}`" if options else "")


def loop_row(found, folder, options, target):
    """Prepare against loop and memset: the ratio with a target, and the other one."""
    number, unit = target.split(" ", 1)
    ratios = dict(zip(("× C", "× memset"), found))
    note = ", ".join(amount(ratio, other) for other, ratio in ratios.items() if other != unit)
    return Row(work_of(folder, "prepare", options), ratios[unit], float(number), unit, note=note)


def row(report, folder, measure, options, target):
    work = work_of(folder, measure, options)
    found = report.find(measure)
    number, unit = target.split(" ", 1)
    number = float(number)
    if found is None:
        return Row(work, None, number, unit)
    if unit in UNITS:
        return Row(work, found["median"], number * UNITS[unit], "s")
    if unit != "× prepare":
        raise Problem(
            65,
            f"{folder}: the target {target} of {measure} has the unit {unit}; expected × prepare,"
            f" {', '.join(UNITS)}",
        )
    return Row(work, found["median"] / report.seconds("prepare"), number, unit)
