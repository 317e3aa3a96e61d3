#!/usr/bin/env python3
"""Gives random inputs to what takes them from outside, through the built programs.

    doors.py COMMAND DOOR... [--seconds N] [--seed N]

COMMAND is the built tessera, which lies with its engines. The doors:

    rows      runs and frames of an engine that prefers the ends of their ranges (needs gcc), in every command and format

Each begins with the inputs in Tests/Fixtures/fuzz, which found something once. Numbers prefer the ends of their
ranges. An input must end in a result or in an error with a status that is documented: not in a signal, a wait, or a
result that is none. Then the status is 1, and the input is printed. The last line of a door says how many there were, and
how many were accepted: a kind of input that never is, although there were many, is a fault of the door.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

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


DOORS = {"rows": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", metavar="COMMAND")
    parser.add_argument("doors", metavar="DOOR", nargs="*", help=", ".join(DOORS))
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    if set(given.doors) - set(DOORS):
        parser.error(f"there is no door {' '.join(set(given.doors) - set(DOORS))}; give some of {', '.join(DOORS)}")
    built = Path(given.command).resolve().parent
    os.environ["TESSERA_PATH"], os.environ["TESSERA_WORKER"] = str(built), str(built / "tessera-worker")
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
