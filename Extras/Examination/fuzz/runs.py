"""Runs of a fuzzer, each a process with a seed."""

import argparse
import shutil
import signal
import tempfile
import threading
import time
import traceback

import generate
from library import *

HERE = Path(__file__).resolve().parent


def mistaken(error):
    traceback.print_exception(error)
    fail(f"the fuzzer fails: {error!r}")


def outcome(given, seed, work, steps):
    """Runs a process to its end; returns what went wrong, or an empty text."""
    report.failed, report.failure, report.step = 0, b"", 0
    shutil.rmtree(f"{given.folder}/live", ignore_errors=True)
    os.makedirs(f"{given.folder}/live")
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        # Fuzzer bugs fail, too, in threads and callbacks.
        threading.excepthook = sys.unraisablehook = lambda raised: mistaken(raised.exc_value)
        try:
            work(given, seed, steps)
        except BaseException as error:  # noqa: BLE001
            mistaken(error)
        os._exit(0)
    last, moved = -1, time.monotonic()
    while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
        time.sleep(0.002)
        if report.step != last:
            last, moved = report.step, time.monotonic()
        if time.monotonic() - moved > 120:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return f"no end within 120 s in {NAMES[report.function]}"
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        pass
    if report.failed:
        return report.failure.decode("utf-8", "replace")
    code = os.waitstatus_to_exitcode(ended[1])
    return f"exit status {code} in {NAMES[report.function]}" if code else ""


def fuzz(description, work, is_every_function_needed):
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--seconds",
        metavar="N",
        type=float,
        default=60,
        help="start new runs for so long (default: 60)",
    )
    parser.add_argument(
        "--seed",
        metavar="N",
        type=int,
        default=1,
        help="the seed of the first run (default: 1); each run adds 1",
    )
    parser.add_argument(
        "--runs", metavar="N", type=int, help="the number of runs, instead of a time"
    )
    parser.add_argument(
        "--steps", metavar="N", type=int, default=400, help="the steps of a run (default: 400)"
    )
    parser.add_argument("--trace", action="store_true", help="print each call")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="tessera-fuzz-") as given.folder:
        build_engines(given.folder)
        return fuzz_in_folder(given, work, is_every_function_needed)


def build_engines(folder):
    """Three versions of the replaced engine, a file that is no library, and the liar."""
    os.makedirs(f"{folder}/versions")
    os.makedirs(f"{folder}/cache")
    generate.write(f"{folder}/lies.h", HEADERS)
    versions = [(f"v{version}.so", "versions.c", f"-DVERSION={version}") for version in (1, 2, 3)]
    for library, source, *options in [*versions, ("liar.so", "liar.c")]:
        flags = [
            "-std=gnu11",
            "-O1",
            "-w",
            "-shared",
            "-fPIC",
            f"-I{HEADERS}",
            f"-I{folder}",
            *options,
        ]
        subprocess.run(
            ["clang", *flags, HERE / source, "-o", f"{folder}/versions/{library}"], check=True
        )
    Path(f"{folder}/versions/none").write_text("no library")


def fuzz_in_folder(given, work, is_every_function_needed):
    start, failure, run = time.monotonic(), "", 0
    while not failure and (
        run < given.runs if given.runs else time.monotonic() - start < given.seconds
    ):
        failure = outcome(given, given.seed + run, work, given.steps)
        run += 1
    if failure:
        seed = given.seed + run - 1
        print(
            f"seed {seed}, step {report.step}, {report.door.decode()}, in {NAMES[report.function]}:"
            f" {failure}"
        )
        print(f"  again: --seed {seed} --runs 1 --steps {report.step + 1}")
        return 1
    for name, accepted, refused in zip(NAMES, report.accepted, report.refused):
        print(f"{name:45} {accepted:12} accepted {refused:12} refused")
    calls = sum(report.accepted) + sum(report.refused)
    print(
        f"{calls} calls, {report.compared} comparisons, {report.reloads} reloads, {report.forks}"
        " forks"
    )
    # A function that always fails is untested.
    never = [name for name, accepted in zip(NAMES, report.accepted) if not accepted]
    if never and is_every_function_needed and not given.runs:
        print(f"never accepted: {', '.join(never)}")
        return 1
    return 0


__all__ = [name for name in globals() if not name.startswith("__")]
