"""Counts of instructions under callgrind, which repeat whatever else the machine does.

instructions.txt has the counts of a release build, which are what users run, and those of the build of
Tools/test, which is optimized too but keeps what tests reach, so its counts are a little higher. The test
suite compares the latter, Tools/bench --instructions the former.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from figures import ROOT, Problem

FILE = ROOT / "Tools/Bench/instructions.txt"
# How often each function of bench-rows does its work.
TIMES = {"prepare": 1, "sizes": 1, "derived": 100, "index": 1, "query": 100, "lookup": 100,
         "update": 1, "empty": 100}
TOLERANCE = 0.03
HEAD = """\
# Instructions, counted by callgrind: Tools/bench --record writes this file, and Tools/bench --instructions
# and the tests compare with it. They are for 100,000 items: a prepare, one with a size for each item, one of
# 100 items of a derived engine, the index, a query of a viewport, a lookup, an update with two changes,
# and an empty call.
"""


def run(products, records):
    if not shutil.which("valgrind"):
        print("Tools/bench: skipped, because this machine has no valgrind; Tools/setup --tests installs it")
        return 0
    parts = products.folder.parts
    build = "debug" if "debug" in parts else "tests" if "tests" in parts else "release"
    known, machine = read(), conditions()
    recorded = known.get(build, {})
    if not records and recorded.get("machine") != machine:
        print(f"Tools/bench: skipped, because the counts are those of {recorded.get('machine', 'no machine')}, "
              f"and this is {machine}; Tools/bench --record records them here")
        return 0
    counts = count(products)
    if records:
        known[build] = {"machine": machine, **{name: str(number) for name, number in counts.items()}}
        write(known)
        print(f"Tools/bench: wrote the counts of the {build} build to {FILE.relative_to(ROOT)}")
        return 0
    status = 0
    for name, number in counts.items():
        before = int(recorded.get(name, 0))
        change = number / before - 1 if before else float("inf")
        verdict = ""
        if change > TOLERANCE:
            status, verdict = 1, "slower"
        elif change < -TOLERANCE:
            verdict = "faster; record it with Tools/bench --record"
        print(f"{name:16} {number:12,} {before:12,} {change * 100:+7.1f} %  {verdict}".rstrip())
    if status:
        print(f"Tools/bench: more instructions than in {FILE.relative_to(ROOT)}, by more than 3 in 100; find the "
              "cause with callgrind_annotate, or record them with Tools/bench --record", file=sys.stderr)
    return status


def conditions():
    """What the counts depend on besides the sources."""
    swift = subprocess.run(["swiftc", "--version"], capture_output=True, text=True).stdout
    version = re.search(r"Swift version ([0-9.]+)", swift)
    libc = subprocess.run(["ldd", "--version"], capture_output=True, text=True).stdout.splitlines()[:1]
    valgrind = subprocess.run(["valgrind", "--version"], capture_output=True, text=True).stdout.strip()
    flags = pathlib.Path("/proc/cpuinfo").read_text()
    # The C library chooses its functions by the processor.
    wide = "with AVX2" if re.search(r"\bavx2\b", flags) else "without AVX2"
    return ", ".join([f"Swift {version[1] if version else '?'}", *(line.split()[-1] for line in libc), valgrind,
                      f"{subprocess.run(['uname', '-m'], capture_output=True, text=True).stdout.strip()} {wide}"])


def count(products):
    with tempfile.TemporaryDirectory(prefix="tessera-count-") as folder:
        names = [f"{name}_counted" for name in TIMES]
        # valgrind stops at what Swift writes for debuggers.
        for path in [products.folder / "bench-rows", *products.folder.glob("libTessera*.so")]:
            subprocess.run(["strip", "-g", "-o", f"{folder}/{path.name}", path], check=True)
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        command += [option for name in names for option in (f"--zero-before={name}", f"--dump-after={name}")]
        command += [f"{folder}/bench-rows", "count", folder, "100000"]
        # Hashing differs from run to run otherwise.
        environment = {"PATH": "/usr/bin:/bin", "SWIFT_DETERMINISTIC_HASHING": "1"}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise Problem(70, f"bench-rows failed under callgrind: {done.stderr.strip().splitlines()[-1:]}")
        counts = {}
        for path in pathlib.Path(folder).glob("out*"):
            text = path.read_text()
            trigger = re.search(r"^desc: Trigger: --dump-after=(\w+)_counted", text, re.M)
            total = re.search(r"^(?:totals|summary): (\d+)", text, re.M)
            if trigger and total:
                counts[trigger[1]] = int(total[1]) // TIMES[trigger[1]]
        missing = TIMES.keys() - counts.keys()
        if missing:
            raise Problem(70, f"callgrind counted no {', '.join(sorted(missing))}")
        return {name: counts[name] for name in TIMES}


def read():
    known = {}
    build = None
    for line in FILE.read_text().splitlines() if FILE.is_file() else []:
        if line.startswith("["):
            build = known.setdefault(line.strip("[]"), {})
        elif line and not line.startswith("#"):
            name, _, value = line.partition(": ")
            build[name] = value
    return known


def write(known):
    text = HEAD
    for build in sorted(known, reverse=True):
        text += f"\n[{build}]\n" + "".join(f"{name}: {value}\n" for name, value in known[build].items())
    FILE.write_text(text)
