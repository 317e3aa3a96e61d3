"""The Python package. Skips and names parts with missing packages.

Environment: TESSERA_LIBRARY and TESSERA_PATH, unless the package has its own; TESSERA_COMMAND, the
command as oracle, with the engines of TESSERA_ENGINES. Folders: TESSERA_FAILING with the engine of
Tests/Fixtures/library/crashing.c; TESSERA_PARTS with parts.c and strips.c of
Tests/Fixtures/engines; TESSERA_REPLACED with reloaded.so and renamed.so, two versions of
reloaded.c;
TESSERA_PICTURES with pictures. TESSERA_PAGES is Documentation of this extra.
Extras/Python/test sets them all.
"""

import array
import asyncio
import copy
import ctypes
import datetime
import decimal
import doctest
import gc
import importlib.util
import io
import json
import os
import pathlib
import pickle
import pydoc
import select
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import xml.etree.ElementTree

import tessera_layout as tessera

COMMAND = os.environ.get("TESSERA_COMMAND")


def needs(*modules):
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    return unittest.skipIf(
        missing, f"there is no {', '.join(missing)}; Extras/Python/setup installs it"
    )


def receive_ctrl_c():
    """Restores SIGINT, which a parent may block or ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])


def rows(frames):
    return [tuple(frame) for frame in frames]


def plain(value):
    """A column's value from any reader: texts, numbers, and lists of numbers."""
    value = value.tolist() if hasattr(value, "tolist") else value
    return list(value) if isinstance(value, (tuple, list)) else value


def read_by_duckdb(layout):
    import duckdb

    found = duckdb.sql("select * from layout")
    return dict(zip(found.columns, zip(*found.fetchall())))


def read_by_nanoarrow(layout):
    import nanoarrow

    columns = nanoarrow.Array(layout).iter_children()
    return {name: list(column.iter_py()) for name, column in zip(layout.elements.columns, columns)}


def read_by_pandas(layout):
    import pandas

    table = (
        pandas.DataFrame.from_arrow(layout)
        if hasattr(pandas.DataFrame, "from_arrow")
        else layout.to_arrow().to_pandas()
    )
    return {
        name: (
            [None if value is pandas.NA or value != value else value for value in column]
            if name == "kind"
            else column
        )
        for name, column in table.items()
    }


def read_by_polars(layout):
    import polars

    return polars.DataFrame(layout).to_dict(as_series=False)


#: Every column of a layout, as another package reads it, by the package's name.
READERS = {
    "duckdb": read_by_duckdb,
    "nanoarrow": read_by_nanoarrow,
    "pandas": read_by_pandas,
    "polars": read_by_polars,
    "pyarrow": lambda layout: layout.to_arrow().to_pydict(),
}


class Grid(unittest.TestCase):
    """By hand, from the README of grid: cells of 50, 10 apart, two to a line of 130."""

    FRAMES = [(0, 0, 50, 50), (60, 0, 50, 50), (0, 60, 50, 50)]

    def test_frames(self):
        layout = tessera.layout("grid", 3, bounds=(130, 100))
        self.assertEqual(rows(layout.frames), self.FRAMES)
        self.assertEqual(layout.frames.shape, (3, 4))
        self.assertEqual(layout.content_size, (130, 110))
        self.assertEqual(len(layout), 3)
        self.assertEqual(layout[2], tessera.Element("cell", None, 0, 2, 0, 60, 50, 50))
        self.assertEqual(layout[-1], layout[2])
        self.assertEqual(list(layout), [layout[place] for place in range(3)])
        self.assertEqual(list(layout["item"]), [0, 1, 2])
        self.assertRaises(KeyError, lambda: layout["heigth"])
        self.assertRaises(IndexError, lambda: layout[3])

    def test_rect(self):
        layout = tessera.layout("grid", 3, bounds=(130, 100))
        self.assertEqual(
            rows(layout.in_rect(0, 0, 10, 100).frames), [self.FRAMES[0], self.FRAMES[2]]
        )
        self.assertEqual(rows(layout.in_rect(0, 500, 10, 100).frames), [])
        self.assertEqual(
            rows(layout.drawn_in(0, 0, 10, 100, 500).frames), [self.FRAMES[0], self.FRAMES[2]]
        )
        with self.assertRaisesRegex(tessera.InvalidError, "the reach is -1.0; give a distance"):
            layout.drawn_in(0, 0, 10, 100, -1)
        layout.offset = (0, 55)
        self.assertEqual(rows(layout.visible.frames), [self.FRAMES[2]])

    def test_results_are_snapshots(self):
        layout = tessera.layout("grid", 3, bounds=(130, 100))
        frames, elements = layout.frames, layout.elements
        layout.set(spacing=20)
        self.assertEqual(rows(layout.frames)[1], (70, 0, 50, 50))
        layout.close()
        del layout
        gc.collect()
        self.assertEqual(rows(frames), self.FRAMES)
        self.assertEqual(rows(elements.frames), self.FRAMES)
        with self.assertRaises((TypeError, ValueError)):
            frames[0][0] = 7

    def test_sections(self):
        for given in ({"sections": [2, 0, 1]}, {"offsets": [0, 2, 2, 3]}):
            self.assertEqual(tessera.layout("grid", **given).sections, [2, 0, 1])
        self.assertEqual(tessera.layout("grid", groups=["a", "a", "b"]).sections, [2, 1])
        self.assertEqual(tessera.layout("grid").sections, [0])
        with self.assertRaisesRegex(tessera.InvalidError, "items and sections are given; give one"):
            tessera.layout("grid", 3, sections=[3])
        with self.assertRaisesRegex(tessera.InvalidError, "-1; give numbers of 0 or more"):
            tessera.layout("grid", offsets=[0, 2, 1])

    def test_spellings(self):
        for name in ("item_size", "itemSize"):
            layout = tessera.layout("grid", 1, **{name: (20, 30)})
            self.assertEqual(rows(layout.frames), [(0, 0, 20, 30)])
        layout.set(item_size=None)
        self.assertEqual(rows(layout.frames), [(0, 0, 50, 50)])
        with self.assertRaisesRegex(
            tessera.InvalidError, 'no parameter "item_sise"; did you mean "item_size"\\?'
        ):
            tessera.layout("grid", 1, item_sise=(20, 30))
        with self.assertRaisesRegex(tessera.InvalidError, 'did you mean "itemSize"'):
            tessera.layout("grid", 1, itemSise=(20, 30))
        with self.assertRaisesRegex(tessera.InvalidError, "item_size is 'wide'; give 2 numbers"):
            tessera.layout("grid", 1, item_size="wide")
        with self.assertRaisesRegex(tessera.InvalidError, "itemSize"):
            tessera.layout("grid", 1, item_size=-1)

    def test_errors(self):
        with self.assertRaisesRegex(tessera.NotFoundError, 'no engine "nowhere"') as raised:
            tessera.layout("nowhere", 1)
        self.assertIsInstance(raised.exception, LookupError)
        self.assertEqual((raised.exception.status, raised.exception.code), (66, "engineNotFound"))
        with tessera.layout("grid", 1) as layout:
            pass
        with self.assertRaisesRegex(tessera.MisusedError, "closed"):
            layout.frames
        self.assertIn("closed", repr(layout))
        with self.assertRaisesRegex(tessera.InvalidError, "'none'"):
            tessera.Host(isolation="all")

    def test_batches(self):
        batch = tessera.layouts("grid", [3, 0, 2], bounds=[(110, 100), (50, 100), (200, 100)])
        self.assertEqual(batch.ends, [3, 3, 5])
        self.assertEqual(rows(batch[0]), [(0, 0, 50, 50), (60, 0, 50, 50), (0, 60, 50, 50)])
        self.assertEqual(rows(batch[1]), [])
        self.assertEqual(rows(batch[-1]), [(0, 0, 50, 50), (60, 0, 50, 50)])
        self.assertEqual((len(batch), batch.errors), (3, {}))

    def test_updates(self):
        layout = tessera.layout("grid", ids="abcd", bounds=(130, 100))
        update = layout.update("dace")
        fates = sorted(track.fate for track in update)
        self.assertEqual(fates, ["appears", "disappears", "stays", "stays", "stays"])
        self.assertEqual((update.tracks[0].before.item, update.tracks[0].after.item), (3, 0))
        # Half of the way from (60, 60) to (0, 0).
        self.assertEqual(update.at(0.5)[0][4:6], (30, 30))
        with self.assertRaisesRegex(tessera.InvalidError, '"a"'):
            layout.update("aace")
        self.assertEqual(layout.sections, [4])
        again = layout.update("ec")
        self.assertEqual(len(layout), 2)
        self.assertEqual(len(again), 4)
        with self.assertRaisesRegex(tessera.MisusedError, "again"):
            update.at(0.5)
        edited = tessera.layout("grid", 2).update(
            edits=[tessera.delete(0, 0), tessera.insert(0, 1)], items=2
        )
        self.assertEqual(sorted(track.fate for track in edited), ["appears", "disappears", "stays"])
        with self.assertRaisesRegex(tessera.InvalidError, "either ids or edits"):
            layout.update()
        named = layout.update("cef")
        for progress in (0, 0.5, 1):
            found = [
                track.before if track.fate == "disappears" else track.after
                for track in named.tracks_at(progress)
            ]
            self.assertEqual([one[:4] for one in named.at(progress)], [one[:4] for one in found])

    def test_transitions(self):
        layout = tessera.layout("grid", 4, bounds=(130, 100))
        before = layout.moment()
        layout.set(bounds=(250, 100))
        change = layout.transition(before)
        self.assertEqual([track.fate for track in change], ["stays"] * 4)
        # The third item moves from (0, 60) to (120, 0).
        self.assertEqual(change.at(0.5)[2][4:6], (60, 30))
        halfway = change.moment(0.5)
        rows = tessera.layout("table", 3, bounds=(130, 100))
        self.assertEqual(rows.transition(halfway).at(0)[2][4:6], (60, 30))
        layout.set(bounds=(130, 100))
        back = layout.transition(halfway)
        self.assertEqual((back.at(0)[2][4:6], back.at(1)[2][4:6]), ((60, 30), (0, 60)))
        with self.assertRaisesRegex(tessera.MisusedError, "again"):
            change.moment(0.5)
        with self.assertRaisesRegex(tessera.InvalidError, "is not possible; give what moment"):
            layout.transition(rows)
        with self.assertRaisesRegex(tessera.InvalidError, "progress"):
            back.moment("x")
        self.assertRaises(TypeError, copy.copy, halfway)

    def test_dragging(self):
        layout = tessera.layout("grid", ids="abcd", bounds=(130, 100), labels=[1, 2, 3, 4])
        self.assertIsNone(layout.held_element)
        with self.assertRaisesRegex(tessera.InvalidError, "no item is held"):
            layout.drag_to(0, 0)
        layout.begin_drag(0, 0)
        self.assertEqual(layout.drag_to(90, 85), (0, 3))
        self.assertEqual(layout.held_element[4:8], (65, 60, 50, 50))
        self.assertEqual(layout.end_drag(), tessera.move((0, 0), (0, 3)))
        # The ids have moved with the item.
        self.assertEqual([track.fate for track in layout.update("bcda")], ["stays"] * 4)
        self.assertTrue(
            all(track.before.item == track.after.item for track in layout.update("bcda"))
        )
        layout.begin_drag(0, 1)
        layout.drag_to(25, 25)
        layout.cancel_drag()
        self.assertTrue(
            all(track.before.item == track.after.item for track in layout.update("bcda"))
        )
        layout.begin_drag(0, 1)
        self.assertIsNone(layout.end_drag())
        sections = tessera.layout(
            "table", sections=[1, 1], bounds=(100, 300), section_header_height=0
        )
        sections.begin_drag(0, 0)
        self.assertEqual((sections.drag_to(50, 80)[0], sections.sections), (1, [0, 2]))

    def test_preparing(self):
        async def prepare():
            layout = tessera.layout("flow", 1000, bounds=(130, 100))
            await layout.prepare()
            height = layout.content_size[1]
            layout.set(item_size=(50, 20))
            for ends in (lambda: None, layout.close):
                running = asyncio.create_task(layout.prepare())
                await asyncio.sleep(0)
                with self.assertRaisesRegex(tessera.MisusedError, "is being prepared"):
                    layout.content_size
                ends()
                (outcome,) = await asyncio.wait_for(
                    asyncio.gather(running, return_exceptions=True), 20
                )
                yielded.append(outcome or layout.content_size[1] < height)

        yielded = []
        asyncio.run(prepare())
        self.assertIs(yielded[0], True)
        self.assertRegex(str(yielded[1]), "is closed")

    def test_watching(self):
        before = Failures.children()
        layout = tessera.layout("grid", 4)
        size = layout.content_size
        descriptor, events = layout.watch()
        self.assertEqual(
            (len(layout), events, select.select([descriptor], [], [], 0)[0]), (4, set(), [])
        )
        (worker,) = Failures.children() - before
        os.kill(int(worker), 9)
        self.assertEqual(select.select([descriptor], [], [], 5)[0], [descriptor])
        self.assertEqual(layout.watch(), (descriptor, {"ended"}))
        self.assertEqual((layout.content_size, layout.watch()[1]), (size, set()))
        with self.assertRaisesRegex(tessera.InvalidError, "0.001"):
            layout.set(time_limit=0)
        layout.set(time_limit=1)


class Values(unittest.TestCase):
    """By hand, from the README of table: rows by height, one below the other."""

    COLUMNS = [
        [10, 20.0, True],
        array.array("d", [10, 20, 1]),
        memoryview(array.array("d", [10, 20, 1])),
    ]

    def heights(self, values):
        layout = tessera.layout("table", values=values)
        return [element.height for element in layout if element.category == "cell"]

    def test_columns(self):
        for column in self.COLUMNS:
            self.assertEqual(self.heights({"height": column}), [10, 20, 1])
        self.assertEqual(self.heights({"height": []}), [])
        layout = tessera.layout("table", 2, values={"height": 30})
        self.assertEqual(
            [element.height for element in layout if element.category == "cell"], [30, 30]
        )
        sizes = tessera.layout("flow", values={"size": [(10, 20), (30, 40)]})
        self.assertEqual([tuple(frame)[2:] for frame in sizes.frames], [(10, 20), (30, 40)])
        self.assertEqual(rows(tessera.layout("flow", values={"size": []}).frames), [])
        sizes = tessera.layout("flow", 2, values={"size": (10, 20)})
        self.assertEqual([tuple(frame)[2:] for frame in sizes.frames], [(10, 20), (10, 20)])
        insets = tessera.layout(
            "flow", sections=[1, 1], section_values={"section_inset": [(0, 5, 0, 0), (0, 9, 0, 0)]}
        )
        self.assertEqual([frame[0] for frame in insets.frames], [5, 9])

    def test_errors(self):
        for values, sentence in (
            ({"heigth": [1]}, 'no item value "heigth"; did you mean "height"'),
            ({"height": [1, 2]}, "height has 2 values for 3 items"),
            ({"height": ["a", "b", "c"]}, "height is not a column of numbers"),
            ({"height": object()}, "give one value for all, or a column"),
        ):
            with self.assertRaisesRegex(tessera.InvalidError, sentence):
                tessera.layout("table", 3, values=values)
        with self.assertRaisesRegex(tessera.InvalidError, "width, height|size"):
            tessera.layout("flow", values={"size": [1, 2]})

    @needs("numpy")
    def test_numpy(self):
        import numpy

        for column in (
            numpy.array([10, 20, 1], dtype=numpy.int32),
            numpy.array([10, 0, 20, 0, 1, 0], dtype=numpy.float64)[::2],
            numpy.array([10, 20, 1], dtype=numpy.float32),
        ):
            self.assertEqual(self.heights({"height": column}), [10, 20, 1])
        frames = tessera.layout("grid", 3, bounds=(130, 100)).frames
        self.assertEqual((frames.dtype, frames.shape), (numpy.float64, (3, 4)))
        self.assertFalse(frames.flags.owndata or frames.flags.writeable)

    @needs("pyarrow", "numpy")
    def test_arrow(self):
        import pyarrow

        for column in (
            pyarrow.array([10, 20, 1]),
            pyarrow.array([7, 10, 20, 1, 7], pyarrow.float32())[1:4],
            pyarrow.chunked_array([[10.0], [20.0, 1.0]]),
        ):
            self.assertEqual(self.heights({"height": column}), [10, 20, 1])
        sizes = pyarrow.array([[10, 20], [30, 40]], pyarrow.list_(pyarrow.float64(), 2))
        layout = tessera.layout("flow", 2, values={"size": sizes})
        self.assertEqual([tuple(frame)[2:] for frame in layout.frames], [(10, 20), (30, 40)])
        with self.assertRaisesRegex(tessera.InvalidError, "height at index 1 is null"):
            self.heights({"height": pyarrow.array([10, None, 1])})


@unittest.skipUnless("TESSERA_PARTS" in os.environ, "TESSERA_PARTS is not set")
class Lists(unittest.TestCase):
    """By hand, from strips.c: a strip is as long as its record and all its ancestors, 10 by
    default; 1 without records.
    """

    def setUp(self):
        self.host = tessera.Host(os.environ["TESSERA_PARTS"])

    def strips(self, records, items=4):
        with self.host.layout("strips", items, lists={"strips": records}) as layout:
            return [(element.height, colour) for element, colour in zip(layout, layout["colour"])]

    def test_records(self):
        self.assertEqual(self.strips([], 1), [(1, "red")])
        self.assertEqual(self.strips(None, 1), [(1, "red")])
        nested = [
            {"length": 5, "children": [{"colour": "green", "children": [{"length": 2}]}]},
            {"colour": "red"},
        ]
        expected = [(5, "blue"), (15, "green"), (17, "blue"), (10, "red")]
        self.assertEqual(self.strips(nested), expected)
        flat = [
            {"length": 5},
            {"colour": "green", "parent": 0},
            {"length": 2, "parent": 1},
            {"colour": "red", "parent": -1},
        ]
        self.assertEqual(self.strips(flat), expected)

    def test_columns(self):
        columns = {
            "length": array.array("d", [5, 10]),
            "colour": ["red", "green"],
            "parent": [-1, 0],
        }
        self.assertEqual(self.strips(columns), [(5, "red"), (15, "green")] * 2)
        self.assertEqual(
            self.strips({"length": [5, 10], "colour": "red"}, 2), [(5, "red"), (10, "red")]
        )

    def test_changes(self):
        layout = self.host.layout("strips", 1)
        self.assertEqual(layout.frames[0][3], 1)
        layout.set_lists(strips=[{"length": 3}])
        self.assertEqual(layout.frames[0][3], 3)
        layout.set_lists({"strips": None})
        self.assertEqual(layout.frames[0][3], 1)

    def test_descriptions(self):
        strips = self.host.engine("strips")
        self.assertEqual(list(strips.lists), ["strips"])
        self.assertEqual(list(strips.lists["strips"]), ["length", "colour", "parent"])
        length = strips.lists["strips"]["length"]
        self.assertEqual(
            (length.initial, length.minimum, length.maximum, length.unit), (10, (0,), (1000,), "pt")
        )
        self.assertIn("Records of strips, in lists=", strips.__doc__)

    def test_errors(self):
        for lists, sentence in (
            ({"stripes": []}, 'has no list "stripes"; did you mean "strips"'),
            (
                {"strips": [{"lenght": 1}]},
                'has no column of strips "lenght"; did you mean "length"',
            ),
            ({"strips": [3]}, "record 0 of strips is 3; give a mapping"),
            (
                {"strips": [{"length": -1}]},
                "length of record 0 of strips is -1; expected 0 to 1000",
            ),
            ({"strips": [{"colour": "pink"}]}, '"pink"; expected red, green, blue'),
            ({"strips": {"length": [1, 2], "parent": [1]}}, "have 1 and 2 values"),
            ({"strips": {"length": 1}}, "have no values"),
            ({"strips": [{"children": [{}]}, {"parent": 0}]}, "in one of the two ways"),
        ):
            with self.assertRaisesRegex(tessera.InvalidError, sentence):
                self.host.layout("strips", 1, lists=lists)


class Callbacks(unittest.TestCase):
    def test_delegates(self):
        asked = []

        def mode(section, item):
            asked.append((section, item))
            return item % 2

        layout = tessera.layout("aspect-flow", 3, delegates={"layout_mode_for_item": mode})
        self.assertEqual(layout["layoutMode"], ["aspectFit", "aspectFill", "aspectFit"])
        self.assertEqual(sorted(set(asked)), [(0, 0), (0, 1), (0, 2)])

        def fails(section, item):
            raise KeyError("mine")

        layout.set_delegate("layoutModeForItem", fails)
        with self.assertRaisesRegex(KeyError, "mine"):
            layout.frames
        layout.set_delegate("layoutModeForItem", None)
        self.assertEqual(layout["layoutMode"], ["aspectFit"] * 3)

        def enters(section, item):
            return layout.content_size

        layout.set_delegate("layoutModeForItem", enters)
        with self.assertRaisesRegex(tessera.MisusedError, "callback"):
            layout.frames

    def test_measure_in_a_batch(self):
        def measure(section, item, room):
            number, first = layout.batch_part
            self.assertEqual((number, first), [(0, 0), (0, 0), (1, 2), (2, 3)][first + section])
            return 30, 40 + 10 * (first + section)

        layout = tessera.layout(
            "flow", sections=[1] * 4, estimated_item_size=(50, 50), measure=measure
        )
        self.assertIsNone(layout.batch_part)
        batch = layout.batch([2, 1, 1])
        self.assertEqual(batch.errors, {})
        self.assertEqual(
            [element.height for element in batch.elements if element.category == "cell"],
            [40, 50, 60, 70],
        )
        self.assertIsNone(layout.batch_part)

    def test_sizes_that_are_given(self):
        asked = []
        layout = tessera.layout(
            "table", 3, bounds=(100, 200), section_header_height=0, estimated_row_height=44
        )
        self.assertEqual(layout.proposed_size(0, 0), (100, 0))
        layout.set_measured(0, 1, [(100, 20), (100, 30)])
        self.assertEqual(layout.content_size, (100, 94))
        layout.withdraw_measured(0, 2)
        self.assertEqual(layout.content_size, (100, 108))
        layout.set_measure(lambda section, item, room: asked.append(item) or (100, 10))
        self.assertEqual(
            (layout.frames[-1][3], layout.content_size, asked), (0.5, (100, 30), [0, 1, 2])
        )
        layout.withdraw_measured(0, 1)
        self.assertEqual((len(layout), asked), (5, [0, 1, 2, 1]))
        layout.set(section_header_height=28, estimated_section_header_height=10)
        layout.set_measured(0, 0, [(100, 7)], kind="header")
        self.assertEqual(layout.content_size, (100, 37))
        with self.assertRaisesRegex(tessera.InvalidError, "width and height"):
            layout.set_measured(0, 0, [(1, 2, 3)])
        with self.assertRaisesRegex(tessera.InvalidError, "does not size"):
            tessera.layout("grid", 3).proposed_size(0, 0)

    def test_progress(self):
        seen = []
        layout = tessera.layout("flow", 200000, progress=seen.append)
        self.assertEqual(len(layout), 200000)
        self.assertTrue(all(0 <= fraction <= 1 for fraction in seen))
        if seen:
            layout.set_progress(lambda fraction: False)
            layout.set(bounds=(300, 300))
            self.assertRaises(tessera.CancelledError, lambda: layout.frames)

    def test_published_functions(self):
        layout = tessera.layout("cover-flow", 5)
        self.assertEqual(len(layout.call("resting_offset", 10, 0)), 2)
        self.assertEqual(len(layout.resting_offset(10, 0)), 2)
        with self.assertRaisesRegex(tessera.InvalidError, "did you mean"):
            layout.call("resting_ofset", 10, 0)

    def test_ctrl_c_ends_the_query(self):
        """Python raises KeyboardInterrupt at the start of a callback, even from C."""
        program = """
import sys, tessera_layout as tessera
def called(*_):
    if len(calls) < 9: calls.append(print("called", flush=True))
    return answer
for name, answer, engine, arguments in (
    ("delegates", 0, "aspect-flow", lambda: {"delegates": {"layout_mode_for_item": called}}),
    ("measure", (9, 9), "flow", lambda: {"measure": called, "estimated_item_size": (9, 9)}),
    ("progress", True, "mosaic", lambda: {"progress": called}),
):
    calls, count = [], 2_000_000 if name == "progress" else 200_000
    layout = tessera.layout(engine, count, **arguments())
    try:
        while True:
            layout.set(bounds=(layout.bounds[0] + 1, 400))
            len(layout.elements)
    except KeyboardInterrupt:
        print("ended", flush=True)
"""
        run = subprocess.Popen(
            [sys.executable, "-c", program],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=receive_ctrl_c,
        )
        timer = threading.Timer(60, run.kill)
        timer.start()
        self.addCleanup(timer.cancel)
        for _ in range(3):
            self.assertEqual(run.stdout.readline(), "called\n")
            run.send_signal(signal.SIGINT)
            while run.stdout.readline() == "called\n":
                pass
        self.assertEqual((run.communicate(timeout=30)[1], run.returncode), ("", 0))


class Engines(unittest.TestCase):
    def test_descriptions(self):
        engine = tessera.engine("flow")
        self.assertEqual(engine.id, "org.tessera.flow")
        self.assertEqual(engine.parameters["itemSize"].keyword, "item_size")
        self.assertIn("minimum_line_spacing", engine.__signature__.parameters)
        shown = pydoc.render_doc(engine, renderer=pydoc.plaintext)
        for part in (
            engine.summary,
            "item_size: size, pt, 0 or more, default",
            "section_inset",
            "header: supplementary",
        ):
            self.assertIn(part, shown)
        self.assertEqual(len(engine(3)), 3)
        self.assertIn("org.tessera.grid", [engine.id for engine in tessera.engines()])
        derived = tessera.engine("cover-flow")
        self.assertEqual(derived.base, "org.tessera.flow")
        self.assertEqual(derived.parameters["itemSize"].initial, (180, 180))
        self.assertEqual(
            tessera.engine("flow").parameters["scrollDirection"].choices, ("vertical", "horizontal")
        )

    @unittest.skipIf(COMMAND is None, "TESSERA_COMMAND is not set")
    def test_results_are_those_of_the_command(self):
        for engine in tessera.engines():
            for sections, bounds in ([25], (375, 667)), ([3, 0, 11], (500, 300)):
                with self.subTest(engine=engine.id, sections=sections):
                    self.compare(engine, sections, bounds)

    def compare(self, engine, sections, bounds):
        answer = subprocess.run(
            [
                COMMAND,
                "layout",
                engine.id,
                "--sections",
                ",".join(map(str, sections)),
                "--bounds",
                f"{bounds[0]}x{bounds[1]}",
                "--format",
                "json",
            ]
            + ["--engines", os.environ["TESSERA_ENGINES"]],
            stdout=subprocess.PIPE,
            check=True,
        ).stdout
        expected = json.loads(answer)
        layout = engine(sections=sections, bounds=bounds)
        self.assertEqual(list(layout.content_size), expected["contentSize"])
        found = list(layout)
        self.assertEqual(len(found), len(expected["elements"]))
        transforms = layout.elements.transforms
        for place, (element, other) in enumerate(zip(found, expected["elements"])):
            self.assertEqual(
                (element.category, element.kind, element.section, element.item, list(element[4:8])),
                (
                    other["category"],
                    other.get("kind"),
                    other["section"],
                    other["item"],
                    other["frame"],
                ),
            )
            self.assertEqual(element.alpha, other.get("alpha", 1))
            self.assertEqual(element.z_index, other.get("zIndex", 0))
            self.assertEqual(element.hidden, other.get("hidden", False))
            identity = [float(number % 5 == 0) for number in range(16)]
            matrix = identity if transforms is None else list(transforms[place])
            self.assertEqual(matrix, other.get("transform3D", identity))
            for name, value in other.get("attributes", {}).items():
                column = layout[name][place]
                column = (
                    column
                    if isinstance(column, (str, bool))
                    else column.tolist() if hasattr(column, "tolist") else column
                )
                self.assertEqual(list(column) if isinstance(value, list) else column, value)
        own = {name: [plain(value) for value in layout[name]] for name in layout.elements.columns}
        for name, read in READERS.items():
            if importlib.util.find_spec(name):
                table = read(layout)
                self.assertEqual(set(table), set(own), name)
                for column, values in table.items():
                    self.assertEqual(
                        [plain(value) for value in values], own[column], f"{column} in {name}"
                    )

    def test_threads(self):
        layout, wrong = tessera.layout("grid", 1000, bounds=(130, 100)), []

        def work():
            for step in range(30):
                mine = tessera.layout("grid", 3, bounds=(130, 100))
                if (
                    rows(mine.frames) != Grid.FRAMES
                    or len(layout.in_rect(0, 60 * step, 130, 50)) != 2
                ):
                    wrong.append(step)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    @unittest.skipIf("TESSERA_FAILING" not in os.environ, "TESSERA_FAILING is not set")
    def test_a_layout_survives_its_engine(self):
        host = tessera.Host(os.environ["TESSERA_FAILING"], time_limit=0.3)
        layout = host.layout("crashing", 1, trap=True)
        with self.assertRaisesRegex(tessera.DiedError, "crash") as raised:
            layout.content_size
        self.assertEqual((raised.exception.status, raised.exception.code), (70, "crashed"))
        layout.set(trap=False)
        self.assertEqual(layout.content_size, (1, 2))
        layout.set(hang=True)
        self.assertRaises(tessera.DiedError, lambda: layout.content_size)
        layout.set(hang=False)
        self.assertEqual(layout.content_size, (1, 2))
        self.assertEqual(host.refusals()[0].status, 76)


@unittest.skipIf("TESSERA_PARTS" not in os.environ, "TESSERA_PARTS is not set")
class Failures(unittest.TestCase):
    """An engine that crashes, hangs, lies, refuses or exits for some item counts, and stacks items
    otherwise.
    """

    FAILURES = {
        13: (tessera.DiedError, "SIGABRT"),
        14: (tessera.DiedError, "did not return from prepare"),
        15: (tessera.DiedError, "cell 7 of section"),
        16: (tessera.RefusedError, "give another number"),
        17: (tessera.DiedError, "exit status 3"),
    }
    COUNTS = [4, 13, 2, 14, 15, 0, 16, 6, 17, 3]

    def setUp(self):
        self.before = self.children()
        self.host = tessera.Host(os.environ["TESSERA_PARTS"], time_limit=0.5, refusal_time=0)

    def tearDown(self):
        """No worker remains."""
        del self.host
        gc.collect()
        self.assertEqual(self.children() - self.before, set())

    @staticmethod
    def children():
        """Child processes, including zombies."""
        found = set()
        for task in os.listdir("/proc/self/task"):
            with open(f"/proc/self/task/{task}/children") as file:
                found.update(file.read().split())
        return found

    def check(self, count, frames):
        self.assertEqual(
            [frame[3] for frame in frames], [float(count + item) for item in range(count)]
        )

    def test_batch(self):
        lengths = [float(count + item) for count in self.COUNTS for item in range(count)]
        layout = self.host.layout(
            "parts", sections=self.COUNTS, values={"length": lengths}, bounds=(100, 100)
        )
        for _ in range(2):
            batch = layout.batch()
            self.assertEqual([self.COUNTS[place] for place in batch.errors], [13, 14, 15, 16, 17])
            for place, count in enumerate(self.COUNTS):
                if count in self.FAILURES:
                    kind, words = self.FAILURES[count]
                    self.assertIs(type(batch.errors[place]), kind)
                    with self.assertRaisesRegex(kind, words):
                        batch[place]
                else:
                    self.check(count, batch[place])
        layout.close()

    def test_refusal(self):
        """A library with a different checksum, so crashes don't count for other tests."""
        with tempfile.TemporaryDirectory() as folder:
            for file in pathlib.Path(os.environ["TESSERA_PARTS"]).glob("*parts*.so"):
                pathlib.Path(folder, file.name).write_bytes(file.read_bytes() + os.urandom(8))
            host = tessera.Host(folder, refusal_time=7)
            layout = host.layout("parts", 13, values={"length": [1.0] * 13})
            for _ in range(3):
                self.assertEqual(layout.refusal_time, 0)
                with self.assertRaisesRegex(tessera.DiedError, "SIGABRT"):
                    layout.content_size
            with self.assertRaisesRegex(tessera.DiedError, "refused for another") as caught:
                layout.content_size
            self.assertEqual(caught.exception.code, "crashedRepeatedly")
            self.assertIn(layout.refusal_time, range(1, 8))
            self.assertIn(host.refusals()[-1].seconds, range(1, 8))
            layout.close()


class Forks(unittest.TestCase):
    """A process forked during another thread's layout gets an error at once, has its own layouts,
    and ends.
    """

    PROGRAM = """
import os, signal, sys, threading
import tessera_layout as tessera

begun, may_end = threading.Event(), threading.Event()

def measure(section, item, room):
    begun.set()
    may_end.wait()
    return 30, 40

host = tessera.Host()
layout = host.layout("flow", 2, estimated_item_size=(50, 50), measure=measure)
found = []
thread = threading.Thread(target=lambda: found.append([element.height for element in layout]))
thread.start()
begun.wait()

def be_child():
    signal.alarm(30)
    for refused in (
        lambda: layout.frames,
        lambda: layout.set(bounds=(1, 1)),
        lambda: layout.batch(),
        lambda: host.engines(),
    ):
        try:
            refused()
        except tessera.RefusedError as error:
            assert error.code == "forkedSession", error.code
            assert "the process that this one was forked from" in str(error), error
        else:
            raise AssertionError("a layout of another process was used")
    layout.close()
    assert len(tessera.layout("flow", 3).frames) == 3

tessera.layout("flow", 1).frames
child = os.fork()
if child == 0:
    be_child()
    sys.exit(0)
status = os.waitpid(child, 0)[1]
may_end.set()
thread.join()
assert found == [[40, 40]], found
sys.exit(status != 0)
"""

    def test_fork_in_a_call(self):
        run = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", self.PROGRAM],
            timeout=60,
            capture_output=True,
            text=True,
        )
        self.assertEqual((run.returncode, run.stderr), (0, ""))


class Replaced(unittest.TestCase):
    def test_last_reload(self):
        with tempfile.TemporaryDirectory() as folder:
            library = os.path.join(folder, "reloaded.so")

            def put(bytes):
                with open(library + ".new", "wb") as file:
                    file.write(bytes)
                os.replace(library + ".new", library)

            put(pathlib.Path(os.environ["TESSERA_REPLACED"], "reloaded.so").read_bytes())
            layout = tessera.layout(library, 3, row_height=7)
            self.assertEqual((layout.content_size[1], layout.last_reload), (21, None))
            put(pathlib.Path(os.environ["TESSERA_REPLACED"], "renamed.so").read_bytes())
            layout.set(bounds=(100, 100))
            self.assertEqual(layout.content_size[1], 60)
            last = layout.last_reload
            self.assertEqual((last.count, last.error, len(last.dropped)), (1, None, 1))
            self.assertIn('no parameter "rowHeight"', last.dropped[0])
            put(b"no library")
            layout.set(bounds=(200, 100))
            self.assertEqual(layout.content_size[1], 60)
            last = layout.last_reload
            self.assertEqual(
                (last.count, last.dropped, type(last.error)), (2, (), tessera.CannotLoadError)
            )
            layout.close()


class Readers(unittest.TestCase):
    """Other packages read the layout's values."""

    def setUp(self):
        self.layout = tessera.layout("table", sections=[3, 0, 2], bounds=(320, 400))

    def check(self, table):
        """Compares columns by name, as lists of Python objects."""
        self.assertEqual(table["category"], self.layout["category"])
        self.assertEqual(table["kind"], self.layout["kind"])
        self.assertEqual(table["section"], [element.section for element in self.layout])
        self.assertEqual(
            [list(frame) for frame in table["frame"]],
            [list(element[4:8]) for element in self.layout],
        )
        for place, name in enumerate(("x", "y", "width", "height"), 4):
            self.assertEqual(list(table[name]), [element[place] for element in self.layout])
        self.assertEqual(table["z_index"], [element.z_index for element in self.layout])

    @needs("pyarrow")
    def test_pyarrow(self):
        import pyarrow

        batch = self.layout.to_arrow()
        batch.validate(full=True)
        self.check(batch.to_pydict())
        self.check(pyarrow.table(self.layout).to_pydict())
        self.assertEqual(pyarrow.schema(self.layout), batch.schema)
        frames = batch.column("frame")
        self.assertEqual(
            frames.type, pyarrow.list_(pyarrow.field("item", pyarrow.float64(), False), 4)
        )
        heights, found = batch.column("height"), [element.height for element in self.layout]
        del self.layout
        gc.collect()
        self.assertEqual(frames[0].as_py(), frames.values[:4].to_pylist())
        self.assertEqual(heights.to_pylist(), found)
        for engine in ("cover-flow", "aspect-flow"):
            tessera.layout(engine, 7).to_arrow().validate(full=True)
        empty = tessera.layout("grid", 0).to_arrow()
        empty.validate(full=True)
        self.assertEqual(empty.num_rows, 0)

    @needs("pandas", "numpy")
    def test_pandas(self):
        import pandas

        table = pandas.DataFrame(self.layout)
        self.assertEqual(list(table["x"]), [element.x for element in self.layout])
        self.assertEqual(list(table["height"]), [element.height for element in self.layout])
        self.assertEqual(list(table["category"]), self.layout["category"])
        whole = self.layout.to_pandas()
        self.assertEqual(list(whole["z_index"]), list(table["z_index"]))
        self.assertEqual(list(whole["width"]), list(table["width"]))
        boxes = tessera.layout("aspect-flow", 2).to_pandas()
        self.assertEqual(list(boxes["contentRect.width"]), [140, 140])
        self.assertEqual(
            len(pandas.DataFrame(self.layout.in_rect(0, 0, 320, 30))),
            len(self.layout.in_rect(0, 0, 320, 30)),
        )

    def test_capsules_that_nobody_takes(self):
        for _ in range(100):
            self.layout.__arrow_c_array__()
            self.layout.__arrow_c_stream__()
            self.layout.__arrow_c_schema__()
        from tessera_layout import _native

        self.assertEqual(_native._capsuled, {})


class Outside(unittest.TestCase):
    """Wrong or malicious input raises an exception, and the interpreter goes on."""

    def test_counts_beyond_64_bits(self):
        layout = tessera.layout("grid", 3)
        for wrong in (2**64 + 3, 2**200, -1, 1.5, float("nan"), float("inf"), "3", None, [3]):
            with self.subTest(wrong=wrong):
                for call in (
                    lambda: tessera.layout("grid", sections=[wrong]),
                    lambda: layout.set_sections(sections=[wrong, 1]),
                    lambda: layout.batch(section_counts=[wrong]),
                    lambda: layout.update(edits=[tessera.delete(0, wrong)], items=2),
                    lambda: tessera.Host(kept_workers=wrong),
                    lambda: tessera.Host(refusal_time=wrong),
                ):
                    self.assertRaises(tessera.InvalidError, call)
        for sections in ([2**62, 2**62], [2**61] * 8, [2**62, 1]):
            self.assertRaises(tessera.InvalidError, tessera.layout, "grid", sections=sections)
        for wrong in (2**64 + 3, 2**200, -1, 1.5):
            self.assertRaises(tessera.InvalidError, layout.set, element_limit=wrong)
            self.assertRaises(tessera.InvalidError, lambda: tessera.Host(memory_limit=wrong))
        self.assertEqual(len(tessera.layout("grid", 3.0)), 3)
        self.assertEqual(len(layout), 3)

    def test_a_part_too_large_is_its_own_error(self):
        for engine in ("flow", "grid"):
            batch = tessera.layouts(engine, [10**9, 1])
            self.assertEqual(list(batch.errors), [0])
            self.assertEqual(rows(batch[1]), [(0, 0, 50, 50)])
        many = tessera.layouts("flow", [20 * 10**6, 1])
        self.assertEqual((list(many.errors), len(many[1])), ([0], 1))

    def test_numbers_that_no_double_holds(self):
        layout = tessera.layout("grid", 3)
        for call in (
            lambda: layout.in_rect(10**400, 0, 1, 1),
            lambda: layout.in_rect("x", 0, 1, 1),
            lambda: layout.resting_offset(0, 0, (10**400, 0)),
            lambda: layout.resting_offset(0, 0, (1,)),
            lambda: layout.set(bounds=(10**400, 1)),
            lambda: layout.set(scale=10**400),
            lambda: layout.set(item_size=(10**400, 1)),
            lambda: layout.batch(bounds=[(10**400, 1)]),
            lambda: tessera.layout("table", values={"height": [10**400]}),
            lambda: tessera.Host(time_limit=10**400),
        ):
            self.assertRaises(tessera.InvalidError, call)

    def test_what_is_no_number_and_no_list(self):
        layout = tessera.layout("grid", 3)
        for wrong in ("12", b"12", ("1", "2"), (1j, 2), {1: 2, 3: 4}, 5, None.__class__, ("1", 2)):
            with self.subTest(wrong=wrong):
                for call in (
                    lambda: layout.set(bounds=wrong),
                    lambda: layout.set(item_size=wrong),
                    lambda: layout.batch(bounds=wrong),
                    lambda: tessera.layouts("grid", [1, 2], bounds=wrong),
                    lambda: tessera.layout("flow", 1, sections=wrong),
                    lambda: layout.update(edits=wrong, items=3),
                    lambda: tessera.layout("grid", 1, parameters=(wrong,)),
                ):
                    self.assertRaises(tessera.InvalidError, call)
        for wrong in (["1", "2"], [b"1", b"2"], [1j, 2], "12", [None, 1]):
            with self.subTest(column=wrong):
                self.assertRaises(
                    tessera.InvalidError, tessera.layout, "table", values={"height": wrong}
                )
        for name in ("scale", "direction"):
            for wrong in ("2", ["ltr"], b"ltr"):
                self.assertRaises(tessera.InvalidError, layout.set, **{name: wrong})
        self.assertRaises(tessera.InvalidError, layout.in_rect, "0", 0, 1, 1)
        self.assertRaises(tessera.InvalidError, tessera.layouts, "grid", [1], bounds=[])
        self.assertRaises(tessera.InvalidError, tessera.Host, 5)
        self.assertRaises(tessera.InvalidError, tessera.Host, "/tmp/\ud800")
        self.assertEqual(len(layout.batch(iter([1]))), 1)

    def test_what_lies_about_its_entries(self):
        class Lying:
            def __init__(self, count):
                self.count = count

            def __len__(self):
                return self.count

            def __getitem__(self, place):
                return [1][place]

        folded = memoryview(bytes(64)).cast("d", [2, 2, 2])
        layout = tessera.layout("flow", 3)
        for given in (Lying(1 << 62), Lying(-1), folded, 5, object()):
            for call in (
                lambda: tessera.layout("flow", sections=given),
                lambda: tessera.layout("flow", offsets=given),
                lambda: tessera.layout("flow", groups=given),
                lambda: tessera.layout("flow", ids=given),
                lambda: layout.update(given),
                lambda: layout.update(edits=given, items=3),
                lambda: layout.batch(given),
                lambda: layout.batch([1], given),
                lambda: layout.update(edits=[tessera.move(given, (0, 1))], items=3),
                lambda: layout.set_values({"size": given}),
            ):
                with self.assertRaises(tessera.Error, msg=repr(given)):
                    call()
        self.assertEqual(tessera.layout("grid", groups="aab").sections, [2, 1])
        self.assertEqual(len(tessera.layout("flow", ids=iter("abc"))), 3)
        for indexed in (layout.batch(), layout.elements):
            with self.assertRaises(TypeError):
                indexed[1.5]

        class Array:
            def __init__(self, given):
                self.given = given

            def __arrow_c_array__(self):
                return self.given

        for given in (None, (), (1, 2), (1, 2, 3), "ab"):
            with self.assertRaisesRegex(
                tessera.InvalidError, "gives no Arrow array", msg=repr(given)
            ):
                layout.set_values({"size": Array(given)})

    def test_counts_after_an_update_that_fails(self):
        layout = tessera.layout("grid", 3, ids="abc")
        for edits in ([object()], [tessera.delete(5, 0)], "ab"):
            self.assertRaises(tessera.InvalidError, layout.update, edits=edits, sections=[1] * 1000)
            self.assertEqual((layout.sections, len(layout)), ([3], 3))
        # The values are for the new data, so the layout has the new counts.
        self.assertRaises(tessera.InvalidError, layout.update, "ab", values={"nothing": 1})
        self.assertEqual((layout.sections, len(layout)), ([2], 2))
        self.assertEqual(len(layout.update("bc")), 3)

    def test_texts_that_c_would_cut(self):
        layout = tessera.layout("grid", 2, ids=["a", "b"])
        for wrong in ("a\0b", "\ud800"):
            for call in (
                lambda: tessera.layout("grid" + wrong),
                lambda: tessera.layout("grid", 1, ids=[wrong]),
                lambda: layout.update(["a", wrong]),
                lambda: layout.set(**{"itemSize" + wrong: 1}),
                lambda: tessera.layout("flow", 1, line_alignment=wrong),
            ):
                self.assertRaises(tessera.InvalidError, call)
        self.assertRaises(tessera.InvalidError, tessera.Host, "/a\0b")
        for option in ("worker", "allowlist"):
            self.assertRaises(tessera.InvalidError, lambda: tessera.Host(**{option: "a\0b"}))
        self.assertEqual(len(layout.update(["b", "a"])), 2)

    def test_copies(self):
        host = tessera.Host()
        layout = host.layout("grid", 3, bounds=(130, 100))
        for owner in (host, layout, tessera.engine("grid"), layout.update(edits=[], items=3)):
            for wrong in (copy.deepcopy, pickle.dumps):
                self.assertRaises(TypeError, wrong, owner)
        for owner in (host, layout):
            self.assertRaises(TypeError, copy.copy, owner)
        frames = None
        for make in (copy.copy, copy.deepcopy):
            elements = layout.elements
            twin = make(elements)
            memory = make(elements._memory)
            del elements, memory
            layout.set(offset=(0, 0))
            gc.collect()
            frames = rows(twin.frames)
        self.assertEqual(frames, Grid.FRAMES)
        self.assertRaises(TypeError, pickle.dumps, layout.elements)
        self.assertEqual(rows(layout.frames), Grid.FRAMES)

    def test_closed_layouts(self):
        layout = tessera.layout("grid", 3)
        layout.close()
        for call in (
            lambda: layout.set(item_size=(1, 1)),
            lambda: layout.set_values({"size": 1}),
            lambda: layout.set_lists({"strips": []}),
            lambda: layout.set_delegate("size", None),
            lambda: layout.call("anything"),
            lambda: layout.batch(),
            lambda: layout.sandbox,
            lambda: layout.frames,
            lambda: layout.update(edits=[], items=3),
        ):
            self.assertRaises(tessera.MisusedError, call)
        layout.close()

    def test_records_within_themselves(self):
        from tessera_layout import _values

        columns = [
            tessera.Declaration(
                name, "", type, "", "e", "", (), initial, (float("-inf"),), (float("inf"),), 1
            )
            for name, type, initial in (("parent", "integer", -1), ("size", "number", 0.0))
        ]
        own = {"size": 1}
        own["children"] = [own]
        with self.assertRaisesRegex(tessera.InvalidError, "nested in itself"):
            _values.records("nodes", [own], columns, "e")
        two = {"size": 2, "children": [{"children": [own]}]}
        own["children"] = [two]
        with self.assertRaisesRegex(tessera.InvalidError, "nested in itself"):
            _values.records("nodes", [two], columns, "e")
        # The same record twice is two records.
        leaf = {"size": 3}
        count, found = _values.records("nodes", [{"children": [leaf, leaf]}, leaf], columns, "e")
        self.assertEqual(count, 4)
        self.assertEqual(
            {column.name: values for column, values in found}["parent"], [-1, 0, 0, -1]
        )
        deep = {}
        for _ in range(100_000):
            deep = {"children": [deep]}
        self.assertEqual(_values.records("nodes", [deep], columns, "e")[0], 100_001)

    def test_arrow_arrays_that_contradict_themselves(self):
        """Each is rejected with a sentence; the unchanged one is accepted."""
        from tessera_layout import _native
        from tessera_layout._native import ArrowArray, ArrowSchema

        keep = []

        def nothing(_):
            pass

        released = ArrowSchema._fields_[7][1](nothing)

        def buffers(*given):
            found = (ctypes.c_void_p * max(1, len(given)))(
                *(None if buffer is None else ctypes.addressof(buffer) for buffer in given)
            )
            keep.extend([found, *given])
            return found

        def pair(format, length, given, child=None, dictionary=None, offset=0, nulls=0):
            children = lambda kind, place: (
                (ctypes.POINTER(kind) * 1)(ctypes.pointer(child[place])) if child else None
            )
            schema_children, array_children = children(ArrowSchema, 0), children(ArrowArray, 1)
            schema = ArrowSchema(
                format,
                b"",
                None,
                0,
                1 if child else 0,
                schema_children,
                ctypes.pointer(dictionary[0]) if dictionary else None,
                released,
                None,
            )
            array = ArrowArray(
                length,
                nulls,
                offset,
                len(given),
                1 if child else 0,
                buffers(*given),
                array_children,
                ctypes.pointer(dictionary[1]) if dictionary else None,
                released,
                None,
            )
            keep.extend([child, dictionary, schema_children, array_children, schema, array])
            return schema, array

        doubles = (ctypes.c_double * 64)(*([1.0] * 64))
        ints = (ctypes.c_int32 * 64)()
        bits = (ctypes.c_uint8 * 64)(*([255] * 64))
        offsets = (ctypes.c_int32 * 4)(0, 4, 8, 12)
        large = (ctypes.c_int64 * 4)(0, 4, 8, 12)
        falling = (ctypes.c_int32 * 4)(8, 4, 0, -1)
        endless = (ctypes.c_int64 * 4)(0, 2**62, 2**63 - 1, -5)
        distant = (ctypes.c_int64 * 4)(2**61, 2**61 + 4, 2**61 + 8, 2**61 + 12)
        letters = (ctypes.c_uint8 * 64)(*b"nonenonenone".ljust(64))
        far = (ctypes.c_int32 * 12)(*[40, 0, 7, 0] * 3)
        before = (ctypes.c_int32 * 12)(*[40, 0, 0, -8] * 3)
        negative = (ctypes.c_int32 * 12)(*[-1, 0, 0, 0] * 3)
        sizes = (ctypes.c_int64 * 1)(20)

        def number(**given):
            return pair(**{"format": b"g", "length": 3, "given": (None, doubles), **given})

        def size(**given):
            child = given.pop("child", None) or pair(b"g", given.pop("count", 6), (None, doubles))
            return pair(
                **{"format": b"+w:2", "length": 3, "given": (None,), "child": child, **given}
            )

        def text(**given):
            return pair(**{"format": b"u", "length": 3, "given": (None, offsets, letters), **given})

        def changed(made, place, **fields):
            for name, value in fields.items():
                setattr(made[place], name, value)
            return made

        def indexed(index=ints, **given):
            return pair(
                **{
                    "format": b"i",
                    "length": 3,
                    "given": (None, index),
                    "dictionary": text(),
                    **given,
                }
            )

        kinds = {
            "number": [
                lambda: number(length=-1),
                lambda: number(length=2**62),
                lambda: number(offset=-1),
                lambda: number(offset=2**63 - 1),
                lambda: number(offset=2**60),
                lambda: number(nulls=-2),
                lambda: number(nulls=4),
                lambda: number(nulls=1),
                lambda: number(given=()),
                lambda: number(given=(None,)),
                lambda: number(given=(None, None)),
                lambda: number(given=(None, doubles, doubles)),
                lambda: changed(number(), 1, n_buffers=-1),
                lambda: changed(number(), 1, n_buffers=2**62),
                lambda: changed(number(), 1, buffers=None),
                lambda: changed(number(), 0, format=None),
                lambda: number(format=b""),
                lambda: number(format=b"gg"),
                lambda: number(format=b"\xff"),
                lambda: number(format=b"z" * 100_000),
                lambda: changed(number(), 0, n_children=5),
                lambda: changed(number(), 1, n_children=-1),
                lambda: changed(number(), 0, dictionary=ctypes.pointer(text()[0])),
                lambda: changed(number(), 1, dictionary=ctypes.pointer(text()[1])),
                lambda: number(child=number()),
                lambda: number(dictionary=text()),
                lambda: changed(number(), 0, release=type(released)()),
                lambda: changed(number(), 1, release=type(released)()),
            ],
            "size": [
                lambda: size(count=5),
                lambda: size(count=0),
                lambda: size(length=2**62),
                lambda: size(offset=1),
                lambda: size(offset=2**62),
                lambda: changed(size(), 1, children=None),
                lambda: changed(size(), 0, children=None),
                lambda: changed(size(), 1, n_children=0),
                lambda: size(format=b"+w:9223372036854775807"),
                lambda: size(format=b"+w:-2"),
                lambda: size(child=pair(b"g", 6, (None, None))),
                lambda: size(child=pair(b"g", -6, (None, doubles))),
                lambda: size(child=pair(b"g", 6, (None, doubles), offset=-9)),
                lambda: size(
                    child=changed(pair(b"g", 6, (None, doubles)), 1, release=type(released)())
                ),
                lambda: size(given=(None, doubles)),
                lambda: size(dictionary=text()),
            ],
            "enum": [
                lambda: text(given=(None, falling, letters)),
                lambda: text(format=b"U", given=(None, endless, letters)),
                lambda: text(format=b"U", given=(None, distant, letters)),
                lambda: text(child=text()),
                lambda: indexed(dictionary=text(dictionary=text())),
                lambda: text(dictionary=text()),
                lambda: text(given=(None, None, letters)),
                lambda: text(given=(None, offsets, None)),
                lambda: text(given=(None, offsets)),
                lambda: pair(b"vu", 3, (None, far, letters, sizes)),
                lambda: pair(b"vu", 3, (None, before, letters, sizes)),
                lambda: pair(b"vu", 3, (None, negative, letters, sizes)),
                lambda: pair(b"vu", 3, (None, far, letters)),
                lambda: indexed(dictionary=text(length=0)),
                lambda: indexed((ctypes.c_int32 * 3)(0, 1, 3)),
                lambda: indexed((ctypes.c_int32 * 3)(-1, 1, 2)),
                lambda: changed(indexed(), 1, dictionary=None),
                lambda: changed(indexed(), 0, dictionary=None),
                lambda: indexed(given=(None, None)),
                lambda: indexed(format=b"g"),
                lambda: indexed(dictionary=text(given=(None, falling, letters))),
                lambda: indexed(dictionary=text(length=-3)),
                lambda: indexed(dictionary=text(offset=-3)),
            ],
        }
        right = {
            "number": [
                number,
                lambda: number(given=(bits, doubles), nulls=-1),
                lambda: number(format=b"b", given=(None, bits)),
            ],
            "size": [size, lambda: size(offset=1, count=8)],
            "enum": [
                text,
                indexed,
                lambda: text(format=b"U", given=(None, large, letters)),
                lambda: indexed(given=(bits, ints)),
            ],
        }
        layout = tessera.layout("compositional", sections=[0, 0, 0])
        for name, wrongs in kinds.items():
            value = {
                "number": b"interGroupSpacing",
                "size": b"headerReferenceSize",
                "enum": b"orthogonal",
            }[name]

            def give(made):
                return _native.library.session_set_values_arrow(
                    layout._pointer,
                    _native.SECTION_SCOPE,
                    value,
                    ctypes.addressof(made[0]),
                    ctypes.addressof(made[1]),
                )

            for place, make in enumerate(right[name]):
                self.assertEqual(
                    give(make()), 0, (name, place, _native.library.session_message(layout._pointer))
                )
            for place, make in enumerate(wrongs):
                with self.subTest(type=name, place=place):
                    self.assertIn(give(make()), (64, 65), (name, place))
            self.assertEqual(give(right[name][0]()), 0)
        self.assertEqual(
            _native.library.arrow_share(ctypes.byref(number()[1]), None, None, None), 64
        )


FILES = [
    {"folder": "src", "name": "parser.c", "bytes": 3000, "kind": "C"},
    {"folder": "src", "name": "lexer.c", "bytes": 1000, "kind": "C"},
    {"folder": "doc", "name": "guide.md", "bytes": 1500, "kind": "text"},
    {"folder": "doc", "name": "guide.md", "bytes": 500, "kind": "text"},
]
SVG = "{http://www.w3.org/2000/svg}"


def run(*arguments, table=None, folder=None):
    """The command's drawing of a table."""
    with tempfile.TemporaryDirectory() as scratch:
        if table is not None:
            with open(os.path.join(scratch, "table.ndjson"), "w") as file:
                file.writelines(json.dumps(row) + "\n" for row in table)
            arguments += ("--items-from", file.name)
        result = subprocess.run(
            [
                COMMAND,
                "figure",
                *arguments,
                "--engines",
                os.environ["TESSERA_ENGINES"],
                "--format",
                "svg",
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=True,
        )
    return result.stdout.decode()


@unittest.skipIf(COMMAND is None, "TESSERA_COMMAND is not set")
class Figures(unittest.TestCase):
    def test_figures_are_those_of_the_command(self):
        rows = [
            {"label": "all", "weight": 0, "parent": -1, "age": 0},
            {"label": "half a name", "weight": 3, "parent": 0, "age": 12000},
            {"label": "rest", "weight": 1, "parent": 0, "age": -4},
        ]
        layout = tessera.layout(
            "treemap",
            data=rows,
            labels="label",
            captions="age",
            colors="age",
            bounds=(400, 300),
            padding_top=18,
        )
        options = [
            "--bounds",
            "400x300",
            "--set",
            "paddingTop=18",
            "--caption",
            "age",
            "--color",
            "age",
            "--title",
            "A < B",
        ]
        drawn = run("treemap", *options, table=rows)
        self.assertEqual(layout.svg(title="A < B"), drawn)
        self.assertIn(">half a name<", drawn)
        self.assertEqual(
            layout.svg(wireframe=True), run("treemap", *options[:4], "--wireframe", table=rows)
        )

    def test_headers_have_the_names_of_sections(self):
        rows = [
            {"label": str(item), "section": section}
            for item, section in enumerate(["b", "a", "b", "c"])
        ]
        layout = tessera.layout(
            "table", data=rows, groups="section", labels="label", bounds=(300, 400)
        )
        self.assertEqual(layout.sections, [2, 1, 1])
        self.assertEqual(layout.svg(), run("table", "--bounds", "300x400", table=rows))
        mirrored = tessera.layout(
            "table",
            data=rows,
            groups="section",
            labels="label",
            bounds=(300, 400),
            direction="rtl",
            content_insets=(5, 6, 7, 8),
        )
        self.assertEqual(
            mirrored.svg(),
            run(
                "table",
                "--bounds",
                "300x400",
                "--direction",
                "rightToLeft",
                "--content-insets",
                "5,6,7,8",
                table=rows,
            ),
        )
        given = tessera.layout(
            "table", sections=[1, 0], section_names=["one", "none"], labels=["x"], bounds=(300, 400)
        ).svg()
        self.assertIn(">one<", given)

    def test_a_week_is_that_of_the_command(self):
        rows = [
            {"label": "Review", "start": "2026-05-06T14:00", "end": "2026-05-06T15:15"},
            {"label": "Standup", "start": "2026-05-04T09:30", "end": "2026-05-04T10:30"},
        ]
        layout = tessera.timetable(rows, labels="label", bounds=(600, 800))
        self.assertEqual(layout.sections, [1, 0, 1])
        self.assertEqual(
            [(one.section, one.y, one.height) for one in layout if one.category == "cell"],
            [(0, 44 + 9.5 * 60, 60), (2, 44 + 14 * 60, 75)],
        )
        self.assertEqual(layout.svg(), run("timetable", "--bounds", "600x800", table=rows))
        dated = tessera.timetable(
            [
                {
                    "start": datetime.datetime(2026, 5, 4, 22),
                    "end": datetime.datetime(2026, 5, 5, 1, 30),
                }
            ]
        )
        self.assertEqual(
            [(one.section, one.y, one.height) for one in dated if one.category == "cell"],
            [(0, 44 + 22 * 60, 120), (1, 44, 90)],
        )
        whole = tessera.timetable(
            [{"start": datetime.date(2026, 5, 4), "end": datetime.date(2026, 5, 6)}]
        )
        self.assertEqual(whole._marks["captions"].values, ["", ""])
        # Whole-day events lie in rows above the hours, the longest first.
        days = [
            {"label": "Fair", "start": "2026-05-05", "end": "2026-05-06"},
            {"label": "Leave", "start": "2026-05-05T00:00", "end": "2026-05-08T00:00"},
            {"label": "Move", "start": "2026-05-04T00:00", "end": "2026-05-04T24:00"},
        ]
        days[0].update(start="2026-05-05T00:00", end="2026-05-06T00:00")
        days[2].update(end="2026-05-05T00:00")
        layout = tessera.timetable(rows + days, labels="label", bounds=(600, 800))
        self.assertEqual(layout.svg(), run("timetable", "--bounds", "600x800", table=rows + days))
        self.assertEqual([one.height for one in layout if one.kind == "dayHeader"], [84] * 4)
        marked = tessera.timetable(rows, labels="label", captions=["late", "early"])
        self.assertEqual(marked._marks["captions"].values, ["early", "late"])
        timed = tessera.timetable(
            {"from": ["9:00", 10], "to": ["9:30", 11.5], "who": ["b", "a"]},
            "from",
            "to",
            day="who",
            hour_height=10,
        )
        self.assertEqual(
            [(one.y, one.height) for one in timed if one.category == "cell"], [(134, 5), (144, 15)]
        )

    def test_a_treemap_of_a_frame(self):
        """By hand: src has 4000 of 6000 bytes, 2/3 of the width; parser.c has 3/4 of it."""
        layout = tessera.treemap(
            FILES,
            ["folder", "name"],
            "bytes",
            colors="kind",
            bounds=(600, 400),
            padding_inner=0,
            padding_outer=0,
            padding_top=0,
        )
        cells = [tuple(one[4:8]) for one in layout]
        self.assertEqual(cells[0], (0, 0, 400, 400))
        self.assertEqual(cells[1], (0, 0, 300, 400))
        self.assertEqual(cells[2], (300, 0, 100, 400))
        # The two rows of one file are one.
        self.assertEqual(len(cells), 5)
        self.assertEqual(cells[4], cells[3])
        svg = layout.svg(theme="light")
        # Folder names don't fit.
        self.assertEqual(texts(svg)[:3], ["kind", "C", "text"])
        self.assertLess({"parser.c", "lexer.c", "guide.md"}, set(texts(svg)))
        self.assertFalse({"src", "doc"} & set(texts(svg)))
        ages = tessera.treemap(
            [
                {"a": "x", "n": 1, "age": 10},
                {"a": "x", "n": 3, "age": 20},
                {"a": "y", "n": 0, "age": 7},
            ],
            "a",
            "n",
            colors="age",
        )
        self.assertEqual(ages._marks["colors"].values, [17.5, 7])
        # The legend has the column's name, even if it is also the sizes'.
        self.assertIn(
            ">n</text>", tessera.treemap({"a": ["x", "y"], "n": [1, 2]}, "a", "n", colors="n").svg()
        )
        self.assertEqual(len(tessera.treemap({"a": ["x", "x", "y"]}, "a")), 2)
        # No rows are an empty picture.
        self.assertIn(
            "<svg", tessera.treemap({"a": [], "n": []}, "a", "n", colors="n").svg(title="None")
        )
        with self.assertRaisesRegex(
            tessera.InvalidError,
            "path 0 is 'nmae'; give a column of the data, or a list: folder, name",
        ):
            tessera.treemap(FILES, ["nmae"])
        with self.assertRaisesRegex(
            tessera.InvalidError, "start is None; give a column of the data"
        ):
            tessera.timetable(FILES, None)
        for missing in (None, float("nan")):
            with self.assertRaisesRegex(
                tessera.InvalidError, "a time is missing; leave out the row"
            ):
                tessera.timetable([{"start": 9, "end": missing}])

    def test_odd_cells(self):
        """Missing ones, decimals, and no rows; errors have the program's row numbers."""
        frame = {"a": ["x", "y", "z"], "n": [decimal.Decimal("1.5"), None, float("nan")]}
        self.assertEqual(tessera.treemap(frame, "a", "n")._marks["captions"].values, [1.5, 0, 0])
        for number, words in (
            (-1, "values in row 1 is -1"),
            (float("inf"), "values in row 1 is inf"),
            ("3", "values in row 1 is '3'"),
        ):
            with self.assertRaisesRegex(tessera.InvalidError, words):
                tessera.treemap({"a": ["x", "y"], "n": [5, number]}, "a", "n")
        for make, found in (
            (tessera.treemap, {"path": "a", "values": "n", "colors": "n"}),
            (tessera.timetable, {"start": "a", "end": "n"}),
            (tessera.waterfall, {}),
        ):
            self.assertTrue(
                make({"a": [], "n": [], "height": []}, **found).svg().startswith("<svg")
            )
        with self.assertRaisesRegex(
            tessera.InvalidError,
            "the data has no columns width and height or aspect_ratio; it has Width, Height",
        ):
            tessera.justified({"Width": [1], "Height": [2]})
        with self.assertRaisesRegex(tessera.InvalidError, "height in row 1 is None"):
            tessera.justified([{"width": 1, "height": 2}, {"width": 3}])
        self.assertEqual(len(tessera.justified({"name": ["x", "y"]}, aspect_ratio=2)), 2)
        pairs = {0: ["x", "y"], ("n", 1): [1, 3]}
        self.assertEqual(tessera.treemap(pairs, [0], ("n", 1))._marks["captions"].values, [3, 1])

    def test_times(self):
        """By hand, in points of 60 an hour below a header of 44."""

        def drawn(*events):
            layout = tessera.timetable(
                {"start": [one[0] for one in events], "end": [one[1] for one in events]}
            )
            return [
                (one.section, one.y - 44, one.height) for one in layout if one.category == "cell"
            ]

        hour, midnight = datetime.timedelta(hours=1), datetime.datetime(2026, 5, 4)
        zone = datetime.timezone(2 * hour)
        self.assertEqual(drawn((9 * hour, 10.5 * hour)), [(0, 540, 90)])
        # Day and hours in the start's time zone.
        self.assertEqual(
            drawn((midnight.replace(tzinfo=zone), midnight.replace(tzinfo=datetime.timezone.utc))),
            [(0, 0, 120)],
        )
        self.assertEqual(
            drawn(
                ("2026-05-04T09:00+02:00", "2026-05-04T08:00Z"),
                ("2026-05-05T09:00Z", "2026-05-05T10:00Z"),
            ),
            [(0, 540, 60), (1, 540, 60)],
        )
        for start, end, words in (
            (midnight, midnight.replace(tzinfo=zone), "row 0 has a time zone at one of its ends"),
            (10, 9, "row 0 ends at 9, before it starts at 10"),
            (midnight + hour, midnight, "before it starts"),
            (midnight, midnight - hour, "before it starts"),
            ("2026-05-04T09:00Z", "2026-05-04T10:00+02:00", "before"),
        ):
            with self.assertRaisesRegex(tessera.InvalidError, words):
                drawn((start, end))

    @needs("numpy", "pandas")
    def test_cells_of_numpy_and_pandas(self):
        import numpy
        import pandas

        start = numpy.array(["2026-05-04T09:00", "2026-05-05T10:00"], "M8[ns]")
        series = pandas.Series(start, index=[7, 7])
        expected = rows(
            tessera.timetable(
                {
                    "start": series.dt.to_pydatetime(),
                    "end": (series + pandas.Timedelta("1h")).dt.to_pydatetime(),
                }
            ).frames
        )
        for first, last in (
            (start, start + numpy.timedelta64(1, "h")),
            (series, series + pandas.Timedelta("1h")),
            (series.dt.to_period("h"), (series + pandas.Timedelta("1h")).dt.to_period("h")),
            (
                series.dt.tz_localize("Europe/Berlin"),
                (series + pandas.Timedelta("1h"))
                .dt.tz_localize("Europe/Berlin")
                .dt.tz_convert("UTC"),
            ),
        ):
            self.assertEqual(
                rows(tessera.timetable({"start": first, "end": last}).frames), expected
            )
        frame = pandas.DataFrame(
            {
                "a": pandas.array(["x", None, "y"], "string"),
                "n": pandas.array([1, 2, None], "Int64"),
            }
        )
        self.assertEqual(
            tessera.treemap(frame, "a", "n", colors="n")._marks["captions"].values, [1, 0]
        )
        with self.assertRaisesRegex(tessera.InvalidError, "data has several columns 'a'"):
            tessera.treemap(pandas.DataFrame([[1, 2]], columns=["a", "a"]), "a")
        masked = numpy.ma.array([30, 40], mask=[False, True])
        with self.assertRaisesRegex(tessera.InvalidError, "height of item 1 in section 0 is nan"):
            tessera.layout("table", values={"height": masked}).content_size

    def test_files(self):
        # By hand: two columns of 150, with pictures of 3:4 and 4:3; then by height, and by ratio.
        layout = tessera.waterfall(
            {"width": [3, 4], "height": [4, 3], "name": ["tall", "wide"]},
            labels="name",
            bounds=(310, 400),
        )
        self.assertEqual([one.height for one in layout], [200, 112.5])
        self.assertEqual(
            [one.height for one in tessera.waterfall({"height": [40, 30]}, bounds=(310, 400))],
            [40, 30],
        )
        self.assertEqual(
            [one.height for one in tessera.waterfall({"aspect_ratio": [1.5]}, bounds=(310, 400))],
            [100],
        )
        with tempfile.TemporaryDirectory() as folder:
            for ending, start in (
                ("svg", b"<svg"),
                ("html", b"<!"),
                ("png", b"\x89PNG"),
                ("pdf", b"%PDF"),
            ):
                path = os.path.join(folder, "x." + ending)
                layout.save(path)
                with open(path, "rb") as file:
                    self.assertEqual(file.read(len(start)).lower(), start.lower())
            layout.save(os.path.join(folder, "x.pdf"), paper="a4")
            # Names and texts are never taken for options.
            before = os.getcwd()
            os.chdir(folder)
            try:
                for name in ("--help.svg", "-x.svg"):
                    layout.save(
                        name, title="--help", subtitle="-h", source="", text={"header": "--bounds"}
                    )
                    self.assertIn("--help", pathlib.Path(folder, name).read_text())
                for name in ("--help", "-"):
                    with self.assertRaisesRegex(tessera.MisusedError, f"{name} selects no format"):
                        layout.save(name)
                os.mkdir("--engines")
                os.symlink(
                    os.path.join(os.environ["TESSERA_ENGINES"], "libTesseraGrid.so"),
                    "--engines/grid.so",
                )
                host = tessera.Host("--engines", standard_folders=True)
                host.layout(
                    "grid",
                    data={"--help": ["a", "b"], "-o": [1, 2]},
                    captions="--help",
                    colors="-o",
                ).save("-g.svg")
                self.assertTrue(os.path.exists("-g.svg"))
            finally:
                os.chdir(before)
            with self.assertRaisesRegex(
                tessera.MisusedError, "--paper is for pdf and png, not for svg"
            ):
                layout.svg(paper="a4")
            with self.assertRaisesRegex(tessera.CannotWriteError, "nowhere"):
                layout.save(os.path.join(folder, "nowhere", "x.svg"))
            with self.assertRaisesRegex(tessera.MisusedError, "x.jpeg selects no format"):
                layout.save(os.path.join(folder, "x.jpeg"))
        with self.assertRaisesRegex(
            tessera.InvalidError, "there are 1 labels for 2 items; give one for each"
        ):
            layout.svg(labels=["x"])
        with self.assertRaisesRegex(tessera.MisusedError, "the layout is closed"):
            layout.close()
            layout.svg()

    def test_images(self):
        pictures = os.environ["TESSERA_PICTURES"]
        names = sorted(name for name in os.listdir(pictures) if name.endswith(".jpg"))[:2]
        self.assertEqual(len(names), 2)
        layout = tessera.layout(
            "grid", 2, images=[os.path.join(pictures, name) for name in names], bounds=(110, 100)
        )
        links = [
            image.get("href")
            for image in xml.etree.ElementTree.fromstring(layout.svg()).iter(SVG + "image")
        ]
        self.assertEqual(
            [os.path.abspath(link) for link in links],
            [os.path.abspath(os.path.join(pictures, name)) for name in names],
        )
        self.assertEqual(layout._repr_svg_().count('href="data:image/'), 2)

    def test_notebooks(self):
        """A cell is as wide as its page, and shows the viewport."""
        layout = tessera.layout(
            "grid",
            6,
            labels=[f"item {item}" for item in range(6)],
            item_size=(100, 50),
            bounds=(210, 100),
        )
        svg = layout._repr_svg_()
        self.assertIn("max-width:100%", svg)
        self.assertEqual(
            [text for text in texts(svg) if text.startswith("item")],
            ["item 0", "item 1", "item 2", "item 3"],
        )
        self.assertEqual(len(texts(layout.svg())), 6)
        html = layout._repr_html_()
        self.assertIn(svg, html)
        self.assertIn("6 items in 1 section, content 210 × 170</figcaption>", html)
        many = tessera.layout("grid", 5000, bounds=(300000, 1000))
        self.assertIsNone(many._repr_svg_())
        self.assertIn("<figcaption>org.tessera.grid: 5000 items", many._repr_html_())

    def test_what_is_wrong(self):
        rows = [
            {"name": str(item), "group": group} for item, group in enumerate(["b", "a", "b", "c"])
        ]
        for wrong, sentence in (
            (
                {"section_names": ["x"], "sections": [1, 1]},
                "there are 1 section_names for 2 sections; give one for each",
            ),
            (
                {"data": rows, "labels": "nmae"},
                "labels is 'nmae'; give a column of the data, or a list: name, group",
            ),
            ({"items": 2, "labels": ["x"]}, "there are 1 labels for 2 items; give one for each"),
            ({"items": 2, "labels": 5}, "labels is 5; give one for each item"),
            (
                {"data": rows, "groups": "group", "labels": list("abcd")},
                "give labels as a column of the data, too",
            ),
            ({"data": rows, "groups": "kind"}, "groups is 'kind'; give a column of the data"),
            ({"data": rows, "items": 3}, "column name has 4 rows for 3 items; give one for each"),
            ({"data": 5}, "data is 5; give a data frame"),
            ({"data": [5]}, "row 0 of data is 5; give a mapping"),
            ({"data": [None]}, "row 0 of data is None; give a mapping"),
            (
                {"data": {"a": [1], "b": [1, 2]}},
                "the columns of data have 1 and 2 rows; give as many in each",
            ),
        ):
            with self.assertRaisesRegex(tessera.InvalidError, sentence):
                tessera.layout("table", **wrong)

    @needs("matplotlib")
    def test_matplotlib(self):
        import matplotlib.figure
        import matplotlib.backends.backend_agg

        figure = matplotlib.figure.Figure(figsize=(6, 4))
        matplotlib.backends.backend_agg.FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1))
        layout = tessera.treemap(FILES, ["folder", "name"], "bytes", bounds=(600, 400))
        self.assertIs(layout.plot(axes), axes)
        elements = sorted(layout, key=lambda one: one.z_index)
        for patch, element in zip(axes.patches, elements, strict=True):
            for found, expected in zip(patch.get_bbox().bounds, element[4:8]):
                self.assertAlmostEqual(found, expected)
        self.assertEqual(
            sorted(text.get_text() for text in axes.texts),
            ["doc", "guide.md", "lexer.c", "parser.c", "src"],
        )
        self.assertEqual((axes.get_xlim(), axes.get_ylim()), ((0, 600), (400, 0)))
        for text in axes.texts:
            box = text.get_window_extent().transformed(axes.transData.inverted())
            element = next(
                one
                for one, name in zip(layout, layout._marks["labels"].values)
                if name == text.get_text()
            )
            self.assertLessEqual(max(box.x0, box.x1), element.x + element.width)
            self.assertLessEqual(max(box.y0, box.y1), element.y + element.height)

    @needs("matplotlib")
    def test_groups_have_no_colour(self):
        """The colour scale covers files only: 1000 to 3000 bytes, not the folder's 4000."""
        import matplotlib
        import matplotlib.figure

        layout = tessera.treemap(FILES, ["folder", "name"], "bytes", bounds=(600, 400))
        axes = layout.plot(matplotlib.figure.Figure(figsize=(6, 4)).subplots(), colors="bytes")
        drawn = zip(axes.patches, sorted(layout, key=lambda one: one.z_index), strict=True)
        fills = {
            layout._marks["labels"].values[element.item]: patch.get_facecolor()
            for patch, element in drawn
        }
        viridis = matplotlib.colormaps["viridis"]
        self.assertEqual(
            [fills[name] for name in ("parser.c", "guide.md", "lexer.c")],
            [viridis(1.0), viridis(0.5), viridis(0.0)],
        )
        self.assertEqual(fills["src"], matplotlib.colors.to_rgba("#d5d9de"))

    @needs("pandas", "numpy", "pyarrow", "polars", "duckdb")
    def test_own_columns(self):
        import duckdb
        import pandas
        import polars
        import pyarrow

        frame = pandas.DataFrame(FILES)
        for data in (
            frame,
            polars.DataFrame(frame),
            pyarrow.Table.from_pandas(frame),
            duckdb.sql("from frame"),
            FILES,
            frame.to_dict("list"),
        ):
            layout = tessera.layout("grid", data=data, labels="name", bounds=(110, 100))
            self.assertEqual(layout._marks["labels"].values, [row["name"] for row in FILES])
            self.assertEqual(list(layout.to_pandas()["bytes"]), [3000, 1000, 1500, 500])
        table = layout.to_arrow()
        table.validate(full=True)
        self.assertEqual(table.column("x").to_pylist(), [0, 60, 0, 60])
        self.assertEqual(table.column("kind_data").to_pylist(), ["C", "C", "text", "text"])
        self.assertEqual(
            duckdb.sql("select sum(x), sum(bytes) from layout").fetchall(), [(120, 6000)]
        )
        self.assertEqual(polars.DataFrame(layout)["folder"].to_list(), ["src", "src", "doc", "doc"])
        rows = tessera.layout("table", data=frame, groups="folder", bounds=(110, 100)).to_pandas()
        self.assertEqual(
            list(rows[rows.category == "cell"]["name"]), [row["name"] for row in FILES]
        )
        self.assertTrue(rows[rows.category != "cell"]["name"].isna().all())


def texts(svg):
    return [text.text for text in xml.etree.ElementTree.fromstring(svg).iter(SVG + "text")]


class Page(unittest.TestCase):
    @unittest.skipIf("TESSERA_PAGES" not in os.environ, "TESSERA_PAGES is not set")
    @needs("numpy", "pandas", "matplotlib")
    def test_examples(self):
        """The examples of the pages print the output shown there."""
        text = ""
        for page in ["Python.md", "Tables.md", "Updates.md"]:
            with open(os.path.join(os.environ["TESSERA_PAGES"], page)) as file:
                text += "".join("\n" if line.startswith("```") else line for line in file)
        test = doctest.DocTestParser().get_doctest(text, {}, "pages", None, 0)
        report = io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            before = os.getcwd()
            os.chdir(folder)
            results = doctest.DocTestRunner(verbose=False).run(test, out=report.write)
            os.chdir(before)
        self.assertGreater(results.attempted, 15)
        self.assertEqual(results.failed, 0, report.getvalue())


class Growth(unittest.TestCase):
    def test_layouts_leave_nothing(self):
        """500 dropped layouts leak neither Python objects nor memory."""
        # In this process, to count the host's memory and no process starts.
        host = tessera.Host(isolation="none")

        def work(count):
            for _ in range(count):
                layout = host.layout("grid", 40, bounds=(130, 100))
                layout.frames, layout.__arrow_c_array__()
            del layout
            gc.collect()
            with open("/proc/self/statm") as file:
                return sys.getallocatedblocks(), int(file.read().split()[1]) * 4096

        work(200)
        blocks, size = work(50)
        more_blocks, larger_size = work(500)
        self.assertLess(more_blocks - blocks, 250)
        self.assertLess(larger_size - size, 1 << 16)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + (sys.argv[1:] or ["-q"]))
