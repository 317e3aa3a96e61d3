#!/usr/bin/env python3
"""Measures laying out many albums of pictures, to a table and not to a sum.

bulk.py WHEEL LOOP [--albums N] [--spark]: lays out seeded albums, a hundred thousand by default, whose
sizes follow Zipf's law with a mean of 60 items. It prints three tables: each engine in the sandbox, to a table of Arrow; the
engine of LOOP by several ways, among them LOOP itself, a file in an engine's folder with its rule in numpy; and these ways
with 0, 1 and 10 % of bad rows. With --spark it measures a cluster of two executors on this machine, too. Each is divided by the processor time of all processes that took part, so that a busy machine
changes little; "times the library" is that time divided by the time of the engine's library with no host, measured beside it.
The loop gets every tenth album. Results must be the same.

It runs in a Python with numpy, pyarrow, polars, duckdb and pyspark: that of Extras/Python/setup, .build/python/bin/python.
"""

import argparse
import ctypes
import os
import pathlib
import runpy
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile

import numpy
import pyarrow
import pyarrow.parquet

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BOUNDS = (1280.0, 800.0)
VALUE = "aspectRatio"
CHUNK = 10_000
PART = 10
BAD = (0, 1, 10)


def albums(count):
    """The sizes of the albums and the aspect ratios of their pictures."""
    ranks = numpy.arange(1, 1001, dtype=float)
    low, high = 0.5, 3.0
    while high - low > 1e-9:
        exponent = (low + high) / 2
        weights = ranks**-exponent
        low, high = (exponent, high) if (ranks * weights).sum() / weights.sum() > 60 else (low, exponent)
    random = numpy.random.default_rng(60)
    sizes = random.choice(1000, size=count, p=weights / weights.sum()) + 1
    ratios = random.choice([0.75, 0.8, 1, 4 / 3, 1.5, 16 / 9], size=sizes.sum())
    return sizes, numpy.concatenate([[0], numpy.cumsum(sizes)]).astype(numpy.uint64), ratios


def seconds():
    """The processor time of this process and of all that it has started."""
    parents, times = {}, {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(process.name)], times[int(process.name)] = int(fields[1]), sum(map(int, fields[11:15]))
    mine, more = {os.getpid()}, True
    while more:
        found = {process for process, parent in parents.items() if parent in mine} - mine
        mine, more = mine | found, bool(found)
    return sum(times[process] for process in mine) / os.sysconf("SC_CLK_TCK")


class Table:
    """Rows of measurements."""

    def __init__(self, title, direct):
        self.direct = direct
        print(f"\n{title}\n\n| by | albums | s | albums a second a core | µs an album | ns an item | times the library |\n|---|---|---|---|---|---|---|")

    def measure(self, name, count, items, work):
        """Adds a row; returns what the work returned, and its processor time."""
        direct = self.direct()
        start, cpu = time.monotonic(), seconds()
        result = work()
        cpu, wall = max(seconds() - cpu, 0.01), time.monotonic() - start
        direct = (direct + self.direct()) / 2
        times = f"{cpu / items / direct:.1f}" if direct else ""
        print(f"| {name} | {count:,} | {wall:.1f} | {count / cpu:,.0f} | {1e6 * cpu / count:.1f} | {1e9 * cpu / items:,.0f} | {times} |", flush=True)
        return result, cpu


def peak():
    """The sum of the largest memory of the processes that this one has started, by their names, in MB."""
    parents, names, sizes = {}, {}, {}
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            status = dict(line.split(":\t", 1) for line in (process / "status").read_text().splitlines() if ":\t" in line)
        except OSError:
            continue
        if "VmHWM" in status:
            parents[int(process.name)], names[int(process.name)] = int(status["PPid"]), status["Name"]
            sizes[int(process.name)] = int(status["VmHWM"].split()[0]) / 1024
    mine, more = {os.getpid()}, True
    while more:
        found = {process for process, parent in parents.items() if parent in mine} - mine
        mine, more = mine | found, bool(found)
    result = {}
    for process in mine - {os.getpid()}:
        result.setdefault(names[process], []).append(round(sizes[process]))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", metavar="WHEEL", help="the wheel that Extras/Python/wheel has built")
    parser.add_argument("loop", metavar="LOOP", type=pathlib.Path, help="loop.py in an engine's folder in Plugins")
    parser.add_argument("--albums", type=int, default=100_000, metavar="N", help="how many albums (default: 100000)")
    parser.add_argument("--spark", action="store_true", help="also measure Spark")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(options, pathlib.Path(folder))


def lists(starts, values):
    return pyarrow.ListArray.from_arrays(pyarrow.array(starts.astype(numpy.int32)), values)


def data_of(sizes, starts, ratios):
    """What the engines can be given: counts, and values of each type."""
    random = numpy.random.default_rng(61)
    sides = [pyarrow.array(random.integers(20, 200, len(ratios)).astype(float)) for _ in range(2)]
    return pyarrow.table({
        "n": pyarrow.array(sizes), "ratios": lists(starts, pyarrow.array(ratios)), "numbers": lists(starts, sides[0]),
        "sizes": lists(starts, pyarrow.StructArray.from_arrays(sides[::-1], ["height", "width"])),
    })  # fmt: skip


def with_bad_rows(data, percent):
    """The data with so many bad rows in a hundred: one half with a NaN, the other without values."""
    if not percent:
        return data
    column = data["ratios"].combine_chunks()
    numbers = column.values.to_numpy().copy()
    starts = column.offsets.to_numpy()
    bad = numpy.arange(0, len(column), 100 // percent)
    numbers[starts[bad[::2]]] = numpy.nan
    mask = numpy.zeros(len(column), bool)
    mask[bad[1::2]] = True
    given = pyarrow.ListArray.from_arrays(column.offsets, pyarrow.array(numbers), mask=pyarrow.array(mask))
    return data.set_column(data.schema.get_field_index("ratios"), "ratios", given)


def run(options, folder):
    package = folder / "package"
    with zipfile.ZipFile(options.wheel) as wheel:
        for entry in wheel.infolist():
            os.chmod(wheel.extract(entry, package), entry.external_attr >> 16 & 0o777)
    sys.path.insert(0, str(package))
    import duckdb

    import tessera_layout as tessera

    library_path = package / f"tessera_layout/prefix/lib/tessera/libTessera{options.loop.resolve().parent.name}.so"
    engine = str(library_path)
    rule = runpy.run_path(str(options.loop))["lay_out"]
    sizes, starts, ratios = albums(options.albums)
    count, items = len(sizes), len(ratios)
    data = data_of(sizes, starts, ratios)

    direct = folder / "direct.so"
    subprocess.run(
        ["cc", "-O2", "-shared", "-fPIC", "-I", ROOT / "Sources/CTessera/include", ROOT / "Tools/Bench/direct.c", "-o", direct],
        check=True,
    )
    library = ctypes.CDLL(str(direct))
    library.lay_out.restype = ctypes.c_double

    def by_library(albums):
        return library.lay_out(
            os.fsencode(library_path), VALUE.encode(),
            starts.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(albums), ratios.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_double(BOUNDS[0]), ctypes.c_double(BOUNDS[1]),
        )  # fmt: skip

    def seconds_of_library():
        """Seconds for an item by the library alone, beside each measurement, since others use the machine, too."""
        some = min(count, 20_000)
        start = time.process_time()
        by_library(some)
        return (time.process_time() - start) / int(starts[some])

    by_library(count)
    table = Table("## The engines, sandboxed, to a table of Arrow", seconds_of_library)
    for one in tessera.engines():
        given = {"size": "sizes", "aspectRatio": "ratios", "height": "numbers", "weight": "numbers"}
        values = {name: column for name, column in given.items() if name in one.item_values}
        name = one.id.rsplit(".", 1)[-1]

        def to_table():
            return sum(len(batch["frame"].flatten()) for batch in tessera.layouts(
                name, data=data, items="n", values=values, bounds=BOUNDS, keep=[], columns=["frame"]))  # fmt: skip

        found, _ = table.measure(name, count, items, to_table)
        if found < items:
            sys.exit(f"bulk.py: {name} has {found} elements for {items} items")

    table = Table("## One engine", seconds_of_library)
    part = range(0, count, PART)
    loop, _ = table.measure(
        "a loop in Python with numpy", len(part), int(sizes[::PART].sum()),
        lambda: [rule(ratios[int(starts[album]) : int(starts[album + 1])], BOUNDS[0]) for album in part],
    )  # fmt: skip
    sum_of_heights, _ = table.measure("the engine's library by ctypes, no Tessera", count, items, lambda: by_library(count))

    def check(name, heights, expected=sum_of_heights):
        if abs(heights - expected) > 1e-9 * abs(expected):
            sys.exit(f"bulk.py: the heights are {heights} with {name}, and {expected} by the library")

    for isolation, name in (("none", "tessera.layouts, in process, to a Batch"), ("sandbox", "tessera.layouts, sandboxed, to a Batch")):
        layout = tessera.Host(isolation=isolation).layout(engine, 0, bounds=BOUNDS)

        def lay_out():
            heights = 0.0
            for first in range(0, count, CHUNK):
                last = min(first + CHUNK, count)
                layout.set_sections(sections=sizes[first:last].tolist())
                layout.set_values({VALUE: ratios[int(starts[first]) : int(starts[last])]})
                batch = layout.batch()
                heights += sum(size[1] for size in batch.content_sizes)
                for album in range(first, last, PART):
                    if album % 10_000 == 0 and not numpy.allclose(batch[album - first], loop[album // PART][0], atol=1e-6):
                        sys.exit(f"bulk.py: numpy and Tessera differ for album {album}")
            return heights

        check(name, table.measure(name, count, items, lay_out)[0])
        layout.close()

    def stream(given, **arguments):
        return tessera.layouts(engine, data=given, values={VALUE: "ratios"}, bounds=BOUNDS, keep=[], **arguments)

    def parquet(given, **arguments):
        reader = stream(given, **arguments)
        with pyarrow.parquet.ParquetWriter(folder / "frames.parquet", reader.schema, use_dictionary=False) as writer:
            for batch in reader:
                writer.write_batch(batch)

    def in_duckdb(given):
        connection = duckdb.connect(config={"threads": 1})
        tessera.duckdb.register(connection, columns=["frame"])
        connection.register("albums", given)
        text = f"SELECT layout('{engine}', {{{VALUE}: ratios, bounds: {{width: {BOUNDS[0]}, height: {BOUNDS[1]}}}}}) AS found FROM albums"
        connection.execute(f"COPY ({text}) TO '{folder}/duckdb.parquet'")
        return connection.sql(f"SELECT sum(found.content_size.height) FROM '{folder}/duckdb.parquet'").fetchall()[0][0]

    def height(name="frames.parquet"):
        return pyarrow.compute.sum(pyarrow.compute.struct_field(pyarrow.parquet.read_table(folder / name)["content_size"], "height")).as_py()

    rows = {}
    for title, columns in (("frames", {"columns": ["frame"]}), ("float32 frames", {"columns": ["frame"], "float32": True}), ("content sizes only", {"columns": []})):
        rows[title], _ = table.measure(f"tessera.layouts to Parquet, {title}", count, items, lambda: parquet(data, **columns))
        check(title, height())
        print(f"<!-- {title}: {(folder / 'frames.parquet').stat().st_size / count:.0f} bytes an album -->")
    check("DuckDB", table.measure("DuckDB, to Parquet", count, items, lambda: in_duckdb(data))[0])
    print(f"<!-- largest memory of the processes, in MB: {peak()} -->")
    session = Spark(folder, package, engine, data, table, count, items, check) if options.spark else None

    table = Table("## With bad rows", seconds_of_library)
    for percent in BAD:
        given = with_bad_rows(data, percent)
        table.measure(f"tessera.layouts to Parquet, {percent} % bad", count, items, lambda: parquet(given, columns=["frame"]))
        table.measure(f"DuckDB, to Parquet, {percent} % bad", count, items, lambda: in_duckdb(given))
        if session:
            session.write(table, percent, given)
    if session:
        session.stop()


class Spark:
    """tessera.spark in a cluster of two executors."""

    def __init__(self, folder, package, engine, data, table, count, items, check):
        import pyspark

        self.folder, self.engine, self.count, self.items = folder, engine, count, items
        with tarfile.open(folder / "tessera.tar.gz", "w:gz", compresslevel=1) as file:
            file.add(package, ".")
        home = folder / "spark"
        home.mkdir()
        for path in pathlib.Path(pyspark.__file__).parent.iterdir():
            if path.name != "work":
                (home / path.name).symlink_to(path)
        os.environ.update(SPARK_HOME=str(home), PYSPARK_PYTHON=sys.executable)
        from pyspark.sql import SparkSession

        self.session = (
            SparkSession.builder.master("local-cluster[2,1,2048]")
            .config("spark.archives", f"{folder}/tessera.tar.gz#tessera_package")
            .config("spark.executorEnv.PYTHONPATH", "tessera_package")
            .config("spark.executor.memory", "2g")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate()
        )
        self.session.sparkContext.setLogLevel("ERROR")
        rows = self.rows(data, "albums")
        # Starts what the first job starts.
        rows.limit(1000).mapInArrow(lambda batches: batches, rows.schema).count()
        import tessera_layout as tessera

        self.module = tessera.spark
        self.arguments = {"values": {VALUE: "ratios"}, "bounds": BOUNDS, "keep": [], "columns": ["frame"]}

        def height(name):
            return self.session.read.parquet(str(folder / name)).selectExpr("sum(content_size.height)").collect()[0][0]

        table.measure(
            "Spark, which passes the albums to Python and takes them back, with no layout", count, items,
            lambda: rows.mapInArrow(lambda batches: batches, rows.schema).selectExpr("sum(size(ratios))").collect(),
        )  # fmt: skip
        table.measure("tessera.spark.write", count, items, lambda: self.module.write(rows, str(folder / "written"), engine, **self.arguments))
        check("tessera.spark.write", height("written"))
        table.measure(
            "tessera.spark.layouts(…).write.parquet", count, items,
            lambda: self.module.layouts(rows, engine, **self.arguments).write.parquet(str(folder / "by-jvm")),
        )  # fmt: skip
        check("tessera.spark.layouts", height("by-jvm"))
        table.measure(
            "tessera.spark.layouts, content sizes, to their sum", count, items,
            lambda: self.module.layouts(rows, engine, **{**self.arguments, "columns": []}).selectExpr("sum(content_size.height)").collect(),
        )  # fmt: skip
        self.module.register(self.session, columns=["frame"])
        rows.createOrReplaceTempView("albums")
        text = f"layout('{engine}', struct(ratios AS {VALUE}, struct({BOUNDS[0]}D AS width, {BOUNDS[1]}D AS height) AS bounds))"
        table.measure(
            "Spark SQL, the function, to Parquet", count, items,
            lambda: self.session.sql(f"SELECT {text} AS found FROM albums").write.parquet(str(folder / "by-sql")),
        )  # fmt: skip
        print(f"<!-- largest memory of the processes, in MB: {peak()} -->")

    def rows(self, data, name):
        path = self.folder / name
        path.mkdir(exist_ok=True)
        only = data.select(["ratios"])
        half = (len(only) + 1) // 2
        for number in range(2):
            pyarrow.parquet.write_table(only.slice(number * half, half), path / f"{number}.parquet")
        return self.session.read.parquet(str(path))

    def write(self, table, percent, data):
        rows = self.rows(data, f"albums-{percent}")
        table.measure(
            f"tessera.spark.write, {percent} % bad", self.count, self.items,
            lambda: self.module.write(rows, str(self.folder / f"written-{percent}"), self.engine, **self.arguments),
        )  # fmt: skip

    def stop(self):
        self.session.stop()


if __name__ == "__main__":
    main()
