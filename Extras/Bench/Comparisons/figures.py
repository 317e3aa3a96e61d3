"""Figures and their targets."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Problem(Exception):
    """An error for the user, with an exit status."""

    def __init__(self, status, sentence):
        super().__init__(sentence)
        self.status = status


class Products:
    """A build folder and its programs."""

    def __init__(self, folder):
        self.folder = folder
        for name in ("tessera", "bench-rows"):
            if not (folder / name).is_file():
                raise Problem(
                    66, f"{folder} holds no {name}; give a folder that Tessera was built in"
                )

    def bench(self, engine, runs, *options):
        """The report of `tessera bench` for an engine's folder name or library path."""
        library = engine if "/" in str(engine) else self.folder / f"libTessera{engine}.so"
        command = [
            self.folder / "tessera",
            "bench",
            library,
            "--format",
            "json",
            "--runs",
            str(runs),
            *options,
        ]
        print(
            f"Extras/Bench/bench: {pathlib.Path(library).name} {' '.join(options)}", file=sys.stderr
        )
        return Report(json.loads(self.output(command + ["--engines", self.folder])))

    def output(self, command, **more):
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True, cwd=self.folder, **more)
        if result.returncode:
            raise Problem(
                70, f"{pathlib.Path(str(command[0])).name} failed with status {result.returncode}"
            )
        return result.stdout

    def program(self, work, name, *sources):
        """Compiles a C or C++ program against libtessera, with Swift's clang."""
        library, program = work / "lib", work / name
        if not library.is_dir():
            subprocess.run(
                [ROOT / "Tools/library", "--built", self.folder, library],
                check=True,
                stdout=sys.stderr,
            )
        # Fused multiply-add would differ from the engines in the last bit.
        compiler = {
            ".c": ["clang", "-std=c11", "-O2", "-ffp-contract=off"],
            ".cpp": ["g++", "-std=c++17", "-O3", "-DBOOST_ALLOW_DEPRECATED_HEADERS"],
        }[sources[0].suffix]
        subprocess.run(
            [
                *compiler,
                "-Wall",
                "-Wextra",
                "-Wno-missing-field-initializers",
                "-I",
                ROOT / "Sources/CTesseraHost/include",
                "-o",
                program,
                *sources,
                "-L",
                library,
                f"-Wl,-rpath,{library}",
                "-ltessera",
                "-lm",
            ],
            check=True,
        )
        return program

    def numbers(self, *arguments):
        """Output of bench-rows by name."""
        lines = self.output([self.folder / "bench-rows", *map(str, arguments)]).splitlines()
        return {name: float(number) for name, number in (line.split("\t") for line in lines)}


class Report:
    """The JSON of `tessera bench`."""

    def __init__(self, report):
        self.report = report

    def find(self, measure, where="in process", items=None):
        """The measure for `items`, or for the most items; None if missing."""
        found = [
            one
            for one in self.report["measures"]
            if (one["measure"], one["where"]) == (measure, where) and items in (None, one["items"])
        ]
        return max(found, key=lambda one: one["items"], default=None)

    def seconds(self, measure, where="in process", items=None):
        found = self.find(measure, where, items)
        return found and found["median"]

    def size(self):
        return max(self.report["sizes"], key=lambda size: size["items"])


class Row:
    """A figure and its target in one unit. None was not measured."""

    def __init__(self, work, figure, target, unit, at_least=False, note=""):
        self.work, self.figure, self.target, self.unit = work, figure, target, unit
        self.at_least, self.note = at_least, note

    @property
    def is_met(self):
        return self.figure is not None and (
            self.figure >= self.target if self.at_least else self.figure <= self.target
        )

    @property
    def cells(self):
        shown = "not measured" if self.figure is None else amount(self.figure, self.unit)
        verdict = "" if self.figure is None else "met" if self.is_met else "missed"
        if self.note:
            verdict += f" ({self.note})" if verdict else self.note
        return [
            self.work,
            shown,
            f"{'≥' if self.at_least else '≤'} {amount(self.target, self.unit)}",
            verdict,
        ]


def amount(number, unit):
    """A number with three digits: `1.1 × C`, `35 µs`."""
    if unit == "s":
        for scale, name in ((1e-6, "ns"), (1e-3, "µs"), (1, "ms")):
            if number < scale:
                return f"{digits(number / scale * 1e3)} {name}"
    return f"{digits(number)} {unit}".strip()


def digits(number):
    return f"{number:.0f}" if abs(number) >= 100 else f"{number:.3g}"


def table(rows):
    lines = ["| work | figure | target | |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(row.cells)} |" for row in rows]
    measured = [row for row in rows if row.figure is not None]
    met = sum(row.is_met for row in measured)
    return "\n".join(lines) + f"\n\n{met} of {len(measured)} targets are met."
