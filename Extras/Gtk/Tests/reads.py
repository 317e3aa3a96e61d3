"""Reads the window of `view-tests reads` through AT-SPI, as screen readers do."""

import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi


def descendants(accessible):
    for index in range(accessible.get_child_count()):
        child = accessible.get_child_at_index(index)
        if child:
            yield child
            yield from descendants(child)


def find_list():
    desktop = Atspi.get_desktop(0)
    for accessible in descendants(desktop):
        if accessible.get_role() == Atspi.Role.LIST:
            return accessible
    return None


def label_of(cell):
    return [child.get_name() for child in descendants(cell) if child.get_role() == Atspi.Role.LABEL]


# 400 points hold the 4 rows of the first section (20 items, ending at 294) and 2 rows of the
# second.
expected = [[str(position)] for position in range(32)]
cells = []
deadline = time.monotonic() + 30
while len(cells) < 32 and time.monotonic() < deadline:
    found = find_list()
    children = (
        [found.get_child_at_index(index) for index in range(found.get_child_count())]
        if found
        else []
    )
    cells = [child for child in children if child.get_role() == Atspi.Role.LIST_ITEM]
if [cell.get_name() for cell in cells] != [label_of(cell)[0] for cell in cells]:
    sys.exit(f"the cells are called {[cell.get_name() for cell in cells]}")
labels = sorted((label_of(cell) for cell in cells), key=lambda names: int(names[0]))
if labels != expected:
    sys.exit(f"the cells are labelled {labels}")
for state, positions in (
    (Atspi.StateType.SELECTED, [["3"]]),
    (Atspi.StateType.FOCUSABLE, expected),
):
    having = sorted(
        (label_of(cell) for cell in cells if cell.get_state_set().contains(state)),
        key=lambda names: int(names[0]),
    )
    if having != positions:
        sys.exit(f"{state.value_nick} are {having}")
headings = [child.get_name() for child in children if child.get_role() == Atspi.Role.HEADING]
if sorted(headings) != ["1", "2"]:
    sys.exit(f"the headings are {headings}")
