"""tessera.spark on a cluster of two executors, which get the package as an archive. Starts Spark
once.

Arguments: the wheel, a folder with the engine of Tests/Fixtures/engines/parts.c,
Documentation/Spark.md, and optional names of tests.
"""

import doctest
import io
import os
import pathlib
import sys
import tarfile
import tempfile
import time
import unittest
import zipfile

WHEEL, ENGINES, PAGE = sys.argv[1:4]
FOLDER = tempfile.TemporaryDirectory()
WORK = os.path.join(os.path.realpath(FOLDER.name), "spark", "work")
#: Numbers of items for which the engine of parts.c fails, and what the error says.
FAILURES = {
    13: "SIGABRT",
    14: "did not return from prepare",
    15: "cell 7 of section",
    16: "give another number",
    17: "exit status 3",
}


def packed():
    """Repacks the wheel for Spark with permissions, and unpacks it here."""
    unpacked = os.path.join(FOLDER.name, "package")
    with zipfile.ZipFile(WHEEL) as wheel:
        for entry in wheel.infolist():
            path = wheel.extract(entry, unpacked)
            os.chmod(path, entry.external_attr >> 16 & 0o777)
    archive = os.path.join(FOLDER.name, "tessera.tar.gz")
    with tarfile.open(archive, "w:gz", compresslevel=1) as file:
        file.add(unpacked, ".")
    sys.path.insert(0, unpacked)
    # For the driver process that analyses table functions.
    os.environ["PYTHONPATH"] = unpacked
    return archive


def workers():
    """Workers on executors."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "exe").startswith(WORK):
                found.append(int(process.name))
        except OSError:
            continue
    return found


def is_child_worker(stat):
    """Whether a process is a worker and a child of this one."""
    try:
        name, fields = stat.read_text().rsplit(")", 1)
        return "(tessera-worker" in name and int(fields.split()[1]) == os.getpid()
    except OSError:
        return False


class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import pyspark

        # Spark writes below its working folder.
        home = os.path.dirname(WORK)
        os.mkdir(home)
        for name in os.listdir(os.path.dirname(pyspark.__file__)):
            if name != "work":
                os.symlink(
                    os.path.join(os.path.dirname(pyspark.__file__), name), os.path.join(home, name)
                )
        os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_HOME=home)
        from pyspark.sql import SparkSession

        archive = packed()
        cls.spark = (
            SparkSession.builder.master("local-cluster[2,1,1024]")
            .config("spark.archives", f"{archive}#tessera_package")
            .config("spark.executorEnv.PYTHONPATH", "tessera_package")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            # Starts faster for little computation.
            .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
            .config("spark.executor.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.local.dir", FOLDER.name)
            .config("spark.sql.warehouse.dir", FOLDER.name)
            .config("spark.sql.execution.arrow.maxRecordsPerBatch", 10)
            .getOrCreate()
        )

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()
        for _ in range(200):
            if not workers():
                return
            time.sleep(0.1)
        raise AssertionError(f"these processes of executors stay: {workers()}")

    def test_rows(self):
        """Each row's frames equal a single layout's."""
        import tessera_layout as tessera

        sizes = [
            [(20.0 + (row * 7 + item * 3) % 11, 30.0) for item in range(row % 5)]
            for row in range(50)
        ]
        data = self.spark.createDataFrame(
            [(row, sizes[row], 60.0 + row) for row in range(50)],
            "id int, sizes array<struct<width:double,height:double>>, width double",
        ).repartition(2)
        found = tessera.spark.layouts(
            data,
            "flow",
            values={"size": "sizes"},
            bounds=("width", 400),
            minimum_line_spacing=3,
            keep=["id"],
            columns=["item", "frame"],
        )
        rows = {row.id: row for row in found.collect()}
        self.assertEqual(sorted(rows), list(range(50)))
        for id, row in rows.items():
            layout = tessera.layout(
                "flow", values={"size": sizes[id]}, bounds=(60 + id, 400), minimum_line_spacing=3
            )
            self.assertIsNone(row.error)
            self.assertEqual(
                [tuple(frame) for frame in row.frame], [tuple(element[4:8]) for element in layout]
            )
            self.assertEqual(row.item, list(range(id % 5)))
            self.assertEqual(tuple(row.content_size), layout.content_size)

    def lengths(self, count):
        """Item lengths, stacked by parts.c."""
        return [float(count % 7 + item) for item in range(count)]

    def test_failures_cost_their_rows(self):
        import tessera_layout as tessera

        counts = [4, 13, 2, 14, 5, 15, 6, 16, 0, 17, 3] * 2
        data = self.spark.createDataFrame(
            [(row, self.lengths(count)) for row, count in enumerate(counts)],
            "id int, lengths array<double>",
        ).repartition(2)
        found = tessera.spark.layouts(
            data,
            "parts",
            values={"length": "lengths"},
            bounds=(100, 100),
            keep=["id"],
            columns=["frame"],
            host={"folders": [ENGINES], "time_limit": 0.5},
        ).collect()
        self.assertEqual(sorted(row.id for row in found), list(range(len(counts))))
        for row in found:
            count = counts[row.id]
            if count in FAILURES:
                self.assertIn(FAILURES[count], row.error)
                self.assertEqual((row.frame, row.content_size), (None, None))
            else:
                self.assertIsNone(row.error)
                self.assertEqual([frame.height for frame in row.frame], self.lengths(count))

    def test_an_engine_that_executors_lack_ends_the_job(self):
        """The folder has no engine on executors. In SQL this is an error of the rows."""
        import tessera_layout as tessera

        data = self.spark.createDataFrame([(1, [1.0])], "id int, lengths array<double>")
        before, name = os.getcwd(), "tessera_package"
        os.symlink(os.path.abspath(ENGINES), os.path.join(FOLDER.name, name))
        os.chdir(FOLDER.name)
        try:
            found = tessera.spark.layouts(
                data, "parts", values={"length": "lengths"}, host={"folders": [name]}
            )
            with self.assertRaisesRegex(Exception, 'there is no engine "parts"'):
                found.collect()
            tessera.spark.register(self.spark, "driven", host={"folders": [name]})
            data.createOrReplaceTempView("lengths")
            found = self.spark.sql(
                "SELECT driven('parts', struct(lengths AS length)).error_code AS code FROM lengths"
            ).collect()
            self.assertEqual([row.code for row in found], ["engineNotFound"])
        finally:
            os.chdir(before)

    def test_groups(self):
        import tessera_layout as tessera

        albums = {"a": 3, "b": 1, "c": 13, "d": 5}
        rows = [
            (album, place, f"{album}{place}", float(place + 1))
            for album, count in albums.items()
            for place in range(count)
        ]
        data = self.spark.createDataFrame(
            rows[::-1], "album string, place int, name string, length double"
        )
        found = tessera.spark.groups(
            data,
            "album",
            "parts",
            order_by="place",
            values={"length": "length"},
            bounds=(100, 100),
            keep=["name"],
            columns=["frame"],
            host={"folders": [ENGINES]},
        ).collect()
        for album, count in albums.items():
            mine = [row for row in found if row.album == album]
            if count == 13:
                self.assertEqual([(row.name, row.frame) for row in mine], [(None, None)])
                self.assertIn("SIGABRT", mine[0].error)
                continue
            heights = {row.name: (row.frame.y, row.frame.height) for row in mine}
            ends = [place * (place + 1) / 2 for place in range(count)]
            self.assertEqual(
                heights, {f"{album}{place}": (ends[place], place + 1) for place in range(count)}
            )
        # By hand, from the README of table: headers are 28 high and no items.
        found = tessera.spark.groups(
            data.where("album = 'a'"),
            "album",
            "table",
            order_by="place",
            keep=["name"],
            columns=["kind", "frame"],
        ).collect()
        self.assertEqual([row.name for row in found if row.kind is None], ["a0", "a1", "a2"])
        self.assertEqual(
            [(row.album, row.name, row.frame.height) for row in found if row.kind == "header"],
            [("a", None, 28)],
        )

    def test_mistakes_are_found_on_the_driver(self):
        import tessera_layout as tessera

        data = self.spark.createDataFrame(
            [(1, [1.0], 3, "")], "id int, heights array<double>, `a.b` int, Error string"
        )
        for settings, sentence in (
            ({"values": {"height": "height"}}, "no column 'height'; it has id, heights"),
            ({"values": {"heigth": "heights"}}, 'did you mean "height"'),
            ({"values": {"height": "heights"}, "row_heigth": 3}, 'no parameter "row_heigth"'),
            ({"items": "id", "columns": ["frames"]}, "no column 'frames'; it has category"),
            ({}, "nothing says how many items"),
            ({"values": {"height": "id"}}, "id is of int64|id is of int32"),
            (
                {
                    "values": {"height": "heights"},
                    "keep": ["`a.b`"],
                    "columns": ["item"],
                    "bounds": ("a.b", 1),
                },
                "give `a.b`",
            ),
            ({"values": {"height": "heights"}, "keep": ["ERROR"]}, "a column 'error' of its own"),
            ({"values": {"height": "heights"}, "keep": ["id", "ID"]}, "two kept columns"),
            ({"values": {"height": "heights"}, "keep": "id"}, "keep is 'id'; give a list of names"),
            ({"values": {"height": "heights"}, "keep": [data.id]}, "keep has Column"),
            ({"items": 3}, "items is 3; give the name of a column"),
            ({"values": {"height": "heights"}, "bounds": (float("nan"), 1)}, "bounds is nan,1"),
        ):
            with self.assertRaisesRegex(tessera.InvalidError, sentence):
                tessera.spark.layouts(data, "table", **{"keep": [], **settings})
        with self.assertRaisesRegex(tessera.InvalidError, "by is None"):
            tessera.spark.groups(data, None, "grid")
        with self.assertRaisesRegex(tessera.InvalidError, "give a DataFrame of Spark"):
            tessera.spark.layouts([data], "grid", items="id")
        for fields, sentence in (
            ("width:double,depth:double", "has the fields width, depth"),
            ("width:double", "give a struct of width, height"),
        ):
            sizes = self.spark.createDataFrame([], f"sizes array<struct<{fields}>>")
            with self.assertRaisesRegex(tessera.InvalidError, sentence):
                tessera.spark.layouts(sizes, "flow", values={"size": "sizes"})

    def test_columns_are_named_as_in_spark(self):
        """Struct fields by name, sorted by read.json; any case; dots and backticks. By hand."""
        import tessera_layout as tessera

        lines = [
            '{"Id": 1, "a.b": [{"width": 400, "height": 100}], "album": {"sizes": [{"width": 9,'
            ' "height": 8}]}}'
        ]
        data = self.spark.read.json(self.spark.sparkContext.parallelize(lines))
        self.assertIn("struct<height:bigint,width:bigint>", data.schema.simpleString())
        for column, size in (("`a.b`", (400, 100)), ("ALBUM.Sizes", (9, 8))):
            found = tessera.spark.layouts(
                data, "flow", values={"size": column}, keep=["iD", "`a.b`"], columns=["frame"]
            )
            row = found.collect()[0]
            self.assertEqual((row.frame[0].width, row.frame[0].height), size)
            self.assertEqual(found.columns[:2], ["iD", "a.b"])
        group = self.spark.createDataFrame(
            [("x", (100.0, 40.0))], "`al.bum` string, size struct<height:double,width:double>"
        )
        found = tessera.spark.groups(
            group, "`al.bum`", "flow", values={"size": "size"}, columns=["frame"]
        ).collect()
        self.assertEqual(
            (found[0]["al.bum"], found[0].frame.width, found[0].frame.height), ("x", 40, 100)
        )

    def test_names_that_differ_in_case_only(self):
        """Duplicates, unless the session is case-sensitive."""
        import tessera_layout as tessera

        data = self.spark.sql("SELECT 1 AS Frame, 2 AS n, 3 AS N")
        with self.assertRaisesRegex(tessera.InvalidError, "several columns"):
            tessera.spark.layouts(data, "grid", items="n", keep=[])
        self.spark.conf.set("spark.sql.caseSensitive", "true")
        try:
            found = tessera.spark.layouts(data, "grid", items="N", columns=["frame"])
            row = found.collect()[0]
            self.assertEqual(
                (found.columns[:4], row[:3], len(row[3])),
                (["Frame", "n", "N", "frame"], (1, 2, 3), 3),
            )
            grouped = self.spark.sql("SELECT 1 AS Key, 2 AS key")
            row = tessera.spark.groups(grouped, "key", "grid", columns=[]).collect()[0]
            self.assertEqual((row["Key"], row["key"]), (1, 2))
        finally:
            self.spark.conf.unset("spark.sql.caseSensitive")

    def test_one_row_fails_and_the_job_does_not(self):
        import tessera_layout as tessera

        rows = [(1, 3.0), (2, float("nan")), (3, 2.5), (4, None), (5, -1.0)]
        data = self.spark.createDataFrame(rows, "id int, n double").repartition(2)
        found = {
            row.id: row
            for row in tessera.spark.layouts(data, "grid", items="n", columns=["item"]).collect()
        }
        self.assertEqual(found[1].item, [0, 1, 2])
        self.assertEqual(
            {id: row.error_code for id, row in found.items()},
            {1: None, **dict.fromkeys((2, 3, 4, 5), "invalidValue")},
        )
        with self.assertRaisesRegex(Exception, "more than max_errors, 0"):
            tessera.spark.layouts(data, "grid", items="n", max_errors=0).collect()

    def test_write(self):
        """Spark reads the same from the files as layouts returns."""
        import tessera_layout as tessera

        path = os.path.join(FOLDER.name, "written")
        rows = [(row, [(10.0 + row, 20.0)] * (row % 4)) for row in range(20)] + [
            (99, [(-1.0, 2.0)]),
            (98, None),
        ]
        data = self.spark.createDataFrame(
            rows, "id int, sizes array<struct<height:double,width:double>>"
        ).repartition(3)
        arguments = {"values": {"size": "sizes"}, "bounds": (50, 400), "keep": ["id"]}
        written = tessera.spark.write(data, path, "flow", **arguments)
        self.assertEqual(
            written, {"rows": 22, "errors": {"refusedByEngine": 1, "invalidValue": 1}, "files": 3}
        )
        expected = sorted(map(repr, tessera.spark.layouts(data, "flow", **arguments).collect()))
        self.assertEqual(sorted(map(repr, self.spark.read.parquet(path).collect())), expected)
        self.assertEqual(
            sorted(name for name in os.listdir(path) if not name.startswith("part-")), ["_SUCCESS"]
        )
        with self.assertRaisesRegex(tessera.InvalidError, 'mode="overwrite"'):
            tessera.spark.write(data, path, "flow", **arguments)
        written = tessera.spark.write(
            data.limit(1), path, "flow", mode="overwrite", columns=[], **arguments
        )
        self.assertEqual(
            self.spark.read.parquet(path).columns, ["id", "content_size", "error", "error_code"]
        )
        self.assertEqual((self.spark.read.parquet(path).count(), written["rows"]), (1, 1))
        # An empty result still has the columns.
        for folder, where in ((path + "0", "id < 0"), (path, "id = 98")):
            written = tessera.spark.write(
                data.selectExpr("*", "current_timestamp() as t").where(where),
                folder,
                "flow",
                mode="overwrite",
                values={"size": "sizes"},
                keep=["id", "t", "sizes"],
            )
            self.assertEqual(written["files"], 1)
        self.assertEqual(
            self.spark.read.parquet(path + "0").schema, self.spark.read.parquet(path).schema
        )
        self.assertEqual(self.spark.read.parquet(path + "0").count(), 0)
        broken = data.selectExpr("id", "sizes", "raise_error('no')")
        with self.assertRaises(Exception):
            tessera.spark.write(broken, path + "2", "flow", values={"size": "sizes"})
        self.assertEqual(os.listdir(path + "2"), [])

    def test_sql(self):
        """By hand: two items of 40 in a width of 50 are two lines, with the row's spacing between
        them.
        """
        import tessera_layout as tessera

        tessera.spark.register(self.spark)
        self.spark.createDataFrame(
            [(1, [(100.0, 40.0)] * 2, 5.0), (2, [], 7.0), (3, None, 1.0), (4, [(-1.0, 1.0)], 1.0)],
            "id int, sizes array<struct<height:double,width:double>>, spacing double",
        ).createOrReplaceTempView("albums")
        given = (
            "struct(sizes AS size, spacing AS minimum_line_spacing, struct(400 AS height, 50 AS"
            " width) AS bounds)"
        )
        found = self.spark.sql(
            f"SELECT id, layout('flow', {given}) AS found FROM albums ORDER BY id"
        ).collect()
        self.assertEqual([element.frame.y for element in found[0].found.elements], [0, 105])
        self.assertEqual(
            [row.found.content_size and row.found.content_size.height for row in found],
            [205, 0, None, None],
        )
        self.assertEqual(
            [row.found.error_code for row in found], [None, None, "invalidValue", "refusedByEngine"]
        )
        found = self.spark.sql(
            f"SELECT id, element.* FROM albums, LATERAL layout('flow', {given}) AS element ORDER BY"
            " id, item"
        ).collect()
        self.assertEqual(
            [(row.id, row.item, row.frame and row.frame.y, row.error_code) for row in found],
            [
                (1, 0, 0, None),
                (1, 1, 105, None),
                (3, None, None, "invalidValue"),
                (4, None, None, "refusedByEngine"),
            ],
        )
        found = self.spark.sql(
            "SELECT layout(if(id = 1, 'grid', 'mosaic'), struct(id AS items)).content_size.width AS"
            " width FROM albums"
        )
        self.assertEqual([row.width for row in found.collect()], [375] * 4)
        # Engines of a column, one unknown; the table function has a call for each row.
        names, one = "if(id = 1, 'grid', 'mosiac')", "(SELECT /*+ COALESCE(1) */ * FROM albums)"
        found = self.spark.sql(
            f"SELECT layout({names}, struct(id AS items)).error_code AS code FROM {one} ORDER BY id"
        )
        self.assertEqual([row.code for row in found.collect()], [None] + ["engineNotFound"] * 3)
        found = self.spark.sql(
            f"SELECT element.error_code AS code FROM albums, LATERAL layout({names}, struct(id AS"
            " items)) AS element ORDER BY id"
        )
        self.assertEqual([row.code for row in found.collect()], [None] + ["engineNotFound"] * 3)
        # An unknown field ends the job; an unknown engine is an error of its rows, even if
        # constant.
        with self.assertRaisesRegex(Exception, 'did you mean "size"'):
            self.spark.sql("SELECT layout('flow', struct(sizes AS siz)) FROM albums").collect()
        found = self.spark.sql(
            "SELECT layout('mosiac', struct(id AS items)).error_code AS code FROM albums"
        )
        self.assertEqual([row.code for row in found.collect()], ["engineNotFound"] * 4)
        # Parameter fields by name, as decimals and integers: by hand.
        inset = "named_struct('left', id, 'bottom', 3, 'right', 4, 'top', 2.5) AS section_inset"
        found = self.spark.sql(
            f"SELECT id, layout('flow', struct(id AS items, {inset})).elements[0].frame AS frame"
            " FROM albums ORDER BY id"
        )
        self.assertEqual(
            [(row.frame.x, row.frame.y) for row in found.collect()],
            [(id, 2.5) for id in (1, 2, 3, 4)],
        )
        # The driver knows a table function's types.
        for given, words in (
            ("struct(sizes AS siz)", 'did you mean "size"'),
            ("struct(current_date() AS items)", "items is of date32"),
            (
                "struct(array(struct(1 AS width, 2 AS depth)) AS size)",
                "has the fields width, depth",
            ),
            ("sizes", "give the engine, and a struct"),
        ):
            with self.assertRaisesRegex(Exception, words):
                self.spark.sql(
                    f"SELECT element.* FROM albums, LATERAL layout('flow', {given}) AS element"
                ).schema

    def test_processes_end(self):
        """No worker survives a job; with `separate` each tenant had its own."""
        import tessera_layout as tessera

        for seconds in (3, 4, 5):
            data = self.spark.range(40).selectExpr("id as n", "id % 4 as tenant").repartition(2)
            found = tessera.spark.layouts(
                data,
                "grid",
                items="n",
                separate="tenant",
                columns=["item"],
                host={"time_limit": seconds},
            ).collect()
            self.assertEqual({row.n: len(row.item) for row in found}, {n: n for n in range(40)})
        self.assertEqual(
            [one for one in pathlib.Path("/proc").glob("[0-9]*/stat") if is_child_worker(one)], []
        )

    def test_examples(self):
        """The examples of Documentation/Spark.md print the output shown there."""
        with open(PAGE) as file:
            text = "".join("\n" if line.startswith("```") else line for line in file)
        test = doctest.DocTestParser().get_doctest(
            text, {"spark": self.spark}, "Spark.md", "Spark.md", 0
        )
        report = io.StringIO()
        results = doctest.DocTestRunner(verbose=False).run(test, out=report.write)
        self.assertGreater(results.attempted, 8)
        self.assertEqual(results.failed, 0, report.getvalue())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], "-q"] + [f"Cluster.test_{name}" for name in sys.argv[4:]])
