#!/usr/bin/env python3
"""Measures how many small layouts a second a core makes: albums of pictures in rows, by an engine and by a loop.

bulk.py WHEEL LOOP [--albums N] [--command TESSERA] [--spark]: lays out seeded albums, a million by default, whose sizes
follow Zipf's law with a mean of 60 items: by LOOP, a file in an engine's folder with its rule in numpy, by the engine's library with no host, and by the package
tessera without isolation, in a process and in the sandbox; with --command also by its batch, and with --spark in a cluster
of two executors on this machine. Each is divided by the processor time of all processes that took part, so that a busy
machine changes little. The numpy loop and the command get every hundredth album. Results must be the same. It prints a
table.

It runs in a Python with numpy, pyarrow and pyspark: that of Tools/setup --tests, .build/python/bin/python.
"""

import argparse
import ctypes
import json
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

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BOUNDS = (1280.0, 800.0)
VALUE = "aspectRatio"
CHUNK = 10_000


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


def measured(name, count, items, work):
    """A row of the table."""
    start, cpu = time.monotonic(), seconds()
    result = work()
    cpu, wall = seconds() - cpu, time.monotonic() - start
    print(f"| {name} | {count:,} | {wall:.1f} | {count / cpu:,.0f} | {1e9 * cpu / items:,.0f} |", flush=True)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wheel", metavar="WHEEL", help="the wheel that Tools/wheel has built")
    parser.add_argument("loop", metavar="LOOP", type=pathlib.Path, help="loop.py in an engine's folder in Plugins")
    parser.add_argument("--albums", type=int, default=1_000_000, metavar="N", help="how many albums (default: 1000000)")
    parser.add_argument("--command", metavar="TESSERA", help="also measure the batch of this command")
    parser.add_argument("--spark", action="store_true", help="also measure Spark")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        run(options, pathlib.Path(folder))


def run(options, folder):
    package = folder / "package"
    with zipfile.ZipFile(options.wheel) as wheel:
        for entry in wheel.infolist():
            os.chmod(wheel.extract(entry, package), entry.external_attr >> 16 & 0o777)
    sys.path.insert(0, str(package))
    import tessera

    library_path = package / f"tessera/prefix/lib/tessera/libTessera{options.loop.resolve().parent.name}.so"
    engine = str(library_path)
    rule = runpy.run_path(str(options.loop))["lay_out"]
    sizes, starts, ratios = albums(options.albums)
    count, items = len(sizes), len(ratios)
    print("| by | albums | s | layouts a second a core | ns an item |\n|---|---|---|---|---|")

    part = range(0, count, 100)
    loop = measured(
        "a loop in Python with numpy", len(part), int(sizes[::100].sum()),
        lambda: [rule(ratios[int(starts[album]) : int(starts[album + 1])], BOUNDS[0]) for album in part],
    )  # fmt: skip

    direct = folder / "direct.so"
    subprocess.run(
        ["cc", "-O2", "-shared", "-fPIC", "-I", ROOT / "Sources/CTessera/include", ROOT / "Tools/Bench/direct.c", "-o", direct],
        check=True,
    )
    library = ctypes.CDLL(str(direct))
    library.lay_out.restype = ctypes.c_double
    sum_of_heights = measured(
        "the engine's library by ctypes, no Tessera", count, items,
        lambda: library.lay_out(
            os.fsencode(library_path), VALUE.encode(),
            starts.ctypes.data_as(ctypes.c_void_p), ctypes.c_uint64(count), ratios.ctypes.data_as(ctypes.c_void_p),
            ctypes.c_double(BOUNDS[0]), ctypes.c_double(BOUNDS[1]),
        ),
    )  # fmt: skip

    for isolation, name in (("none", "tessera, in process"), ("process", "tessera, in a process"), ("sandbox", "tessera, sandboxed")):
        layout = tessera.Host(isolation=isolation).layout(engine, 0, bounds=BOUNDS)

        def lay_out():
            heights = 0.0
            for first in range(0, count, CHUNK):
                last = min(first + CHUNK, count)
                layout.set_sections(sections=sizes[first:last].tolist())
                layout.set_values({VALUE: ratios[int(starts[first]) : int(starts[last])]})
                batch = layout.batch()
                heights += sum(size[1] for size in batch.content_sizes)
                for album in range(first, last, 100):
                    frames = loop[album // 100][0]
                    if album % 10_000 == 0 and not numpy.allclose(batch[album - first], frames, atol=1e-6):
                        sys.exit(f"bulk.py: numpy and Tessera differ for album {album}")
            return heights

        found = measured(name, count, items, lay_out)
        layout.close()
        if abs(found - sum_of_heights) > 1e-9 * abs(found):
            sys.exit(f"bulk.py: the heights are {found} with {name}, and {sum_of_heights} by the library")

    if options.command:
        command(options.command, folder, library_path, [ratios[int(starts[album]) : int(starts[album + 1])] for album in part], loop)
    if options.spark:
        spark(folder, package, engine, sizes, starts, ratios, sum_of_heights)


def command(program, folder, engine, given, expected):
    lines = folder / "albums.ndjson"
    with lines.open("w") as file:
        for ratios in given:
            json.dump({"sections": [{"items": len(ratios), "itemValues": {VALUE: ratios.tolist()}}]}, file)
            file.write("\n")
    arguments = [program, "batch", engine, lines, "--bounds",
                 f"{BOUNDS[0]:g}x{BOUNDS[1]:g}", "--jobs", "1", "-o", folder / "layouts.ndjson"]  # fmt: skip
    measured("tessera batch, sandboxed, JSON", len(given), sum(map(len, given)), lambda: subprocess.run(arguments, check=True))
    with (folder / "layouts.ndjson").open() as file:
        for line, (frames, _) in zip(file, expected):
            if not numpy.allclose([element["frame"] for element in json.loads(line)["elements"]], frames, atol=1e-6):
                sys.exit("bulk.py: numpy and the command differ")


def spark(folder, package, engine, sizes, starts, ratios, expected):
    import pyarrow
    import pyarrow.parquet
    import pyspark

    data = folder / "albums"
    data.mkdir()
    for number, first in enumerate(range(0, len(sizes), 100_000)):
        ends = starts[first : first + 100_001].astype(numpy.int64)
        column = pyarrow.ListArray.from_arrays(pyarrow.array(ends - ends[0], pyarrow.int32()), ratios[ends[0] : ends[-1]])
        pyarrow.parquet.write_table(pyarrow.table({"ratios": column}), data / f"{number}.parquet")
    with tarfile.open(folder / "tessera.tar.gz", "w:gz", compresslevel=1) as file:
        file.add(package, ".")
    home = folder / "spark"
    home.mkdir()
    for path in pathlib.Path(pyspark.__file__).parent.iterdir():
        if path.name != "work":
            (home / path.name).symlink_to(path)
    os.environ.update(SPARK_HOME=str(home), PYSPARK_PYTHON=sys.executable)
    from pyspark.sql import SparkSession

    import tessera.spark

    session = (
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
    session.sparkContext.setLogLevel("ERROR")
    rows = session.read.parquet(str(data))

    def total(isolation):
        found = tessera.spark.layouts(
            rows, engine, values={VALUE: "ratios"}, bounds=BOUNDS, keep=[], columns=["frame"],
            host={"isolation": isolation},
        )  # fmt: skip
        return found.selectExpr("sum(content_size.height) as height", "sum(size(frame)) as items").collect()[0]

    def nothing():
        return rows.mapInArrow(lambda batches: batches, rows.schema).selectExpr("sum(size(ratios))").collect()

    # Starts what the first job starts.
    rows.limit(1000).mapInArrow(lambda batches: batches, rows.schema).count()
    measured("Spark, which hands the albums to Python and back", len(sizes), len(ratios), nothing)
    for isolation, name in (("none", "Spark, in process"), ("sandbox", "Spark, sandboxed")):
        found = measured(name, len(sizes), len(ratios), lambda: total(isolation))
        if found.items != len(ratios) or abs(found.height - expected) > 1e-9 * expected:
            sys.exit(f"bulk.py: the sums are {found} with {name}, and {len(ratios)} and {expected} by the library")
    session.stop()


if __name__ == "__main__":
    main()
