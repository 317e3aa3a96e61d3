"""Compares the Arrow stream of `tessera batch` with the JSON lines of the same batch: batch.py STREAM LINES

Prints the number of rows and of elements, and the columns."""

import json
import sys

import pyarrow

BUILT_IN = {"id", "line", "status", "error", "content_size", "category", "kind", "section", "item", "frame"}
IDENTITY = [1.0 if place % 5 == 0 else 0.0 for place in range(16)]


def element(expected, attributes):
    """An element of the JSON as the columns have it."""
    found = {
        "category": expected["category"], "kind": expected.get("kind"), "section": expected["section"],
        "item": expected["item"], "frame": expected["frame"], "alpha": expected.get("alpha", 1.0),
        "z_index": expected.get("zIndex", 0), "hidden": expected.get("hidden", False),
        "transform": expected.get("transform3D", IDENTITY),
    }  # fmt: skip
    return {**found, **{name: expected["attributes"][name] for name in attributes}}


def main():
    with pyarrow.OSFile(sys.argv[1]) as file:
        table = pyarrow.ipc.open_stream(file).read_all()
    table.validate(full=True)
    columns = [name for name in table.column_names if name not in ("id", "line", "status", "error", "content_size")]
    attributes = set(columns) - BUILT_IN - {"alpha", "z_index", "hidden", "transform"}
    rows = table.to_pylist()
    with open(sys.argv[2]) as file:
        lines = [json.loads(line) for line in file]
    assert len(rows) == len(lines), (len(rows), len(lines))
    count = 0
    for row, line in zip(rows, lines):
        given = line.get("id")
        assert row["id"] == (given if given is None or isinstance(given, str) else json.dumps(given)), row["id"]
        if error := line.get("error"):
            assert (row["line"], row["status"], row["error"]) == (error["line"], error["status"], error["message"])
            assert row["content_size"] is None and all(row[name] is None for name in columns), row
            continue
        assert (row["status"], row["error"], row["content_size"]) == (0, None, line["contentSize"])
        found = [dict(zip(columns, values)) for values in zip(*(row[name] for name in columns))]
        expected = [element(each, attributes) for each in line["elements"]]
        assert found == [{name: each[name] for name in columns} for each in expected], (found[:3], expected[:3])
        count += len(found)
    print(len(rows), count, *columns)


main()
