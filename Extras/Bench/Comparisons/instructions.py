"""Instruction counts under callgrind, which a busy machine doesn't change."""

import pathlib
import re
import shutil
import subprocess
import tempfile

from figures import Problem

# Repetitions in each function of bench-rows.
TIMES = {
    "prepare": 1,
    "sizes": 1,
    "derived": 100,
    "index": 1,
    "query": 100,
    "lookup": 100,
    "update": 1,
    "empty": 100,
}


def run(products):
    if not shutil.which("valgrind"):
        raise Problem(69, "this machine has no valgrind; Tools/setup --tests installs it")
    for name, number in count(products).items():
        print(f"{name:10} {number:12,}")
    return 0


def count(products):
    with tempfile.TemporaryDirectory(prefix="tessera-count-") as folder:
        names = [f"{name}_counted" for name in TIMES]
        # valgrind rejects Swift's debug sections.
        for path in [products.folder / "bench-rows", *products.folder.glob("libTessera*.so")]:
            subprocess.run(["strip", "-g", "-o", f"{folder}/{path.name}", path], check=True)
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/out"]
        command += [
            option for name in names for option in (f"--zero-before={name}", f"--dump-after={name}")
        ]
        command += [f"{folder}/bench-rows", "count", folder, "100000"]
        # Otherwise hashing differs between runs.
        environment = {"PATH": "/usr/bin:/bin", "SWIFT_DETERMINISTIC_HASHING": "1"}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        if done.returncode:
            raise Problem(
                70, f"bench-rows failed under callgrind: {done.stderr.strip().splitlines()[-1:]}"
            )
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
