"""Attacks the playground's server.

    server.py COMMAND ATTACK

COMMAND is the built tessera. Exits with status 1 if the attack succeeds.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

COMMAND, ATTACK = sys.argv[1:]
HEADERS = Path(__file__).resolve().parents[3] / "Sources/CTessera/include"
# An engine whose prepare never returns.
HANGS = b"""
#include <tessera/tessera.h>
#include <unistd.h>
TESSERA_NOTE;
static tessera_status prepare(tessera_layout *layout, const tessera_input *input,
                              tessera_output *output) {
  (void)layout, (void)input, (void)output;
  for (;;) pause();
}
static const tessera_engine engine = {
  .struct_size = sizeof(tessera_engine), .id = "org.example.hangs", .name = "Hangs",
  .version = "1.0.0",
  .author = "Nobody", .license = "0BSD", .summary = "Hangs.", .prepare = prepare};
tessera_status tessera_register(const tessera_host *host, tessera_registry *registry) {
  (void)host;
  return registry->add_engine(registry, &engine);
}
"""


class Server:
    def __init__(self, *arguments, **environment):
        self.process = subprocess.Popen(
            [COMMAND, "play", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, **environment},
            # Ignored by background jobs.
            preexec_fn=lambda: [
                signal.signal(number, signal.SIG_DFL) for number in (signal.SIGINT, signal.SIGHUP)
            ],
        )
        self.address = self.process.stdout.readline().strip()
        self.place = (urlsplit(self.address).hostname, urlsplit(self.address).port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()

    def ask(self, **message):
        return self.post(json.dumps(message))

    def post(self, message):
        """The answer to a message; None for rows."""
        events = urlopen(self.address + "events", timeout=60)
        page = json.loads(events.readline()[len("data: ") :])["page"]
        request = Request(
            f"{self.address}ask/{page}",
            message.encode(),
            {"Origin": self.address[: self.address.index("/", 7)]},
        )
        with urlopen(request, timeout=120) as answer:
            return json.load(answer) if "json" in answer.headers["Content-Type"] else None


def idle_connections():
    """Silent connections don't block pages."""
    with Server("--no-open") as server:
        idle = [socket.create_connection(server.place) for _ in range(600)]
        begin = time.monotonic()
        for name in ["", "play.js", "play.css"]:
            with urlopen(server.address + name, timeout=5) as answer:
                assert answer.status == 200 and answer.read()
        assert time.monotonic() - begin < 8, "the page waited for the connections' deadlines"
        assert len(idle) == 600


def slow_head():
    """A connection without a whole head ends after 10 seconds, however slowly it sends."""
    seconds = 10  # README.md

    def time_until_end(pauses):
        """Sends a byte after each pause; returns when the server closed the connection."""
        with socket.create_connection(server.place) as slow:
            begin = time.monotonic()
            for byte, pause in zip(b"GET / HTTP/1.1\r\nX-Slow: " + b"x" * 200, pauses):
                slow.settimeout(pause)
                try:
                    while slow.recv(1 << 16):
                        pass
                    return time.monotonic() - begin
                except TimeoutError:
                    slow.send(bytes([byte]))
                except OSError:
                    return time.monotonic() - begin
            raise AssertionError("the connection is still open")

    attempts = {
        "nothing": [3 * seconds],
        "a byte each half second": [0.5] * 100,
        "a first byte late": [0.9 * seconds] + [0.5] * 100,
        "a last byte late": [0.1, 0.9 * seconds, 3 * seconds],
    }
    with Server("--no-open") as server, ThreadPoolExecutor(len(attempts)) as threads:
        for name, took in zip(attempts, threads.map(time_until_end, attempts.values())):
            # A busy machine is late, but never early.
            assert seconds - 0.5 < took < 1.4 * seconds, f"{name}: {took}"


def secret():
    """The secret is in no program's arguments and in no readable file."""
    with tempfile.TemporaryDirectory() as folder:
        browser, seen = Path(folder, "xdg-open"), Path(folder, "seen")
        browser.write_text(
            f'#!/bin/sh\n{{ echo "$@"; stat -c %a "$1"; cat "$1"; }} > {seen}.part\n'
            f"mv {seen}.part {seen}\n"
        )
        browser.chmod(0o755)
        with Server(
            DISPLAY=":0", XDG_RUNTIME_DIR=folder, PATH=f"{folder}:{os.environ['PATH']}"
        ) as server:
            end = time.monotonic() + 30
            while not seen.exists() and time.monotonic() < end:
                time.sleep(0.05)
            arguments, mode, page = seen.read_text().split("\n", 2)
            word = urlsplit(server.address).path.strip("/")
            assert len(word) == 32 and word not in arguments, arguments
            assert mode == "600", mode
            assert server.address in page, page


def option_as_engine():
    """Engine names can't be options."""
    with Server("--no-open") as server:
        for name in ["--help", "--version", "--level=thorough", "-h#x"]:
            answer = server.ask(do="check", engine=name)
            assert answer["passed"] is False, answer
            assert "USAGE" not in answer["text"] and name.split("#")[0] in answer["text"], answer
        # An argument would end at the NUL.
        answer = server.ask(do="check", engine="flow\0x")
        assert "NUL" in answer["message"], answer


def early_message():
    """A page that posts right after its first event is registered, and doesn't delay others."""
    with Server("--no-open") as server, ThreadPoolExecutor(8) as threads:
        for answer in threads.map(lambda _: server.ask(do="rest"), range(400)):
            assert answer["failed"] and "engine" in answer["message"], answer


def wild_messages():
    """Extreme numbers and nesting are answered, and the server goes on."""

    def message(**members):
        return json.dumps({"engine": "flow", **members})

    with Server("--no-open") as server:
        for number in ["1e30", "-1e30", "1e308", "9223372036854775807", "-1e19", "0.5"]:
            answer = server.post(
                message(do="rest", proposed=[0, 0], velocity=[0, 0])[:-1]
                + f', "section": {number}}}'
            )
            assert "give a whole number" in answer["message"], answer
            answer = server.post(
                message(do="show", scenario={})[:-1]
                + f', "view": [{number}, 0, {number}, {number}], "side": {number}}}'
            )
            assert answer is None or answer["failed"], answer
        for open_, close, value in ["[]0", ('{"a":', "}", "0")]:
            for depth in [511, 512, 100000]:
                answer = server.post(open_ * depth + value + close * depth)
                assert answer["failed"], answer
                answer = server.post(
                    message(do="show", view=[0, 0, 9, 9])[:-1]
                    + ', "scenario": {"parameters": {"a": '
                    + open_ * 509
                    + value
                    + close * 509
                    + "}}}"
                )
                assert "parameters.a" in answer["message"], answer


def leaves_nothing():
    """When the server ends, so does a running check with a hanging engine."""

    def descendants(process):
        children = [
            int(child)
            for path in Path(f"/proc/{process}/task").glob("*/children")
            for child in path.read_text().split()
        ]
        return children + [further for child in children for further in descendants(child)]

    def is_running(process):
        try:
            return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
        except OSError:
            return False

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(8) as threads:
        library = f"{folder}/libhangs.so"
        subprocess.run(
            ["gcc", "-shared", "-fPIC", "-o", library, f"-I{HEADERS}", "-x", "c", "-"],
            input=HANGS,
            check=True,
        )
        for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]:
            with Server("--no-open", "--timeout", "60") as server:
                threads.submit(server.ask, do="check", engine=library)
                end, before, found = time.monotonic() + 30, [], []
                while (len(found) < 2 or found != before) and time.monotonic() < end:
                    time.sleep(0.3)
                    before, found = found, descendants(server.process.pid)
                assert len(found) >= 2, found
                server.process.send_signal(number)
                assert server.process.wait(10) == -number
                time.sleep(1)
                left = [process for process in found if is_running(process)]
                assert not left, f"signal {number} leaves {left} of {found}"


{
    "idle-connections": idle_connections,
    "leaves-nothing": leaves_nothing,
    "slow-head": slow_head,
    "secret": secret,
    "option-as-engine": option_as_engine,
    "early-message": early_message,
    "wild-messages": wild_messages,
}[ATTACK]()
