#!/usr/bin/env python3
"""Calls functions of libtessera in random order: numbers, texts, lists of records, Arrow arrays, updates.

    calls.py [--seconds N] [--seed N]

Environment: PYTHONPATH with the package, TESSERA_LIBRARY, and TESSERA_PATH, the folder of the engines that ship. Each round is a
process of 250 calls. It begins with the seeds in calls.txt, which found something once. A call must end in a result or
in an error with a status that is documented, and a message: not in a signal or a wait. Otherwise the status is 1, and the seed is printed.
The last line says how many calls there were, and how many were accepted; a function that never accepts anything is a fault
of this file.
"""

import argparse
import ctypes
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tessera_layout import _native as native

SEEDS = Path(__file__).with_name("calls.txt")
ENGINES = ["flow", "grid", "mosaic", "justified", "waterfall", "table", "timetable", "treemap", "compositional", "stagger"]
#: So many calls of a function are enough for one that is accepted.
ENOUGH = 200
STATUSES = {0, 1, 64, 65, 66, 69, 70, 73, 75, 76, 77}
ENDS = [0, 1, 2, 3, 2**31, 2**32, 2**48, 2**53, 2**61, 2**62, 2**63, 2**64]
REALS = [0.0, -0.0, 5e-324, 1e-9, 0.5, 1.0, 100.0, 1e9, 1e12, 1e15, 1e300, 1.7e308]


def whole(chance):
    """A number, which prefers the ends of ranges."""
    if chance.random() < 0.4:
        return chance.randrange(20)
    number = chance.choice(ENDS) + chance.randrange(-3, 4)
    return -number if chance.random() < 0.15 else number


def real(chance):
    if chance.random() < 0.5:
        return chance.choice([10, 50, 100, 320, 375.5])
    return chance.choice([-1, 1]) * chance.choice(REALS)


def make_calls(seed):
    """Calls functions of one session in random order. What a program promises is kept: a pointer has as many values as
    its count says, unless the count is beyond any memory."""
    chance, library = random.Random(seed), native.library
    engines, session = library.engines_create(), ctypes.c_void_p()
    assert library.engines_add_folder(engines, os.environ["TESSERA_PATH"].encode()) == 0
    assert library.engines_set_time_limit(engines, 5.0) == 0
    # A layout of many items may take longer than that.
    assert library.engines_set_refusal_time(engines, 0) == 0
    assert library.session_create(engines, chance.choice(ENGINES).encode(), ctypes.byref(session)) == 0
    session = session.value
    keep, size, count = [], ctypes.sizeof(native.ElementStruct), ctypes.c_uint64()
    declared = {}
    for sort in range(9):
        found = native.DeclarationStruct()
        for index in range(library.session_declaration_count(session, sort)):
            library.session_get_declaration(session, sort, index, ctypes.byref(found), ctypes.sizeof(found))
            declared.setdefault(sort, []).append(found.name)

    def kept(thing):
        keep.append(thing)
        return thing

    def natural():
        return whole(chance) & (1 << 64) - 1

    def few():
        """A count of what is there: or far more than any memory holds."""
        return chance.choice([0, 1, 2, 3, 3, 3, 8]) if chance.random() < 0.8 else chance.choice([2**44, 2**48, 2**62, 2**64 - 99]) + 77

    def texts(n=8):
        return kept((ctypes.c_char_p * n)(*(chance.choice([b"a", b"b", b"c", b"d", b"\xff", b"", None]) for _ in range(n))))

    def counts(n=8):
        return kept((ctypes.c_uint64 * n)(*(natural() if chance.random() < 0.4 else chance.randrange(5) for _ in range(n))))

    def doubles(n=64):
        return kept((ctypes.c_double * n)(*(real(chance) if chance.random() < 0.9 else math.nan for _ in range(n))))

    def name(sort):
        return chance.choice(declared.get(sort, []) + [b"x", b"\xff\xfe", b"", None]) if chance.random() < 0.3 else chance.choice(declared.get(sort, [b"x"]))

    def stride():
        return chance.choice([0, 4, 8, 16, 24, 32, 2**20, 2**33, 2**64 - 1])

    def values():
        n, step = few(), stride()
        return doubles(), chance.choice([1, 2, 4, 0, 2**32 - 1]), n, step if n > 8 or step <= 64 else 8

    def arrow(depth=0):
        schema, array = kept(native.ArrowSchema()), kept(native.ArrowArray())
        schema.format = chance.choice([b"g", b"g", b"f", b"c", b"b", b"l", b"u", b"U", b"vu", b"+w:2", b"+w:4", b"+w:-1", b"+s", b"", b"\xff", b"+w:99999999999999999999"])
        array.length = chance.choice([3, 3, 3, 0, 1, -1, 2**40, 2**62, 2**63 - 1])
        array.offset = chance.choice([0, 0, 0, 1, 8, -1, 2**45, 2**63 - 1])
        array.null_count = chance.choice([0, 0, 0, -1, 1, 3, -2, 2**63 - 1])
        array.n_buffers = chance.choice([2, 2, 2, 3, 3, 4, 1, 0, -1])
        buffers = kept((ctypes.c_void_p * 8)())
        for place in range(8):
            memory = kept((ctypes.c_uint8 * 4096)(*([chance.choice([0, 1, 3, 255])] * 16 if chance.random() < 0.3 else [])))
            buffers[place] = ctypes.addressof(memory) if chance.random() < 0.9 else None
        if chance.random() < 0.95: array.buffers = buffers
        array.n_children = schema.n_children = chance.choice([0, 0, 1]) if depth == 0 else 0
        if chance.random() < 0.1: array.n_children = chance.choice([1, 2, -1, 2**62])
        if depth < 2 and (array.n_children == 1 or schema.format.startswith(b"+w")):
            inner_schema, inner = arrow(depth + 1)
            schema.n_children = array.n_children = 1
            schema.children = kept((ctypes.POINTER(native.ArrowSchema) * 1)(ctypes.pointer(inner_schema)))
            array.children = kept((ctypes.POINTER(native.ArrowArray) * 1)(ctypes.pointer(inner)))
        if depth == 0 and chance.random() < 0.2:
            inner_schema, inner = arrow(2)
            schema.dictionary, array.dictionary = ctypes.pointer(inner_schema), ctypes.pointer(inner)
        if chance.random() < 0.95:
            release = kept(ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda _: None))
            schema.release = array.release = release
        return schema, array

    def supply(_, __):
        for _ in range(chance.randrange(3)):
            library.session_set_values(session, chance.choice([0, 1]), name(3), *values())
            library.session_content_size(session, ctypes.byref(ctypes.c_double()), ctypes.byref(ctypes.c_double()))
        return chance.choice([0, 0, 0, 5])

    def edits():
        n = few()
        return kept((native.EditStruct * 8)(*(
            native.EditStruct(chance.randrange(-1, 11), chance.choice([0, 1, 2, 3, 2**32 - 1]), *(natural() if chance.random() < 0.3 else chance.randrange(4) for _ in range(4)))
            for _ in range(8)))), n  # fmt: skip

    def elements():
        room = chance.choice([0, 3, 16])
        return kept((native.ElementStruct * 16)()), chance.choice([size] * 8 + [0, 1, 2**63, size + 4]), room, ctypes.byref(count)

    def columns():
        one, two = kept(native.ColumnsStruct()), kept(native.BatchStruct())
        return ctypes.byref(one), ctypes.sizeof(one), ctypes.byref(two), ctypes.sizeof(two)

    callback, pair = kept(native.SUPPLY(supply)), (ctypes.byref(ctypes.c_double()), ctypes.byref(ctypes.c_double()))
    choices = {
        "set_bounds": lambda: (real(chance), real(chance)), "set_offset": lambda: (real(chance), real(chance)),
        "set_content_insets": lambda: [real(chance) for _ in range(4)], "set_safe_area": lambda: [real(chance) for _ in range(4)],
        "set_scale": lambda: (real(chance),), "set_direction": lambda: (chance.randrange(-1, 3),),
        "set_element_limit": lambda: (natural(),), "set_sections": lambda: (counts(), few()),
        "set_parameter": lambda: (name(0), doubles(), chance.choice([0, 1, 2, 4, 2**32 - 1])),
        "set_parameter_choice": lambda: (name(0), chance.choice([b"", b"x", b"vertical", b"\xff", None])), "reset_parameter": lambda: (name(0),),
        "set_values": lambda: (chance.choice([0, 1, 2]), name(2), *values()), "set_list": lambda: (name(7), few()),
        "splice_values": lambda: (chance.choice([0, 1, 2]), name(2), natural(), natural(), *values()),
        "splice_value_choices": lambda: (chance.choice([0, 1]), name(2), natural(), natural(), texts(), few(), chance.choice([0, 8, 2**63])),
        "set_measured": lambda: (chance.choice([None, None, name(4)]), natural(), natural(), doubles(), few()),
        "withdraw_measured": lambda: (chance.choice([None, None, name(4)]), natural(), natural(), natural()),
        "proposed_size": lambda: (chance.choice([None, None, name(4)]), natural(), natural(), *pair),
        "set_time_limit": lambda: (min(chance.choice([real(chance), 10.0]), 10.0),),
        "watch": lambda: (ctypes.byref(kept(ctypes.c_int32())), ctypes.byref(kept(ctypes.c_uint32()))),
        "drag_begin": lambda: (natural(), natural()),
        "drag_to": lambda: (real(chance), real(chance), ctypes.byref(count), ctypes.byref(count)),
        "drag_held": lambda: (kept(native.ElementStruct()), size), "drag_end": lambda: (kept(native.EditStruct()), ctypes.byref(count)),
        "drag_cancel": lambda: (), "moment_tracks": lambda: (real(chance), kept((ctypes.c_uint64 * 8)()), 8, ctypes.byref(count)),
        "prepare_begin": lambda: (ctypes.byref(kept(ctypes.c_int32())),), "prepare_finish": lambda: (),
        "find_at": lambda: (real(chance), real(chance), kept(native.ElementStruct()), size),
        "find_next": lambda: (natural(), natural(), chance.randrange(-1, 5), kept(native.ElementStruct()), size),
        "offset_revealing": lambda: (natural(), natural(), chance.randrange(-1, 5), *pair),
        "set_value_choices": lambda: (chance.choice([0, 1]), name(2), texts(), few(), chance.choice([0, 8, 2**63])),
        "set_list_column": lambda: (name(7), chance.choice([b"parent", b"width", b"size", b"x", None]), *values()),
        "set_list_choices": lambda: (name(7), b"kind", texts(), few(), 8),
        "set_values_arrow": lambda: (chance.choice([0, 1]), name(2), *map(ctypes.byref, arrow())),
        "content_size": lambda: pair, "offset": lambda: pair, "query_all": elements, "query_viewport": elements,
        "query_rect": lambda: (*(real(chance) for _ in range(4)), *elements()),
        "query_batch": lambda: (counts() if chance.random() < 0.7 else None, doubles(), few(), *columns()),
        "set_batch_columns": lambda: (texts(), few()),
        "set_batch_parameter_arrow": lambda: (name(0), *map(ctypes.byref, arrow())),
        "batch_message": lambda: (natural(),), "batch_code": lambda: (natural(),), "kind_name": lambda: (chance.choice([0, 1, 2**32 - 1]),),
        "get_declaration": lambda: (chance.randrange(-1, 11), chance.choice([0, 1, 2**32 - 1]), kept(native.DeclarationStruct()), 152),
        "resting_offset": lambda: (*(real(chance) for _ in range(4)), *pair),
        "call": lambda: (name(6), doubles(), chance.choice([0, 1, 2, 2**32 - 1]), doubles(), chance.choice([0, 1, 2, 4, 2**32 - 1])),
        "update_visible": lambda: (*edits(), counts(), few(), callback, None, ctypes.byref(count)),
        "update": lambda: (*edits(), counts(), few(), callback, None, ctypes.byref(count)),
        "update_identities": lambda: (texts(), texts(), (ctypes.c_uint64 * 1)(chance.choice([3, 8, 2**45])), 1, callback, None, ctypes.byref(count)),
        "copy_tracks": lambda: (natural(), kept((native.ElementStruct * 16)()), kept((native.ElementStruct * 16)()), kept((ctypes.c_uint32 * 16)()), size, chance.choice([0, 16]), ctypes.byref(count)),
        "query_moment": lambda: (real(chance), *elements()),
    }  # fmt: skip
    # Sections of three items, of which names have as many as they need.
    library.session_set_sections(session, (ctypes.c_uint64 * 1)(3), 1)
    made, accepted, start = Counter(), Counter(), time.monotonic()
    # Each call may take up to its limit.
    while made.total() < 250 and time.monotonic() - start < 30:
        chosen = chance.choice(sorted(choices))
        if chosen == "update_identities":
            # The identities before are as many as the items.
            library.session_set_sections(session, (ctypes.c_uint64 * 1)(chance.choice([3, 8, 2**45])), 1)
        status = getattr(library, f"session_{chosen}")(session, *choices[chosen]())
        made[chosen] += 1
        # Texts and counts have no status.
        accepted[chosen] += status == 0 if chosen not in ("batch_message", "batch_code", "kind_name") else bool(status)
        if isinstance(status, int) and status not in STATUSES:
            raise SystemExit(f"{chosen} returned {status}")
        if isinstance(status, int) and status and not library.session_message(session):
            raise SystemExit(f"{chosen} returned {status} without a message")
    library.session_destroy(session)
    library.engines_destroy(engines)
    print(json.dumps([made, accepted]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--calls", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.calls is not None:
        return make_calls(given.calls)
    made, accepted, start = Counter(), Counter(), time.monotonic()
    chance, waiting = random.Random(f"{given.seed} calls"), [int(text) for text in SEEDS.read_text().split()]
    with tempfile.TemporaryDirectory() as cache:
        # What the engines do here must not refuse them elsewhere.
        os.environ["XDG_CACHE_HOME"] = cache
        while waiting or time.monotonic() - start < given.seconds:
            seed = waiting.pop(0) if waiting else chance.randrange(1 << 48)
            try:
                result = subprocess.run([sys.executable, __file__, "--calls", str(seed)], capture_output=True, timeout=120)
            except subprocess.TimeoutExpired:
                sys.exit(f"calls.py: calls of seed {seed} do not end within 120 s")
            if result.returncode != 0:
                sys.exit(f"calls.py: calls of seed {seed}: status {result.returncode}: {result.stderr.decode()[-1500:]}")
            more, some = json.loads(result.stdout)
            made.update(more)
            accepted.update(some)
    print(f"{made.total():,} calls, {accepted.total():,} accepted, in {time.monotonic() - start:.0f} s")
    never = [name for name, count in made.items() if count >= ENOUGH and not accepted[name]]
    if never or not accepted.total():
        sys.exit(f"calls.py: libtessera never accepts {', '.join(never) or 'anything'}: {made}")


if __name__ == "__main__":
    main()
