"""Rows without an engine: host, worker, command and other libraries."""

import os
import resource
import shutil
import statistics
import subprocess
import sys
import time

from figures import ROOT, Problem, Row

SOURCES = ROOT / "Extras/Bench/Comparisons"


def general_rows(products, work, runs):
    report = products.bench("Mosaic", runs, "--items", "1e6")
    sizes = products.bench(
        "Flow",
        runs,
        "--items",
        "1e6",
        "--item",
        "size=30+noise(item)*60,20+noise(item+0.5)*37",
        "--only",
        "values,change,prepare",
    )
    own = products.numbers("rows", products.folder)
    rows = calls(report) + queries(products, work) + lists(report, sizes, own)
    return rows + worker(report) + changes(products, work) + command(products, work)


def over(one, other):
    return one / other if one is not None and other else None


def calls(report):
    return [
        Row("empty call, in process", report.seconds("empty"), 1e-6, "s"),
        Row("scroll by 20 points, 1M items", report.seconds("scroll"), 0.3e-6, "s"),
        Row("item lookup, 1M items", report.seconds("lookup"), 0.3e-6, "s"),
        Row(
            "index: build, 1M items",
            over(report.seconds("index"), report.seconds("memset", "machine")),
            1.1,
            "× memset",
        ),
        Row("index: memory", report.size()["indexBytesPerItem"], 2, "bytes an item"),
    ]


def queries(products, work):
    """Viewport queries through libtessera and other libraries on the same frames."""
    engines, library = work / "scattered", work / "scattered/libscattered.so"
    engines.mkdir()
    subprocess.run(
        [
            "gcc",
            "-std=c11",
            "-O2",
            "-shared",
            "-fPIC",
            "-I",
            ROOT / "Sources/CTessera/include",
            "-o",
            library,
            SOURCES / "scattered.c",
            "-lm",
        ],
        check=True,
    )
    install_boost()
    ours, python, frames = (
        products.program(work, "queries", SOURCES / "queries.cpp"),
        venv(work),
        work / "frames",
    )
    worker = {**os.environ, "TESSERA_WORKER": str(products.folder / "tessera-worker")}
    layouts = [
        ("in order", products.folder, "mosaic", 0.8),
        ("with sizes", products.folder, "flow", 0.9),
        ("scattered", engines, "org.tessera.bench.scattered", 1.2),
    ]
    rows = []
    for layout, folder, engine, target in layouts:
        lines = products.output([ours, folder, engine, "1000000", frames], env=worker).splitlines()
        if python:
            lines += products.output([python, SOURCES / "reference.py", frames]).splitlines()
        found = {name: float(number) for name, number in (line.split("\t") for line in lines)}
        others = "".join(
            f"; {name} {found[name] / 1e3:.3g} µs"
            for name in ("boost", "filter", "shapely", "numpy")
            if name in found
        )
        note = f"{found['tessera'] / 1e3:.3g} µs for {found['hits']:.0f} hits{others}"
        rows += [
            Row(
                f"viewport query, 1M rows {layout}",
                over(found["tessera"], found.get("boost")),
                target,
                "× Boost",
                note=note,
            ),
            Row(
                "99 of 100 of these are faster than",
                found["tessera p99"] / found["tessera"],
                2,
                "× the median",
            ),
        ]
        if engine == "flow":
            rows.append(Row("look-up of an item in it, in C", found["lookup"] * 1e-9, 0.3e-6, "s"))
        if engine == "mosaic":
            rows += [
                Row("all elements, mosaic, in C", found["all"], 4, "ns a row"),
                Row("copies of them in pieces of 256", found["copies"], 7, "ns a row"),
            ]
    program = products.program(work, "sessions", SOURCES / "sessions.c")
    found = dict(
        line.split("\t")
        for line in products.output([program, products.folder], env=worker).splitlines()
    )
    return rows + [
        Row("64 sessions, until all have answered", float(found["sessions"]) / 1e3, 0.15, "s"),
        Row(
            "memory of a program with 1M rows that size themselves",
            float(found["resident"]),
            120,
            "MB",
        ),
    ]


def install_boost():
    """Installs Boost's headers if missing; queries.cpp works without them."""

    def is_there():
        check = ["g++", "-std=c++17", "-fsyntax-only", "-x", "c++", "-"]
        include = "#include <boost/geometry/index/rtree.hpp>\n"
        return not subprocess.run(
            check, input=include, text=True, stderr=subprocess.DEVNULL
        ).returncode

    if not is_there() and shutil.which("apt-get"):
        root = [] if os.getuid() == 0 else ["sudo"]
        for arguments in (
            ["update", "-q"],
            ["install", "-y", "-q", "--no-install-recommends", "libboost-dev"],
        ):
            subprocess.run([*root, "apt-get", *arguments], stdout=sys.stderr)
    if not is_there():
        print(
            "Extras/Bench/bench: without Boost; install libboost-dev to compare queries with its"
            " R-tree",
            file=sys.stderr,
        )


def venv(work):
    """Python with shapely and numpy; None if they can't be installed."""
    folder = work / "venv"
    for step in (
        [sys.executable, "-m", "venv", folder],
        [folder / "bin/pip", "-q", "install", "shapely", "numpy"],
    ):
        if subprocess.run(step, stdout=sys.stderr).returncode:
            print(
                "Extras/Bench/bench: without shapely and numpy, which PyPI did not provide",
                file=sys.stderr,
            )
            return None
    return folder / "bin/python"


def lists(report, sizes, own):
    copy = sizes.seconds("copy", "machine")
    update = report.find("update")
    return [
        Row("all elements, grid (lazy)", own["enumerate grid"], 4, "ns a row"),
        Row("all elements, flow", own["enumerate flow"], 4, "ns a row"),
        Row("change one size in the middle, then a query", sizes.seconds("change"), 3e-3, "s"),
        Row(
            "update of 1,000 changes with tracks, 1M items",
            update and update["median"] * 1e3,
            50,
            "ns an item",
        ),
        Row("the same, tracks of the viewport", own["update visible"] * 1e-9, 20e-3, "s"),
        Row("transition", own["transition"], 50, "ns an item"),
        Row("transition of the viewport, 1M items", own["transition visible"] * 1e-9, 1e-3, "s"),
        Row("diff, few edits", own["diff few"], 5, "ns an item"),
        Row("diff, few edits, unique identities", own["diff few unique"], 4, "ns an item"),
        Row("diff in general", own["diff general"], 50, "ns an item"),
        # A size has half the bytes of a frame.
        Row(
            "setting a size for every item",
            over(sizes.seconds("values"), copy and copy / 2),
            1.3,
            "× a copy",
        ),
        Row("a billion items, lazy grid, first viewport", own["billion"] * 1e-9, 0.4e-3, "s"),
        Row("memory that stays after a layout", own["kept"], 1, "bytes an item"),
    ]


def worker(report):
    def isolated(name):
        return over(report.seconds(name, "isolated"), report.seconds(name))

    return [
        Row(
            "first prepare of a session",
            over(report.seconds("first"), report.seconds("prepare")),
            3,
            "× a prepare",
        ),
        Row("prepare in the worker", isolated("prepare"), 1.05, "× in process"),
        Row("first prepare in the worker", isolated("first"), 1.5, "× in process"),
        Row(
            "empty call into the worker",
            report.seconds("empty", "isolated"),
            3.5e-6,
            "s",
            note=f"a futex there and back: {report.seconds('round trip', 'machine') * 1e6:.3g} µs",
        ),
        Row("new session to its first answer", report.seconds("start", "isolated"), 8e-3, "s"),
        Row("new session where a worker is kept", report.seconds("again", "isolated"), 3e-3, "s"),
        Row(
            "64 layouts a hand-over, each",
            report.seconds("batch", "isolated") - report.seconds("batch"),
            0.5e-6,
            "s",
            note=(
                f"{report.seconds('batch', 'isolated') * 1e6:.3g} µs, in process"
                f" {report.seconds('batch') * 1e6:.3g} µs"
            ),
        ),
    ]


def changes(products, work, items=1_000_000):
    """The cost of one change through libtessera, in both processes."""
    program = products.program(work, "changes", SOURCES / "changes.c")
    worker = {**os.environ, "TESSERA_WORKER": str(products.folder / "tessera-worker")}
    lines = products.output([program, products.folder, str(items)], env=worker).splitlines()
    found = {name: float(number) for name, number in (line.split("\t") for line in lines)}
    times = [
        ("insert or delete an item with tracks, mosaic, at the end", "change mosaic end", 0.3),
        ("the same, in the middle", "change mosaic middle", 1.5),
        ("the same, at the front", "change mosaic front", 2),
        ("the same, flow with sizes, in the middle", "change flow middle", 3),
        ("the same, waterfall with heights, in the middle", "change waterfall middle", 3),
        ("the same, self-sizing table, in the middle", "change measured table", 5),
        ("the same, lazy grid", "change grid", 0.05),
        ("the same, lazy grid of 10^12 items", "change endless grid", 0.05),
        ("replace 1,000 items in one range", "replace a thousand", found["prepare mosaic"] + 0.5),
        ("a scroll step that measures rows, self-sizing table", "scroll measured table", 0.1),
        (
            "the longest block of a thread by a prepare of sizes elsewhere and its index",
            "block of a prepare elsewhere",
            2,
        ),
        ("transition of the viewport, lazy grids of 10^9 items", "transition lazily", 1),
    ]
    bytes_left = [found[name] for name in found if name.startswith("memory ")]
    return [Row(work, found[name] / 1e3, target / 1e3, "s") for work, name, target in times] + [
        Row("memory that stays after updates", max(bytes_left), 1, "bytes an item")
    ]


def command(products, work):
    """The cost of the installed command."""
    prefix = work / "prefix"
    subprocess.run(
        [ROOT / "Tools/install", "--products", products.folder, prefix],
        check=True,
        stdout=sys.stderr,
    )
    tessera, engines = prefix / "bin/tessera", prefix / "lib/tessera"

    def processor(arguments, runs=5):
        """Seconds of processor time."""
        times = []
        for _ in range(runs):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([tessera, *arguments], check=True, stdout=subprocess.DEVNULL, cwd=work)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        return statistics.median(times)

    start = ["layout", engines / "libTesseraGrid.so", "--items", "20"]
    rows = [
        Row("command start-up, processor time", processor(start, 15), 15e-3, "s"),
        Row(
            "the same with --isolation none",
            processor([*start, "--isolation", "none"], 15),
            15e-3,
            "s",
        ),
    ]
    flow = ["layout", engines / "libTesseraFlow.so", "--isolation", "none"]
    lines = 300_000
    with open(work / "items.ndjson", "w") as ndjson, open(work / "items.csv", "w") as csv:
        csv.write("width,height\n")
        for item in range(lines):
            width, height = 30 + item % 61 + 0.25, 20 + item % 37
            ndjson.write(f'{{"width":{width},"height":{height}}}\n')
            csv.write(f"{width},{height}\n")
    # Querying nothing measures reading alone.
    nothing = ["--rect", "-10,-10,1,1", "-o", "nothing.json"]
    base = processor([*flow, "--items", str(lines), *nothing], 3)
    for form in ("ndjson", "csv"):
        path = work / f"items.{form}"
        seconds = processor([*flow, "--items-from", path, *nothing], 3) - base
        rows.append(
            Row(
                f"lines in, {form}",
                path.stat().st_size / 1e6 / max(seconds, 1e-6),
                150,
                "MB/s",
                at_least=True,
            )
        )
    for form in ("ndjson", "csv", "svg"):
        path = work / f"out.{form}"
        seconds = processor([*flow, "--items", str(lines), "-o", path], 3) - base
        rows.append(
            Row(
                f"lines out, {form}",
                path.stat().st_size / 1e6 / max(seconds, 1e-6),
                300,
                "MB/s",
                at_least=True,
            )
        )
    begin = time.monotonic()
    refused = subprocess.run(
        [tessera, *flow, "--items", "600000000", "-o", "x.json"], cwd=work, capture_output=True
    )
    note = "" if refused.returncode else "it was not refused"
    rows.append(Row("600M rows are refused", time.monotonic() - begin, 0.1, "s", note=note))
    return rows
