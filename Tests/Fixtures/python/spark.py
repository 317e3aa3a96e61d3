"""tessera.spark on a cluster of two executors, which get the package as an archive. One start of Spark for all tests.

Arguments: the wheel, a folder with the engine of Tests/Fixtures/engines/parts.c, and Documentation/Spark.md.
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
FAILURES = {13: "SIGABRT", 14: "did not return from prepare", 15: "cell 7 of section", 16: "give another number", 17: "exit status 3"}


def packed():
    """The wheel in a form that Spark unpacks with its permissions; and here."""
    unpacked = os.path.join(FOLDER.name, "package")
    with zipfile.ZipFile(WHEEL) as wheel:
        for entry in wheel.infolist():
            path = wheel.extract(entry, unpacked)
            os.chmod(path, entry.external_attr >> 16 & 0o777)
    archive = os.path.join(FOLDER.name, "tessera.tar.gz")
    with tarfile.open(archive, "w:gz", compresslevel=1) as file:
        file.add(unpacked, ".")
    sys.path.insert(0, unpacked)
    return archive


def workers():
    """The engines' processes on executors."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "exe").startswith(WORK):
                found.append(int(process.name))
        except OSError:
            continue
    return found


class Cluster(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        import pyspark

        # Spark writes below its own folder, where the executors work.
        home = os.path.dirname(WORK)
        os.mkdir(home)
        for name in os.listdir(os.path.dirname(pyspark.__file__)):
            if name != "work":
                os.symlink(os.path.join(os.path.dirname(pyspark.__file__), name), os.path.join(home, name))
        os.environ.update(PYSPARK_PYTHON=sys.executable, SPARK_HOME=home)
        from pyspark.sql import SparkSession

        archive = packed()
        cls.spark = (
            SparkSession.builder.master("local-cluster[2,1,1024]")
            .config("spark.archives", f"{archive}#tessera_package")
            .config("spark.executorEnv.PYTHONPATH", "tessera_package")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            # Starts faster where little is computed.
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
        """Each row's frames are those that a layout of its own has."""
        import tessera
        import tessera.spark

        sizes = [[(20.0 + (row * 7 + item * 3) % 11, 30.0) for item in range(row % 5)] for row in range(50)]
        data = self.spark.createDataFrame(
            [(row, sizes[row], 60.0 + row) for row in range(50)],
            "id int, sizes array<struct<width:double,height:double>>, width double",
        ).repartition(2)
        found = tessera.spark.layouts(
            data, "flow", values={"size": "sizes"}, bounds=("width", 400), minimum_line_spacing=3, keep=["id"],
            columns=["item", "frame"],
        )  # fmt: skip
        rows = {row.id: row for row in found.collect()}
        self.assertEqual(sorted(rows), list(range(50)))
        for id, row in rows.items():
            layout = tessera.layout("flow", values={"size": sizes[id]}, bounds=(60 + id, 400), minimum_line_spacing=3)
            self.assertIsNone(row.error)
            self.assertEqual([tuple(frame) for frame in row.frame], [tuple(element[4:8]) for element in layout])
            self.assertEqual(row.item, list(range(id % 5)))
            self.assertEqual(tuple(row.content_size), layout.content_size)

    def lengths(self, count):
        """The lengths of a row's items: parts.c stacks them."""
        return [float(count % 7 + item) for item in range(count)]

    def test_failures_cost_their_rows(self):
        import tessera.spark

        counts = [4, 13, 2, 14, 5, 15, 6, 16, 0, 17, 3] * 2
        data = self.spark.createDataFrame(
            [(row, self.lengths(count)) for row, count in enumerate(counts)], "id int, lengths array<double>"
        ).repartition(2)
        found = tessera.spark.layouts(
            data, "parts", values={"length": "lengths"}, bounds=(100, 100), keep=["id"], columns=["frame"],
            host={"folders": [ENGINES], "time_limit": 0.5},
        ).collect()  # fmt: skip
        self.assertEqual(sorted(row.id for row in found), list(range(len(counts))))
        for row in found:
            count = counts[row.id]
            if count in FAILURES:
                self.assertIn(FAILURES[count], row.error)
                self.assertEqual((row.frame, row.content_size), (None, None))
            else:
                self.assertIsNone(row.error)
                self.assertEqual([frame.height for frame in row.frame], self.lengths(count))

    def test_wrong_input_costs_its_row(self):
        import tessera.spark

        rows = [(1, [1.0, 2.0], 100.0), (2, None, 100.0), (3, [1.0, None], 100.0), (4, [], 100.0), (5, [1.0], None), (6, [1.0], -1.0)]
        data = self.spark.createDataFrame(rows, "id int, heights array<double>, width double")
        found = {
            row.id: row.error
            for row in tessera.spark.layouts(
                data, "table", values={"height": "heights"}, bounds=("width", 100)
            ).collect()
        }
        for id, words in enumerate((None, "heights is null", "null at index 1", None, "width is null", "expected finite numbers"), 1):
            if words is None:
                self.assertIsNone(found[id])
            else:
                self.assertIn(words, found[id])

    def test_groups(self):
        import tessera
        import tessera.spark

        albums = {"a": 3, "b": 1, "c": 13, "d": 5}
        rows = [(album, place, f"{album}{place}", float(place + 1)) for album, count in albums.items() for place in range(count)]
        data = self.spark.createDataFrame(rows[::-1], "album string, place int, name string, length double")
        found = tessera.spark.groups(
            data, "album", "parts", order_by="place", values={"length": "length"}, bounds=(100, 100), keep=["name"],
            columns=["frame"], host={"folders": [ENGINES]},
        ).collect()  # fmt: skip
        for album, count in albums.items():
            mine = [row for row in found if row.album == album]
            if count == 13:
                self.assertEqual([(row.name, row.frame) for row in mine], [(None, None)])
                self.assertIn("SIGABRT", mine[0].error)
                continue
            heights = {row.name: (row.frame.y, row.frame.height) for row in mine}
            ends = [place * (place + 1) / 2 for place in range(count)]
            self.assertEqual(heights, {f"{album}{place}": (ends[place], place + 1) for place in range(count)})
        # By hand, from the README of table: headers are 28 high, and are no item.
        found = tessera.spark.groups(
            data.where("album = 'a'"), "album", "table", order_by="place", keep=["name"], columns=["kind", "frame"]
        ).collect()
        self.assertEqual([row.name for row in found if row.kind is None], ["a0", "a1", "a2"])
        self.assertEqual([(row.album, row.name, row.frame.height) for row in found if row.kind == "header"], [("a", None, 28)])

    def test_mistakes_are_found_on_the_driver(self):
        import tessera
        import tessera.spark

        data = self.spark.createDataFrame([(1, [1.0])], "id int, heights array<double>")
        for settings, sentence in (
            ({"values": {"height": "height"}}, "no column 'height'; it has id, heights"),
            ({"values": {"heigth": "heights"}}, 'did you mean "height"'),
            ({"values": {"height": "heights"}, "row_heigth": 3}, 'no parameter "row_heigth"'),
            ({"items": "id", "columns": ["frames"]}, "no column 'frames'; it has category"),
            ({}, "nothing says how many items"),
        ):
            with self.assertRaisesRegex(tessera.InvalidError, sentence):
                tessera.spark.layouts(data, "table", **settings)

    def test_examples(self):
        """The examples of Documentation/Spark.md give what it shows."""
        with open(PAGE) as file:
            text = "".join("\n" if line.startswith("```") else line for line in file)
        test = doctest.DocTestParser().get_doctest(text, {"spark": self.spark}, "Spark.md", "Spark.md", 0)
        report = io.StringIO()
        results = doctest.DocTestRunner(verbose=False).run(test, out=report.write)
        self.assertGreater(results.attempted, 8)
        self.assertEqual(results.failed, 0, report.getvalue())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + ["-q"])
