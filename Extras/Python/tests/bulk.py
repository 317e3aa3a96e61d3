"""Layouts of table rows: tessera.layouts with polars, Arrow, pandas and DuckDB, and
tessera.duckdb.

Environment: TESSERA_LIBRARY and TESSERA_PATH; TESSERA_PARTS, a folder with the engine of
Tests/Fixtures/engines/parts.c. The oracle is tessera.layout, one album at a time; other numbers are
by hand.
"""

import collections
import decimal
import itertools
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyspark.sql

import tessera_layout as tessera

PARTS = os.environ["TESSERA_PARTS"]
ENGINES = [engine.id.split(".")[-1] for engine in tessera.engines()]


def workers():
    """Workers of this process."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((process / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if parent == os.getpid() and (process / "comm").read_text().startswith(
                "tessera-worker"
            ):
                found.append(int(process.name))
        except OSError:
            continue
    return found


def receive_ctrl_c():
    """Restores SIGINT, which a parent may block or ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def rows(reader):
    return reader.read_all().to_pylist()


def corners(frame):
    return tuple(frame[side] for side in ("x", "y", "width", "height"))


class Tables(unittest.TestCase):
    def test_fields_of_structs_are_found_by_their_names(self):
        """In every order and type, against single layouts; x, y, width and height are element
        columns.
        """
        sizes = [[(40.0, 100.0), (7.0, 8.0)], [], [(5.0, 60.0)]]
        expected = [
            [
                tuple(one[4:8])
                for one in tessera.layout("flow", values={"size": each}, bounds=(90, 400))
            ]
            for each in sizes
        ]
        for order in itertools.permutations(("width", "height")):
            for kind in (
                pyarrow.float64(),
                pyarrow.float32(),
                pyarrow.int64(),
                pyarrow.uint8(),
                pyarrow.decimal128(9, 2),
            ):
                struct = pyarrow.struct([(name, kind) for name in order])
                plain = int if pyarrow.types.is_integer(kind) else float
                given = [
                    [{"width": plain(width), "height": plain(height)} for width, height in each]
                    for each in sizes
                ]
                if pyarrow.types.is_decimal(kind):
                    column = pyarrow.array(
                        given,
                        pyarrow.list_(
                            pyarrow.struct([(name, pyarrow.float64()) for name in order])
                        ),
                    ).cast(pyarrow.list_(struct))
                else:
                    column = pyarrow.array(given, pyarrow.list_(struct))
                for list_type in (pyarrow.list_(struct), pyarrow.large_list(struct)):
                    data = pyarrow.table({"sizes": column.cast(list_type)})
                    found = rows(
                        tessera.layouts(
                            "flow", data=data, values={"size": "sizes"}, bounds=(90, 400)
                        )
                    )
                    self.assertEqual(
                        [[corners(frame) for frame in row["frame"]] for row in found],
                        expected,
                        (order, kind),
                    )
        for column in (
            pyarrow.array(sizes, pyarrow.list_(pyarrow.list_(pyarrow.float64()))),
            pyarrow.array(sizes, pyarrow.list_(pyarrow.list_(pyarrow.float64(), 2))),
        ):
            found = rows(tessera.layouts("flow", values={"size": column}, bounds=(90, 400)))
            self.assertEqual(
                [[corners(frame) for frame in row["frame"]] for row in found], expected
            )
        # Four numbers: flow's section insets move the item by left and top.
        for order in itertools.permutations(("top", "left", "bottom", "right")):
            inset = {"top": 1.0, "left": 2.0, "bottom": 3.0, "right": 4.0}
            array = pyarrow.array(
                [{name: inset[name] for name in order}],
                pyarrow.struct([(name, pyarrow.float64()) for name in order]),
            )
            layout = tessera.layout(
                "flow",
                1,
                section_values={"section_inset": array},
                item_size=(10, 10),
                bounds=(16, 100),
            )
            self.assertEqual(
                (tuple(layout.frames[0]), layout.content_size), ((2, 1, 10, 10), (16, 14)), order
            )

    def test_rows_of_spark_and_named_tuples_are_structs(self):
        """Arrow and numpy read these tuples by position. As list, single value, parameter, bounds
        and table cells, where pandas from Spark has object arrays. By hand.
        """
        named = collections.namedtuple("Size", ("height", "width"))
        size = (40, 100)
        for make in (
            pyspark.sql.Row(*named._fields),
            named,
            lambda *numbers: dict(zip(named._fields, numbers)),
        ):
            one = make(100, 40)
            cells = numpy.empty(2, object)
            cells[:] = [one, one]
            for value in ([one], pandas.Series([one]), cells[:1], one):
                self.assertEqual(
                    [
                        tuple(frame)[2:]
                        for frame in tessera.layout("flow", 1, values={"size": value}).frames
                    ],
                    [size],
                    value,
                )
            layout = tessera.layout(
                "flow",
                1,
                item_size=one,
                bounds=make(200, 300),
                section_inset=dict(left=1, top=2, right=3, bottom=4),
            )
            self.assertEqual(
                (tuple(layout.frames[0]), layout.content_size[0]), ((1, 2, *size), 300)
            )
            layout.set(bounds=make(200, 250))
            self.assertEqual(layout.content_size[0], 250)
            self.assertEqual(tessera.layouts("flow", [1], bounds=one).content_sizes[0][0], 40)
            self.assertEqual(
                tessera.layouts("flow", [1, 1], bounds=[one, one]).content_sizes[1][0], 40
            )
            for data in (
                {"s": [[], None, [one]]},
                [{"s": [one]}],
                pandas.DataFrame({"s": [None, [], [one]]}),
                pandas.DataFrame({"s": [cells[:0], cells]}),
            ):
                found = rows(
                    tessera.layouts(
                        "flow",
                        data=data,
                        values={"size": "s"},
                        bounds=make(400, 90),
                        columns=["frame"],
                    )
                )
                self.assertEqual({corners(frame)[2:] for frame in found[-1]["frame"]}, {size}, data)
                self.assertEqual(found[-1]["content_size"]["width"], 90)
            found = rows(
                tessera.layouts(
                    "flow", data={"n": [1]}, items="n", values={"size": one}, item_size=one
                )
            )
            self.assertEqual(corners(found[0]["frame"][0])[2:], size)
        found = rows(
            tessera.layouts(
                "flow",
                data=[pyspark.sql.Row(n=1, s=[pyspark.sql.Row(height=100, width=40)])],
                values={"size": "s"},
            )
        )
        self.assertEqual(corners(found[0]["frame"][0])[2:], size)
        other = collections.namedtuple("Other", ("height", "depth"))(1, 2)
        for settings in (
            {"values": {"size": [other]}},
            {"values": {"size": other}},
            {"item_size": other},
            {"bounds": other},
        ):
            with self.assertRaisesRegex(tessera.InvalidError, "give width, height"):
                tessera.layout("flow", 1, **settings)
        with self.assertRaisesRegex(tessera.InvalidError, "has the fields height, depth"):
            tessera.layouts("flow", data={"s": [[other]]}, values={"size": "s"})

    def test_columns_of_frames_are_found_by_their_names(self):
        """Data frames as sizes."""
        columns = {"height": [100.0], "width": [40.0]}
        for frame in (
            pandas.DataFrame(columns),
            polars.DataFrame(columns),
            pyarrow.table(columns),
            pyarrow.record_batch(columns),
        ):
            self.assertEqual(
                [
                    tuple(found)[2:]
                    for found in tessera.layout("flow", values={"size": frame}).frames
                ],
                [(40, 100)],
            )
        for names in ((0, 1), ("a", "b")):
            frame = pandas.DataFrame([[40.0, 100.0]], columns=names)
            self.assertEqual(
                [
                    tuple(found)[2:]
                    for found in tessera.layout("flow", values={"size": frame}).frames
                ],
                [(40, 100)],
            )
        for names in (("width", "depth"), ("width", "height", "depth")):
            with self.assertRaisesRegex(
                tessera.InvalidError, f"size has the columns {', '.join(names)}; give width, height"
            ):
                tessera.layout(
                    "flow", values={"size": pandas.DataFrame([[1.0] * len(names)], columns=names)}
                )

    def test_columns_that_are_null(self):
        """Null-typed columns are errors of their rows, like single nulls."""
        nulls = pyarrow.nulls(2)
        for settings, words in (
            ({"items": "x"}, "x is null; give 0 for no items"),
            ({"sections": "x"}, "x is null; give an empty array for no sections"),
            ({"values": {"size": "x"}}, "x is null; give an empty array for no items"),
            ({"items": "n", "bounds": ("x", 9)}, "x is null; give the length of the bounds"),
        ):
            found = rows(
                tessera.layouts(
                    "flow",
                    data=pyarrow.table({"x": nulls, "n": [1, 2]}),
                    keep=[],
                    columns=["item"],
                    **settings,
                )
            )
            self.assertEqual(
                [(row["error"], row["error_code"], row["item"]) for row in found],
                [(words, "invalidValue", None)] * 2,
            )

    def test_wrong_types_are_refused_before_any_row(self):
        def struct(*names):
            return pyarrow.array([[dict.fromkeys(names, 1.0)]])

        for column, words in (
            (struct("width", "depth"), "has the fields width, depth"),
            (struct("width"), "has the fields width"),
            (struct("width", "height", "depth"), "give a struct of width, height"),
            (
                pyarrow.array([[{"width": "1", "height": 1}]]),
                "the field width of a value of sizes is of string",
            ),
            (pyarrow.array([["1"]]), "give a struct of width, height, or an array of 2 numbers"),
            (pyarrow.array([1.0]), "give an array with a value for each item"),
            (pyarrow.array([[[True, False]]]), "is of list<item: bool>"),
        ):
            with self.assertRaisesRegex(tessera.InvalidError, words):
                tessera.layouts(
                    "flow", data=pyarrow.table({"sizes": column}), values={"size": "sizes"}
                )
        data = pyarrow.table(
            {"n": pyarrow.array(["3"]), "frame": [1], "heights": [[1.0]], "flags": [[True]]}
        )
        for settings, words in (
            ({"items": "n", "keep": []}, "n is of string; give whole numbers"),
            ({"values": {"height": "heights"}}, "two columns 'frame'"),
            ({"values": {"height": "flags"}, "keep": []}, "is of bool; give numbers"),
            ({"values": {"height": "height"}, "keep": []}, "no column 'height'"),
            (
                {"values": {"height": "heights"}, "keep": [], "bounds": ("n", 1)},
                "n is of string; give numbers for the bounds",
            ),
            ({"values": {"heigth": "heights"}, "keep": []}, 'did you mean "height"'),
        ):
            with self.assertRaisesRegex(tessera.InvalidError, words):
                tessera.layouts("table", data=data, **settings)

    def test_one_row_fails_and_the_others_do_not(self):
        """Invalid items, counts and bounds are errors of their row, with a code and without a row
        number.
        """
        nan = math.nan
        numbers = [[1.0, 2.0], [nan], [1.0, None], None, [], [math.inf], [3.0]]
        data = pyarrow.table({"h": numbers, "w": [100, 100, 100, 100, 100, 100, -1.0]})
        found = rows(tessera.layouts("table", data=data, values={"height": "h"}, bounds=("w", 100)))
        self.assertEqual(
            [row["error"] for row in found],
            [
                None,
                "height of item 0 in section 0 is nan; expected finite numbers",
                "height of item 1 in section 0 is null; give a value for each",
                "h is null; give an empty array for no items",
                None,
                "height of item 0 in section 0 is inf; expected finite numbers",
                "the bounds are -1x100; expected finite numbers, 0 or more",
            ],
        )
        self.assertEqual(
            [row["error_code"] for row in found],
            [None, *["invalidValue"] * 3, None, *["invalidValue"] * 2],
        )
        self.assertTrue(
            all(
                row["frame"] is None and row["content_size"] is None
                for row in found
                if row["error"]
            )
        )
        counts = [3.0, nan, 2.5, None, -1.0, 2.0**60, 0.0, math.inf]
        found = rows(
            tessera.layouts("grid", data=pyarrow.table({"n": counts}), items="n", columns=["item"])
        )
        self.assertEqual(
            [row["item"] for row in found], [[0, 1, 2], None, None, None, None, None, [], None]
        )
        self.assertRegex(found[2]["error"], "n is 2.5; give a whole number")
        found = rows(
            tessera.layouts(
                "grid",
                data=pyarrow.table({"n": [1, 2**53 + 1, -3, None]}),
                items="n",
                columns=["item"],
            )
        )
        self.assertEqual(
            [row["error_code"] for row in found],
            [None, "invalidValue", "invalidValue", "invalidValue"],
        )
        self.assertIn("9007199254740993", found[1]["error"])
        large = pyarrow.table({"h": [[1], [2**53], [2**53 + 1]]})
        self.assertEqual(
            [
                row["error_code"]
                for row in rows(tessera.layouts("table", data=large, values={"height": "h"}))
            ],
            [None, None, "invalidValue"],
        )
        modes = pyarrow.table({"m": [["group"], ["nothing"], [None]], "w": [[1.0], [1.0], [1.0]]})
        choices = [
            one
            for engine in tessera.engines()
            for one in engine.item_values.values()
            if one.type == "enum"
        ]
        if choices:
            found = rows(
                tessera.layouts(choices[0].engine, data=modes, values={choices[0].name: "m"})
            )
            self.assertEqual(
                [row["error_code"] for row in found][1:], ["invalidValue", "invalidValue"]
            )
        several = pyarrow.table(
            {"s": [[2, 1], [1, None], [1, -1], None, []], "h": [[1.0] * 3, [1.0], [1.0], [], []]}
        )
        found = rows(
            tessera.layouts(
                "table", data=several, sections="s", values={"height": "h"}, columns=["section"]
            )
        )
        self.assertEqual([row["error_code"] for row in found], [None, *["invalidValue"] * 3, None])
        self.assertEqual(sorted(found[0]["section"])[-1], 1)
        short = pyarrow.table({"n": [2, 1], "h": [[1.0], [1.0]]})
        found = rows(tessera.layouts("table", data=short, items="n", values={"height": "h"}))
        self.assertEqual(
            [(row["error"], row["error_code"]) for row in found],
            [("h has 1 values for 2 items of n; give one for each", "wrongCount"), (None, None)],
        )

    def test_numbers_that_a_double_cannot_hold(self):
        """For every integer type, the row's error has the exact number."""
        large = 2**53 + 1
        for kind in (
            pyarrow.int64(),
            pyarrow.uint64(),
            pyarrow.decimal128(20, 0),
            pyarrow.decimal128(38, 2),
            pyarrow.decimal256(60, 1),
        ):
            plain = decimal.Decimal if pyarrow.types.is_decimal(kind) else int
            heights = pyarrow.array(
                [[plain(1), plain(2**53)], [plain(3), plain(large)]], pyarrow.list_(kind)
            )
            found = rows(tessera.layouts("table", values={"height": heights}))
            self.assertEqual([row["error_code"] for row in found], [None, "invalidValue"], kind)
            self.assertIn(
                f"height of item 1 in section 0 is {large}, which a number cannot hold exactly",
                found[1]["error"],
            )
            for struct in (False, True):
                sizes = [
                    [{"width": plain(n), "height": plain(1)} if struct else [plain(n), plain(1)]]
                    for n in (5, large)
                ]
                value = (
                    pyarrow.struct([("height", kind), ("width", kind)])
                    if struct
                    else pyarrow.list_(kind)
                )
                found = rows(
                    tessera.layouts(
                        "flow", values={"size": pyarrow.array(sizes, pyarrow.list_(value))}
                    )
                )
                self.assertEqual(
                    [row["error_code"] for row in found], [None, "invalidValue"], (kind, struct)
                )
                self.assertIn(f"size of item 0 in section 0 is {large},", found[1]["error"])
            counts = pyarrow.table({"n": pyarrow.array([plain(2), plain(large)], kind)})
            found = rows(tessera.layouts("grid", data=counts, items="n", columns=["item"]))
            self.assertEqual(
                (found[0]["item"], found[1]["error"]),
                ([0, 1], f"n is {large}; give a whole number of items, 0 to 2^53"),
            )
            lengths = pyarrow.table({"n": [1, 1], "length": counts["n"]})
            for bounds in (("length", 2), (2, "length")):
                found = rows(tessera.layouts("grid", data=lengths, items="n", bounds=bounds))
                self.assertEqual(
                    [row["error"] for row in found],
                    [None, f"length is {large}; give a length that a double can hold exactly"],
                )
        found = rows(
            tessera.layouts(
                "grid",
                data=pyarrow.table({"n": pyarrow.array([2**64 - 1, 1], pyarrow.uint64())}),
                items="n",
                columns=[],
            )
        )
        self.assertEqual([row["error_code"] for row in found], ["invalidValue", None])
        # Its double is whole.
        near = pyarrow.array(
            [decimal.Decimal("2.0000000000000000000001")], pyarrow.decimal128(38, 22)
        )
        self.assertIn(
            "n is 2.0000000000000000000001;",
            rows(tessera.layouts("grid", data=pyarrow.table({"n": near}), items="n"))[0]["error"],
        )

    def test_values_of_another_number_of_numbers(self):
        sizes = pyarrow.array([[[1.0, 2.0, 3.0]], [[1.0, 2.0]], [[]], [None], [[4.0, None]]])
        found = rows(tessera.layouts("flow", values={"size": sizes}))
        self.assertEqual(
            [row["error"] for row in found],
            [
                "size of item 0 in section 0 has 3 numbers; give 2 for each",
                None,
                "size of item 0 in section 0 has 0 numbers; give 2 for each",
                "size of item 0 in section 0 is null; give a value for each",
                "size of item 0 in section 0 has a null; give 2 numbers for each",
            ],
        )
        with self.assertRaisesRegex(tessera.InvalidError, "an array of 2 numbers"):
            tessera.layouts(
                "flow",
                values={
                    "size": pyarrow.array(
                        [[[1.0, 2.0, 3.0]]], pyarrow.list_(pyarrow.list_(pyarrow.float64(), 3))
                    )
                },
            )
        half = pyarrow.array([[[1.0, 2.0]]]).cast(
            pyarrow.list_(pyarrow.list_(pyarrow.float16(), 2))
        )
        self.assertEqual(
            [
                corners(one)[2:]
                for one in rows(tessera.layouts("flow", values={"size": half}))[0]["frame"]
            ],
            [(1, 2)],
        )

    def test_encoded_columns(self):
        """Dictionary (also in lists and structs) and run-end encoding equal plain numbers."""
        numbers = pyarrow.array([30.0, 40.0, 30.0, None, 40.0, 50.0])
        encoded, starts = numbers.dictionary_encode(), [0, 2, 2, 4, 6]
        for list_type, kind in (
            (pyarrow.ListArray, pyarrow.int32()),
            (pyarrow.LargeListArray, pyarrow.int64()),
        ):
            plain, found = (
                [
                    rows(tessera.layouts("table", values={"height": one}))
                    for one in (
                        lists,
                        lists.slice(1, 2),
                        pyarrow.chunked_array([lists[:1], lists[1:]]),
                    )
                ]
                for lists in (
                    list_type.from_arrays(pyarrow.array(starts, kind), values)
                    for values in (numbers, encoded)
                )
            )
            self.assertEqual(plain, found)
            self.assertEqual(
                [row["error_code"] for row in found[0]], [None, None, "invalidValue", None]
            )
        squares = pyarrow.FixedSizeListArray.from_arrays(encoded, 2)
        for values in (
            pyarrow.ListArray.from_arrays([0, 1, 3], squares),
            pyarrow.ListArray.from_arrays(
                [0, 1, 3],
                pyarrow.StructArray.from_arrays([encoded[1::2], encoded[::2]], ["height", "width"]),
            ),
        ):
            found = rows(tessera.layouts("flow", values={"size": values}))
            self.assertEqual([corners(one)[2:] for one in found[0]["frame"]], [(30, 40)])
            self.assertEqual(found[1]["error_code"], "invalidValue")
        # Run-end encoded counts, bounds and separators. By hand: as many cells as fit 100, 50 and
        # 50.
        runs = pyarrow.RunEndEncodedArray.from_arrays(
            pyarrow.array([1, 3], pyarrow.int32()), pyarrow.array([100.0, 50.0])
        )
        for counts in (
            pyarrow.array([2, 2, 3]).dictionary_encode(),
            pyarrow.RunEndEncodedArray.from_arrays(
                pyarrow.array([2, 3], pyarrow.int32()), pyarrow.array([2, 3])
            ),
        ):
            data = pyarrow.table(
                {"n": counts, "w": runs, "by": pyarrow.array(["a", "b", "b"]).dictionary_encode()}
            )
            found = rows(
                tessera.layouts(
                    "flow",
                    data=data,
                    items="n",
                    bounds=("w", 100),
                    separate="by",
                    item_size=(50, 10),
                    minimum_interitem_spacing=0,
                    minimum_line_spacing=0,
                )
            )
            self.assertEqual([row["content_size"]["height"] for row in found], [10, 20, 30])
            self.assertEqual(
                [(row["n"], row["w"], row["by"]) for row in found],
                [(2, 100, "a"), (2, 50, "b"), (3, 50, "b")],
            )
        with self.assertRaisesRegex(tessera.InvalidError, "is of run_end_encoded"):
            tessera.layouts("table", values={"height": pyarrow.ListArray.from_arrays([0, 3], runs)})
        with self.assertRaisesRegex(
            tessera.InvalidError, "is of dictionary<values=string.*give numbers"
        ):
            tessera.layouts(
                "table",
                values={
                    "height": pyarrow.ListArray.from_arrays(
                        [0, 1], pyarrow.array(["3"]).dictionary_encode()
                    )
                },
            )

    def test_entries_beneath_nulls_do_not_count(self):
        """Arrow can have entries beneath null lists and structs."""
        entries, null = pyarrow.array([1.0, 2.0, 3.0, 4.0, 5.0]), pyarrow.array(
            [False, True, False]
        )
        lists = pyarrow.ListArray.from_arrays(
            pyarrow.array([0, 1, 3, 5], pyarrow.int32()), entries, mask=null
        )
        views = pyarrow.ListViewArray.from_arrays(
            pyarrow.array([0, 1, 3], pyarrow.int32()),
            pyarrow.array([1, 2, 2], pyarrow.int32()),
            entries,
            mask=null,
        )
        for heights in (lists, views, lists.slice(1), views.slice(1)):
            found = rows(tessera.layouts("table", values={"height": heights}))
            self.assertEqual(
                [row["error"] is None for row in found], [True, False, True][-len(heights) :]
            )
            self.assertEqual([one["height"] for one in found[-1]["frame"][:2]], [4, 5])
            # As section lengths.
            found = rows(
                tessera.layouts(
                    "table",
                    data=pyarrow.table({"lengths": heights}),
                    sections="lengths",
                    columns=["kind"],
                )
            )
            self.assertEqual(
                [row["error"] is None for row in found], [True, False, True][-len(heights) :]
            )
            self.assertEqual(found[-1]["kind"].count(None), 9)
        structs = pyarrow.StructArray.from_arrays(
            [entries, entries],
            ["height", "width"],
            mask=pyarrow.array([False, True, False, False, False]),
        )
        found = rows(
            tessera.layouts(
                "flow",
                values={
                    "size": pyarrow.ListArray.from_arrays(
                        pyarrow.array([0, 1, 2, 5], pyarrow.int32()), structs
                    )
                },
            )
        )
        self.assertEqual([row["error_code"] for row in found], [None, "invalidValue", None])

    def test_mistakes_in_arguments(self):
        data = pyarrow.table({"h": [[1.0]], "w": [100.0], "id": ["a"]})
        for settings, words in (
            ({"items": ["w"]}, "items is ..w..; give the name of a column"),
            ({"sections": [1]}, "sections is .1.; give the name"),
            ({"separate": 3}, "separate is 3; give the name"),
            ({"keep": "id"}, "keep is 'id'; give a list of names"),
            ({"keep": [0]}, "keep has 0; give names"),
            ({"keep": ["id", "id"]}, "keep has 'id' twice"),
            ({"columns": "frame"}, "columns is 'frame'; give a list of names"),
            ({"columns": None}, "columns is None"),
            ({"columns": ["item", "item"]}, "columns has 'item' twice"),
            ({"bounds": ("w", None)}, "bounds is None; give a number"),
            ({"bounds": (math.nan, 1)}, "bounds is nan,1"),
            ({"bounds": ("w", -1)}, "bounds is 0,-1"),
            ({"scale": 0}, "scale is 0"),
            ({"host": {"time_limt": 1}}, "host has no 'time_limt'; it has folders, .*time_limit"),
        ):
            with self.assertRaisesRegex(tessera.InvalidError, words):
                tessera.layouts("table", data=data, values={"height": "h"}, **settings)
        # An error kept by a notebook holds no worker.
        before, errors = workers(), []
        for settings in (
            {"values": {"heigth": "h"}},
            {"values": {"height": "x"}},
            {"values": {"height": "id"}},
            {"values": {"height": "h"}, "scale": 0},
            {"values": {"height": "h"}, "row_heigth": 1},
            {"values": {"height": 3}},
            {"values": {"height": "h"}, "keep": ["x"]},
        ):
            try:
                tessera.layouts("table", data=data, **settings)
            except tessera.InvalidError as error:
                errors.append(error)
        self.assertEqual((len(errors), workers()), (7, before))
        with self.assertRaisesRegex(
            tessera.InvalidError, "different numbers of rows: height 2, span 1"
        ):
            tessera.layouts(
                "waterfall",
                values={"height": pyarrow.array([[1.0], [2.0]]), "span": pyarrow.array([[1]])},
            )

    def test_tables_of_every_kind(self):
        columns = {"h": [[1.0, 2.0], [3.0]]}
        listed = [{"h": row} for row in columns["h"]]
        expected = rows(
            tessera.layouts("table", data=pyarrow.table(columns), values={"height": "h"})
        )
        for data in (
            columns,
            listed,
            (row for row in listed),
            polars.DataFrame(columns).lazy(),
            pandas.DataFrame(columns, index=[7, 7]),
            pyarrow.array(listed),
            pyarrow.record_batch(columns),
        ):
            self.assertEqual(
                rows(tessera.layouts("table", data=data, values={"height": "h"})), expected, data
            )
        for data, words in (
            ("text", "data is 'text'"),
            (pandas.DataFrame({"h": [[1.0], 5]}), "cannot be read as a table of Arrow: .*column h"),
            (pandas.DataFrame([[1, 2]], columns=["h", "h"]), "Duplicate column names"),
            (pyarrow.array([[1.0]]), "cannot be read"),
        ):
            with self.assertRaisesRegex(tessera.InvalidError, words):
                tessera.layouts("table", data=data, values={"height": "h"})

    def test_every_engine_equals_one_album_at_a_time(self):
        """Shuffled, in one batch and in many: the same frames."""
        generator = random.Random(5)
        counts = [generator.choice([0, 1, 2, 7, 30]) for _ in range(40)]
        albums = [
            {
                "n": count,
                "size": [
                    (generator.uniform(5, 90), generator.uniform(5, 90)) for _ in range(count)
                ],
                "number": [generator.uniform(0.2, 9) for _ in range(count)],
            }
            for count in counts
        ]
        self.assertEqual(len(ENGINES), 14)
        for name in ENGINES:
            declared = tessera.engine(name).item_values
            values = {one: "size" for one in declared if declared[one].type == "size"}
            values.update(
                (one, "number") for one in ("aspectRatio", "height", "weight") if one in declared
            )
            expected = []
            for album in albums:
                layout = tessera.layout(
                    name,
                    album["n"],
                    values={one: album[column] for one, column in values.items()},
                    bounds=(300, 400),
                )
                expected.append(
                    sorted((one.category, one.kind or "", one.item, *one[4:8]) for one in layout)
                )
                layout.close()
            order = list(range(len(albums)))
            generator.shuffle(order)
            for chunk in (1000, 3):
                table = pyarrow.Table.from_pylist([{**albums[row], "row": row} for row in order])
                reader = pyarrow.RecordBatchReader.from_batches(
                    table.schema, table.to_batches(max_chunksize=chunk)
                )
                for found in rows(
                    tessera.layouts(
                        name, data=reader, items="n", values=values, bounds=(300, 400), keep=["row"]
                    )
                ):
                    self.assertIsNone(found["error"], name)
                    mine = zip(
                        found["category"],
                        found["kind"],
                        found["item"],
                        map(corners, found["frame"]),
                    )
                    mine = sorted(
                        (category, kind or "", item, *frame) for category, kind, item, frame in mine
                    )
                    self.assertEqual(mine, expected[found["row"]], (name, found["row"], chunk))

    def test_failing_engines_cost_their_rows(self):
        counts = [4, 13, 2, 14, 5, 15, 6, 16, 0, 17, 3]
        data = pyarrow.table({"lengths": [[1.0] * count for count in counts]})
        start = time.monotonic()
        found = rows(
            tessera.layouts(
                "parts",
                data=data,
                values={"length": "lengths"},
                bounds=(100, 100),
                columns=["frame"],
                host={"folders": [PARTS]},
            )
        )
        # The hanging album has the default of one second.
        self.assertLess(time.monotonic() - start, 8)
        codes = {
            13: "crashed",
            14: "hung",
            15: "frameNotFinite",
            16: "refusedByEngine",
            17: "exited",
        }
        self.assertEqual(
            [row["error_code"] for row in found], [codes.get(count) for count in counts]
        )
        self.assertTrue(
            found[3]["error"].endswith('allow more with host={"time_limit": …}'), found[3]["error"]
        )
        self.assertNotIn("tessera_", "".join(row["error"] or "" for row in found))
        self.assertIn("cell 7 of section 0", found[5]["error"])
        self.assertEqual(
            [len(row["frame"]) for row in found if not row["error"]], [4, 2, 5, 6, 0, 3]
        )

    def test_processes_end_with_the_stream(self):
        before = workers()
        data = pyarrow.table({"n": [1] * 6, "tenant": ["a", "b", "a", None, "b", "a"]})
        tessera.layouts("grid", data=data, items="n")
        self.assertEqual(workers(), before)
        reader = tessera.layouts("grid", data=data, items="n")
        reader.read_next_batch()
        reader.read_all()
        self.assertEqual(workers(), before)
        # A worker per tenant: as many starts as values.
        started = []
        original = tessera.Host._session
        tessera.Host._session = lambda *arguments: started.append(1) or original(*arguments)
        try:
            found = rows(tessera.layouts("grid", data=data, items="n", separate="tenant"))
            together = len(started)
            rows(tessera.layouts("grid", data=data, items="n"))
        finally:
            tessera.Host._session = original
        self.assertEqual([row["tenant"] for row in found], ["a", "b", "a", None, "b", "a"])
        self.assertEqual(together - (len(started) - together), 2)
        self.assertEqual(workers(), before)

    def test_albums_that_take_their_time_limit_do_not_hold_up_the_rest(self):
        """With a limit of a minute, Ctrl-C and max_errors wait for only one."""
        program = """
import pyarrow, sys, tessera_layout as tessera
data = pyarrow.table({"lengths": [[1.0] * 14] * 60})
print("ready", flush=True)
settings = {"max_errors": 0} if sys.argv[2] == "True" else {}
host = {"folders": [sys.argv[1]]}
tessera.layouts("parts", data=data, values={"length": "lengths"}, host=host, **settings).read_all()
"""
        for limited, words in (
            (False, "KeyboardInterrupt"),
            (True, "1 rows failed, more than max_errors, 0"),
        ):
            run = subprocess.Popen(
                [sys.executable, "-c", program, PARTS, str(limited)],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                preexec_fn=receive_ctrl_c,
            )
            self.assertEqual(run.stdout.readline(), "ready\n")
            if not limited:
                time.sleep(0.5)
                run.send_signal(signal.SIGINT)
            _, errors = run.communicate(timeout=30)
            self.assertIn(words, errors)

    def test_limits(self):
        data = pyarrow.table({"n": [3, 9, 3, 9]})
        with self.assertRaisesRegex(Exception, "more than max_errors, 0"):
            tessera.layouts(
                "grid", data=pyarrow.table({"n": [-1]}), items="n", max_errors=0
            ).read_all()
        found = rows(tessera.layouts("grid", data=data, items="n", element_limit=5, columns=[]))
        self.assertEqual(
            [row["error_code"] for row in found], [None, "tooManyRows", None, "tooManyRows"]
        )
        self.assertIn("element_limit=", found[1]["error"])
        # More than the default ten million.
        many = rows(
            tessera.layouts(
                "grid", data=pyarrow.table({"n": [11_000_000, 1]}), items="n", columns=[]
            )
        )
        self.assertEqual([row["error_code"] for row in many], ["tooManyRows", None])
        many = tessera.layouts(
            "grid",
            data=pyarrow.table({"n": [11_000_000, 1]}),
            items="n",
            columns=["item"],
            element_limit=12_000_000,
            host={"memory_limit": 4 << 30, "time_limit": 30},
        )
        self.assertEqual([len(row) for row in many.read_all()["item"]], [11_000_000, 1])

    def test_results(self):
        data = pyarrow.table({"id": [7], "h": [[10.0, 20.0]]})
        found = tessera.layouts(
            "table",
            data=data,
            values={"height": "h"},
            float32=True,
            columns=["frame", "alpha", "z_index", "hidden"],
        )
        schema = found.schema
        self.assertEqual(
            schema.names,
            [
                "id",
                "h",
                "frame",
                "alpha",
                "z_index",
                "hidden",
                "content_size",
                "error",
                "error_code",
            ],
        )
        self.assertEqual(schema.field("frame").type.value_type.field("x").type, pyarrow.float32())
        self.assertEqual(schema.field("content_size").type.field("width").type, pyarrow.float64())
        row = found.read_all().to_pylist()[0]
        self.assertEqual(
            {len(row[name]) for name in ("frame", "alpha", "z_index", "hidden")},
            {len(row["frame"])},
        )
        only = tessera.layouts("table", data=data, values={"height": "h"}, columns=[], keep=[])
        self.assertEqual(only.schema.names, ["content_size", "error", "error_code"])
        self.assertEqual(only.read_all().to_pylist()[0]["content_size"]["width"], 375)
        empty = tessera.layouts("table", data=data.slice(0, 0), values={"height": "h"}).read_all()
        self.assertEqual(empty.num_rows, 0)

    def test_frames_of_polars_and_duckdb(self):
        frame = polars.DataFrame({"id": [1, 2], "sizes": [[{"height": 100.0, "width": 40.0}], []]})
        found = polars.DataFrame(
            tessera.layouts("flow", data=frame, values={"size": "sizes"}, bounds=(40, 400))
        )
        self.assertEqual(
            found["frame"].to_list(), [[{"x": 0.0, "y": 0.0, "width": 40.0, "height": 100.0}], []]
        )
        self.assertEqual(
            polars.DataFrame(
                tessera.layouts("flow", values={"size": frame["sizes"]}, bounds=(40, 400))
            )["frame"].to_list(),
            found["frame"].to_list(),
        )
        relation = duckdb.connect().sql("SELECT 1 AS id, [{'height': 100, 'width': 40}] AS sizes")
        stream = tessera.layouts("flow", data=relation, values={"size": "sizes"}, bounds=(40, 400))
        self.assertEqual(
            duckdb.sql("SELECT id, frame[1].width, content_size.height FROM stream").fetchall(),
            [(1, 40.0, 100.0)],
        )
        pandas_frame = pandas.DataFrame({"n": [2, 0]})
        self.assertEqual(
            [row["item"] for row in rows(tessera.layouts("grid", data=pandas_frame, items="n"))],
            [[0, 1], []],
        )


class DuckDB(unittest.TestCase):
    def setUp(self):
        self.connection = duckdb.connect()
        tessera.duckdb.register(self.connection)
        self.connection.execute(
            "CREATE TABLE albums AS SELECT * FROM (VALUES (1, [{'height': 100.0, 'width': 40},"
            " {'height': 100, 'width': 40}], 5), (2, [], 7), (3, NULL, 1), (4, [{'height': -1,"
            " 'width': 30}], 3)) AS album(id, sizes, spacing)"
        )

    def query(self, text):
        return self.connection.sql(text).fetchall()

    def test_the_function(self):
        found = self.query(
            "SELECT id, layout('flow', {bounds: {height: 400, width: 50}, size: sizes,"
            " minimum_line_spacing: spacing}) FROM albums ORDER BY id"
        )
        # By hand: two lines of 100, with the row's spacing between them.
        self.assertEqual([row["frame"]["y"] for row in found[0][1]["elements"]], [0, 105])
        self.assertEqual(
            [one[1]["content_size"] and one[1]["content_size"]["height"] for one in found],
            [205, 0, None, None],
        )
        self.assertEqual(
            [one[1]["error_code"] for one in found], [None, None, "invalidValue", "refusedByEngine"]
        )
        self.assertEqual(
            self.query(
                "SELECT layout(if(id = 1, 'grid', 'mosaic'), {items: id}).content_size.width FROM"
                " albums ORDER BY id"
            ),
            [(375.0,)] * 4,
        )

    def test_engines_of_a_column(self):
        """An unknown or unsuitable engine is an error of its rows."""
        names = "CASE id WHEN 1 THEN 'flow' WHEN 2 THEN 'flwo' WHEN 3 THEN 'mosaic' END"
        found = self.query(
            "SELECT found.error_code, found.error, len(found.elements) FROM (SELECT id,"
            f" layout({names}, {{items: 2, minimumLineSpacing: 3}}) AS found FROM albums) ORDER"
            " BY id"
        )
        self.assertEqual(
            [(row[0], row[2]) for row in found],
            [(None, 2), ("engineNotFound", None), ("invalidValue", None), ("invalidValue", None)],
        )
        self.assertIn("flwo", found[1][1])
        self.assertIn("minimumLineSpacing", found[2][1])
        found = self.query(
            f"SELECT count(element.item), max(element.error_code) FROM albums, layout({names},"
            " {items: 2}) AS element GROUP BY id ORDER BY id"
        )
        self.assertEqual(found, [(2, None), (0, "engineNotFound"), (2, None), (0, "invalidValue")])
        # Also for a whole call, as with a constant.
        self.assertEqual(
            self.query(f"SELECT layout({names}, {{items: 2}}).error_code FROM albums WHERE id = 2"),
            [("engineNotFound",)],
        )
        self.assertEqual(
            self.query("SELECT layout('flwo', {items: id::BIGINT}).error_code FROM albums"),
            [("engineNotFound",)] * 4,
        )
        self.assertEqual(
            self.query(
                "SELECT layout('mosaic', {items: 2, minimumLineSpacing: 3}).error_code FROM albums"
            ),
            [("invalidValue",)] * 4,
        )

    def test_the_table_function(self):
        found = self.query(
            "SELECT id, element.item, element.frame.y, element.error_code FROM albums,"
            " layout('flow', {size: sizes, bounds: {width: 50, height: 400}}) AS element ORDER"
            " BY ALL"
        )
        self.assertEqual(
            found,
            [
                (1, 0, 0.0, None),
                (1, 1, 110.0, None),
                (3, None, None, "invalidValue"),
                (4, None, None, "refusedByEngine"),
            ],
        )

    def test_fields_that_are_null(self):
        """Errors of their rows, even if all rows are null."""
        for fields, error in (
            ("items: NULL", "items is null; give 0 for no items"),
            ("sections: NULL", "sections is null; give an empty array for no sections"),
            ("sections: [1, NULL]", "an entry of sections is null; give 0 for no items"),
            ("size: NULL", "size is null; give an empty array for no items"),
            ("items: 1, item_size: NULL", "item_size is null; give a value for the parameter"),
            ("items: 1, bounds: NULL", "bounds.width is null; give the length of the bounds"),
            (
                "items: 1, bounds: {height: 1, width: NULL}",
                "bounds.width is null; give the length of the bounds",
            ),
        ):
            self.assertEqual(
                self.query(f"SELECT layout('flow', {{{fields}}}).error FROM albums"),
                [(error,)] * 4,
                fields,
            )

    def test_parameters_that_differ_in_each_row(self):
        """Many in one call, of each type, beside invalid ones; the oracle is single layouts."""
        given = (
            "{items: n % 7, item_size: {width: 20 + n % 31, height: 10}, minimumLineSpacing: n / 8,"
            " scroll_direction: if(n % 3 = 0, 'horizontal', 'vertical'), bounds: {width: 100 + n,"
            " height: 90}}"
        )
        # By hand: the invalid rows.
        wrong = "minimumLineSpacing: if(n % 1000 = 1, 'nan'::DOUBLE, n / 8)"
        found = self.query(
            "SELECT n, found.error, found.content_size, found.elements[-1].frame FROM (SELECT n,"
            f" layout('flow', {given.replace('minimumLineSpacing: n / 8', wrong)}) AS found FROM"
            " range(5000) AS numbers(n)) ORDER BY n"
        )
        self.assertEqual(
            [row[0] for row in found if row[1] is not None], [1, 1001, 2001, 3001, 4001]
        )
        self.assertEqual(found[1][1], "minimumLineSpacing is nan; expected finite numbers")
        for n, error, size, frame in found[2::97]:
            if error is None:
                layout = tessera.layout(
                    "flow",
                    n % 7,
                    item_size=(20 + n % 31, 10),
                    minimum_line_spacing=n / 8,
                    scroll_direction="vertical" if n % 3 else "horizontal",
                    bounds=(100 + n, 90),
                )
                self.assertEqual(
                    (tuple(size.values()), frame and corners(frame)),
                    (layout.content_size, tuple(layout.frames[-1]) if n % 7 else None),
                    n,
                )

    def test_several_threads_of_a_query(self):
        """DuckDB gives each thread some 122,880 rows: each uses its own worker."""
        self.connection.execute("SET threads = 4")
        found = self.query(
            "SELECT n, found.content_size.height, count(*) FROM (SELECT i % 5 AS n, layout('table',"
            " {height: list_resize([10], i % 5, 10)}) AS found FROM range(260000) AS numbers(i))"
            " GROUP BY ALL ORDER BY ALL"
        )
        # By hand: a header of 28, and rows of 10.
        self.assertEqual(found, [(n, 28.0 + 10 * n, 52000) for n in range(5)])
        self.assertLessEqual(len(workers()), 4)

    def test_registering(self):
        tessera.duckdb.register(self.connection)
        tessera.duckdb.register(self.connection, "two words", columns=["item"])
        self.assertEqual(
            self.query("SELECT item FROM \"two words\"('grid', {items: 2})"), [(0,), (1,)]
        )
        # Content sizes only.
        tessera.duckdb.register(self.connection, columns=[])
        self.assertEqual(
            self.query("SELECT content_size.width, error FROM layout('grid', {items: 2})"),
            [(375, None)],
        )
        self.assertEqual(
            self.query("SELECT layout(NULL, {items: 2}).error"),
            [("the engine is null; give its name",)],
        )
        for columns, words in (
            ("item", "columns is 'item'"),
            (["item", "item"], "'item' twice"),
            (["text"], "no column 'text'"),
        ):
            with self.assertRaisesRegex(tessera.InvalidError, words):
                tessera.duckdb.register(self.connection, columns=columns)
        with self.assertRaisesRegex(tessera.InvalidError, "give a connection of DuckDB"):
            tessera.duckdb.register(None)

    def test_mistakes(self):
        for text, words in (
            (
                "SELECT layout('flow', {size: sizes}, 3) FROM albums",
                "layout has 3 arguments; give the engine, and a struct",
            ),
            (
                "SELECT layout('flow', {items: 1, minimum_line_spacing: 1, minimumLineSpacing: 2})",
                "which are the same; give one",
            ),
            (
                "SELECT layout('flow', {items: 1, item_size: {width: 1, depth: 2}})",
                "has the fields width, depth",
            ),
            ("SELECT layout('flow', {siz: sizes}) FROM albums", 'did you mean "size"'),
            ("SELECT layout('flow', sizes) FROM albums", "a struct of values and parameters"),
            (
                "SELECT layout('flow', {size: 3}) FROM albums",
                "give an array with a value for each item",
            ),
            ("SELECT layout('flow', {items: '3'})", "items is of string; give whole numbers"),
            ("SELECT layout('flow', {items: true})", "items is of bool; give whole numbers"),
            ("SELECT layout('flow', {sections: 3})", "sections is of int32; give an array"),
            ("SELECT layout('flow', {sections: [3], items: 3})", "items and sections are given"),
            (
                "SELECT layout('flow', {items: 3, bounds: {width: '1', height: 1}})",
                "bounds.width is of string; give numbers",
            ),
            (
                "SELECT layout('flow', {items: 3, bounds: {width: 1, depth: 1}})",
                "give a struct of width and height",
            ),
        ):
            with self.assertRaisesRegex(duckdb.Error, words):
                self.query(text)


if __name__ == "__main__":
    unittest.main(argv=["bulk.py", "-q"])
