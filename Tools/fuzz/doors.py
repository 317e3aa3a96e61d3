#!/usr/bin/env python3
"""Gives random inputs to what takes them from outside, through the built programs.

    doors.py COMMAND DOOR... [--seconds N] [--seed N] [--library FILE]

COMMAND is the built tessera, which lies with its engines; libtessera, for the door `calls`, is FILE. The doors:

    page      messages of a page of tessera play
    pictures  answers of the program for pictures, played by a script
    rows      runs and frames of an engine that prefers the ends of their ranges (needs gcc), in every command and format
    calls     functions of libtessera in random order: numbers, texts, lists of records, Arrow arrays, updates

Each begins with the inputs in Tests/Fixtures/fuzz, which found something once. Numbers prefer the ends of their
ranges. An input must end in a result or in an error with a status that is documented: not in a signal, a wait, or a
result that is none. Then the status is 1, and the input is printed. The last line of a door says how many there were, and
how many were accepted: a kind of input that never is, although there were many, is a fault of the door.
"""

import argparse
import ctypes
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

ROOT = Path(__file__).resolve().parents[2]
SEEDS = ROOT / "Tests/Fixtures/fuzz"
ENGINES = ["flow", "grid", "mosaic", "justified", "waterfall", "table", "timetable", "treemap", "compositional", "stagger"]
# So many inputs of a kind are enough for one that is accepted.
ENOUGH = 200
STATUSES = {0, 1, 64, 65, 66, 69, 70, 73, 75, 76, 77}
ENDS = [0, 1, 2, 3, 2**31, 2**32, 2**48, 2**53, 2**61, 2**62, 2**63, 2**64]
REALS = [0.0, -0.0, 5e-324, 1e-9, 0.5, 1.0, 100.0, 1e9, 1e12, 1e15, 1e300, 1.7e308]
TEXTS = ["", "a", "flow", "\0", "a\0b", "\ud800", "é" * 30, "=1+1", "\x1b[31m", "../..", "/dev/zero", "--help", "{", "%s%n", "x" * 5000]


class Found(Exception):
    """An input whose outcome is wrong."""


def whole(chance):
    if chance.random() < 0.4:
        return chance.randrange(20)
    number = chance.choice(ENDS) + chance.randrange(-3, 4)
    return -number if chance.random() < 0.15 else number


def real(chance):
    if chance.random() < 0.5:
        return chance.choice([10, 50, 100, 320, 375.5])
    return chance.choice([-1, 1]) * chance.choice(REALS)


def mutated(bytes_, chance):
    bytes_ = bytearray(bytes_)
    for _ in range(chance.randrange(1, 6)):
        place = chance.randrange(len(bytes_) + 1)
        match chance.randrange(4):
            case 0: bytes_[place:place] = bytes(chance.randrange(256) for _ in range(chance.randrange(1, 4)))
            case 1: del bytes_[place : place + chance.randrange(1, 9)]
            case 2: bytes_[place:place] = bytes_[place // 2 : place]
            case 3: bytes_[place : place + 1] = chance.choice([b"\0", b"\xff", b'"', b"[", b"}", b"-", b"1e999", b"\\u0000"])
    return bytes(bytes_)


def value(chance, depth=0):
    kind = chance.randrange(8 if depth < 3 else 5)
    if kind == 0: return whole(chance)
    if kind == 1: return real(chance)
    if kind == 2: return chance.choice(TEXTS)
    if kind == 3: return chance.choice([None, True, False])
    if kind == 4: return chance.choice(["item*9", "noise(item)*90+10", "row.x", "width/3", "1/0", "item*1e308*10"])
    if kind == 5: return {chance.choice(TEXTS + ["items", "values", "x"]): value(chance, depth + 1) for _ in range(3)}
    return [value(chance, depth + 1) for _ in range(chance.randrange(4))]


def scenario(chance):
    """A scenario whose keys mostly have values of their types."""
    def odd(usual):
        return value(chance) if chance.random() < 0.12 else usual

    found = {}
    for key, usual in (
        ("bounds", [real(chance), real(chance)]), ("offset", [real(chance), real(chance)]), ("scale", real(chance)),
        ("direction", chance.choice(["leftToRight", "rightToLeft"])), ("contentInsets", [real(chance) for _ in range(4)]),
        ("parameters", {chance.choice(["itemSize", "rowHeight", "spacing"]): chance.choice([[9, 9], real(chance)])}),
        ("itemValues", {chance.choice(["size", "weight", "aspectRatio"]): value(chance)}),
        ("rect", [real(chance) for _ in range(4)]), ("lists", {"groups": [{"children": [{}]}, value(chance)]}),
    ):  # fmt: skip
        if chance.random() < 0.15:
            found[key] = odd(usual)
    if chance.random() < 0.7:
        found["sections"] = odd([odd({"items": whole(chance)}) for _ in range(chance.randrange(4))])
    return found


def line(given):
    return json.dumps(given).encode("utf-8", "surrogatepass")


def seeds(door):
    path = SEEDS / door
    return [text for text in path.read_bytes().split(b"\n") if text] if path.exists() else []


def run(arguments, given=b"", seconds=120, **more):
    try:
        result = subprocess.run(arguments, input=given, capture_output=True, timeout=seconds, **more)
    except subprocess.TimeoutExpired:
        raise Found(f"no end within {seconds} s: {arguments}") from None
    if result.returncode not in STATUSES:
        raise Found(f"status {result.returncode}: {arguments}: {result.stderr[-600:]!r}")
    return result


# ---------------------------------------------------------------- doors: each yields its inputs, and the accepted ones, by their kinds


def page(command, chance, _):
    server = subprocess.Popen(
        [command, "play", "--no-open", "--timeout", "2", "--row-limit", "20000"], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True)  # fmt: skip
    try:
        address = server.stdout.readline().strip()
        events = urlopen(address + "events", timeout=30)
        name = json.loads(events.readline()[len("data: ") :])["page"]
        origin = address[: address.index("/", 7)]
        waiting = seeds("page")
        while True:
            asked = []
            if waiting:
                message = waiting.pop(0)
            else:
                engine = chance.choice(ENGINES)
                side = {"engine": engine, "scenario": scenario(chance)}
                given = {
                    "do": chance.choice(["engine", "show", "show", "rest", "update", "transition", "draw", "items", "open"]),
                    "side": chance.choice([0, 1, whole(chance)]), "usesTable": chance.random() < 0.5, **side,
                    "view": [real(chance) for _ in range(4)], "proposed": [real(chance), real(chance)], "velocity": [0, real(chance)],
                    "script": {"before": scenario(chance), "after": scenario(chance), "operations": value(chance)},
                    "from": side, "to": {"engine": chance.choice(ENGINES), "scenario": scenario(chance)},
                    "format": chance.choice(["svg", "html"]), "name": chance.choice(["a.csv", "a.ndjson", "a.json", "\0"]),
                    "text": chance.choice(["a,b\n1,2\n", "{}", "\0", "section,x\n9e99,1\n", json.dumps(scenario(chance))]),
                }  # fmt: skip
                for key in list(given):
                    if chance.random() < 0.03:
                        given[key] = value(chance)
                message = line(given)
                asked = [message] if isinstance(given["do"], str) else []
                if chance.random() < 0.2:
                    message = mutated(message, chance)
            kind, accepted = json.loads(message)["do"] if message in asked else "other", 0
            try:
                with urlopen(Request(f"{origin}{address[len(origin):]}ask/{name}", message, {"Origin": origin}), timeout=60) as answer:
                    if answer.headers["Content-Type"] == "application/json":
                        accepted = "failed" not in json.load(answer)
                    else:
                        accepted = 1
            except HTTPError:
                pass
            except Exception as failure:
                raise Found(f"{failure!r}, status {server.poll()}: {message!r}") from None
            yield {kind: 1}, {kind: accepted}
    finally:
        server.kill()
        server.communicate()


def pictures(command, chance, folder):
    built = Path(command).resolve().parent
    for name in ("tessera", "tessera-worker"):
        shutil.copy(built / name, folder / name)
    names = [f"{number}.png" for number in range(4)]
    (folder / "p").mkdir()
    for name in names:
        shutil.copy(ROOT / "Tests/Fixtures/pictures/plain.png", folder / "p" / name)
    program, said = folder / "tessera-pictures", folder / "said"
    program.write_text(f'#!/bin/sh\ncat >/dev/null\ncat "{said}.$1"\n')
    program.chmod(0o755)
    waiting = [text.decode("unicode_escape").encode("latin-1") for text in seeds("pictures")]
    while True:
        def answer():
            if waiting and chance.random() < 0.5:
                return waiting.pop(0)
            numbers = [f"{whole(chance)} {whole(chance)}", "300 200", "! it is broken", "sandbox full", "1e3 5", "", "jpeg 3\nabc",
                       f"jpeg {whole(chance)}", f"png {chance.randrange(9)}\n" + "x" * chance.randrange(9)]  # fmt: skip
            text = "\n".join(chance.choice(numbers) for _ in range(chance.randrange(1, 7))).encode() + b"\n"
            return mutated(text, chance) if chance.random() < 0.5 else text

        sizes = b"sandbox full\n" + b"300 200\n" * 4 if chance.random() < 0.5 else answer()
        (folder / "said.sizes").write_bytes(sizes)
        thumbnails = answer()
        (folder / "said.thumbnails").write_bytes(thumbnails)
        try:
            result = run([folder / "tessera", "layout", "justified", "--engines", built, "--images", "p", "--embed", "--format",
                          chance.choice(["svg", "html"])], cwd=folder)  # fmt: skip
            if result.returncode == 0 and any(text in result.stdout for text in (b"NaN", b"inf\"", b"nan\"")):
                raise Found("a drawing has a number that is none")
        except Found as failure:
            raise Found(f"{failure}\n{sizes!r} {thumbnails!r}") from None
        yield {"answers": 1}, {"answers": result.returncode == 0}


def rows(command, chance, folder):
    library, script = str(folder / "libends.so"), folder / "script.json"
    subprocess.run(["gcc", "-std=gnu11", "-shared", "-fPIC", "-I", ROOT / "Sources/CTessera/include", "-o", library,
                    ROOT / "Tests/Fixtures/engines/ends.c", "-lm"], check=True)  # fmt: skip
    waiting = [int(text) for text in seeds("rows")]
    more = ["--timeout", "2", "--row-limit", "20000"]
    while True:
        some = [waiting.pop(0) if waiting else chance.randrange(1 << 50) for _ in range(20)]
        found = [run([command, "layout", library, "--set", f"seed={seed}", "--format", "json", *more]) for seed in some]
        # What is laid out goes through every other command.
        good = [seed for seed, result in zip(some, found) if result.returncode == 0] + some[:2]
        for seed, other in zip(good[:3], reversed(good)):
            setting = ["--set", f"seed={seed}"]
            data = [{"parameters": {"seed": number}} for number in (seed, other)]
            script.write_text(json.dumps({"before": data[0], "after": data[1], "operations": []}))
            (folder / "other.json").write_text(json.dumps(data[1]))
            form = chance.choice(["json", "ndjson", "csv", "spreadsheet", "table", "svg", "html"])
            moving = chance.choice(["json", "svg", "html"])
            for arguments in (
                ["layout", library, *setting, "--format", form], ["layout", library, *setting, "--visible", "--format", form],
                ["layout", library, *setting, "--rect", f"0,0,{real(chance)},{abs(real(chance))}", "--format", "json"],
                ["update", library, "--script", str(script), "--format", moving],
                ["update", library, "--script", str(script), "--format", "csv", "--progress", "0.5"],
                ["transition", library, library, *setting, "--format", moving],
                ["snap", library, *setting, "--offset", f"{real(chance)},{real(chance)}"],
            ):  # fmt: skip
                try:
                    run([command, *arguments, *more])
                except Found as failure:
                    raise Found(f"seeds {seed} and {other}: {failure}") from None
        yield {"engines": len(some)}, {"engines": sum(result.returncode == 0 for result in found)}


def calls(_, chance, __):
    """Each round is a process, which a wrong answer would end."""
    waiting = [int(text) for text in seeds("calls")]
    while True:
        seed = waiting.pop(0) if waiting else chance.randrange(1 << 48)
        result = run([sys.executable, __file__, "", "--calls", str(seed)])
        if result.returncode != 0:
            raise Found(f"calls of seed {seed}: {result.stderr.decode()[-1500:]}")
        made, accepted = json.loads(result.stdout)
        yield made, accepted


def make_calls(seed):
    """Calls functions of one session in random order. What a program promises is kept: a pointer has as many values as
    its count says, unless the count is beyond any memory."""
    sys.path.insert(0, str(ROOT / "Sources/Bindings/Python"))
    from tessera_layout import _native as native

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


DOORS = {"page": page, "pictures": pictures, "rows": rows, "calls": calls}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", metavar="COMMAND")
    parser.add_argument("doors", metavar="DOOR", nargs="*", help=", ".join(DOORS))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--library", metavar="FILE")
    parser.add_argument("--calls", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.calls is not None:
        return make_calls(given.calls)
    if set(given.doors) - set(DOORS):
        parser.error(f"there is no door {' '.join(set(given.doors) - set(DOORS))}; give some of {', '.join(DOORS)}")
    built = Path(given.command).resolve().parent
    os.environ["TESSERA_PATH"], os.environ["TESSERA_WORKER"] = str(built), str(built / "tessera-worker")
    if given.library:
        os.environ["TESSERA_LIBRARY"] = str(Path(given.library).resolve())
    for door in given.doors or DOORS:
        made, accepted, start = Counter(), Counter(), time.monotonic()
        with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as cache:
            # What the engines do here must not refuse them elsewhere.
            os.environ["XDG_CACHE_HOME"] = cache
            try:
                for more, some in DOORS[door](given.command, random.Random(f"{given.seed} {door}"), Path(folder)):
                    made.update(more)
                    accepted.update(some)
                    if time.monotonic() - start >= given.seconds:
                        break
            except Found as found:
                print(f"doors.py: {door}, seed {given.seed}, after {made.total()} inputs: {found}", file=sys.stderr)
                sys.exit(1)
        print(f"{door}: {made.total():,} inputs, {accepted.total():,} accepted, in {time.monotonic() - start:.0f} s", flush=True)
        never = [kind for kind, count in made.items() if count >= ENOUGH and not accepted[kind]]
        if never or not accepted.total():
            print(f"doors.py: {door} never accepts {', '.join(never) or 'anything'}: {made}", file=sys.stderr)
            sys.exit(1)


if __name__ == "__main__":
    main()
