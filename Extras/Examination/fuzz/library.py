"""The installed libtessera: its functions and structs, read from tessera_host.h."""

import ctypes
import mmap
import os
import random
import re
import subprocess
import sys
from ctypes import (
    POINTER,
    byref,
    c_char_p,
    c_double,
    c_int32,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from pathlib import Path


def installed(variable):
    """A variable of the installed Tessera's pkg-config file."""
    result = subprocess.run(
        ["pkg-config", f"--variable={variable}", "tessera-host"], stdout=subprocess.PIPE, text=True
    )
    if result.returncode:
        sys.exit(
            "pkg-config finds no installed Tessera; add lib/pkgconfig of its prefix to"
            " PKG_CONFIG_PATH"
        )
    return Path(result.stdout.strip())


HEADERS = installed("includedir")
TEXT = re.sub(r"//.*", "", (HEADERS / "tessera/tessera_host.h").read_text())
NUMBERS = {
    "double": c_double,
    "uint8_t": c_uint8,
    "uint32_t": c_uint32,
    "uint64_t": c_uint64,
    "int32_t": c_int32,
    "int64_t": ctypes.c_int64,
}
NUMBERS |= {name: c_int32 for name in re.findall(r"^typedef int32_t (\w+);", TEXT, re.MULTILINE)}
STATUSES = {0, 64, 65, 66, 69, 70, 73, 75, 76, 77}
MISUSED, INVALID, DIED, CANCELLED = 64, 65, 70, 75
INSERT, DELETE, MOVE, RELOAD, INSERT_SECTION, DELETE_SECTION, MOVE_SECTION, RELOAD_SECTION = range(
    1, 9
)
# Declarations, in the order of TESSERA_HOST_DECLARED_….
PARAMETERS, SECTION_VALUES, ITEM_VALUES, ATTRIBUTES, KINDS, DELEGATES, FUNCTIONS, LISTS, COLUMNS = (
    range(9)
)
REAL_ENDS = [0.0, 5e-324, 1e-9, 1e9, 1e12, 1e15, 1e300, 1.7e308, float("nan"), float("inf")]
WHOLE_ENDS = [0, 1, 2, 1 << 20, 1 << 31, 1 << 32, 1 << 48, 1 << 53, 1 << 62, 1 << 63]


def ctype(declared):
    """The type of a member or a parameter, such as "const char *name"."""
    kind = re.sub(r"\b(const|struct)\b", "", declared).split()[0].rstrip("*")
    if "*" in declared or "[" in declared or kind not in NUMBERS:
        return c_char_p if re.fullmatch(r"const char \*\w*", declared.strip()) else c_void_p
    return NUMBERS[kind]


def structs():
    for name, body in re.findall(r"struct (\w+) \{([^}]*)\}", TEXT):
        fields = []
        for declared in filter(str.strip, body.split(";")):
            function = re.search(r"\(\*(\w+)\)", declared)
            first, *others = [function[1]] if function else declared.split(",")
            kind = c_void_p if function else ctype(first.replace("[4]", "").replace("[16]", ""))
            for part in [first, *others]:
                array = re.search(r"\[(\d+)\]", part)
                member = re.search(r"(\w+)(?:\[\d+\])?\s*$", part)[1]
                fields.append((member, kind * int(array[1]) if array else kind))
        yield name.removeprefix("tessera_"), type(name, (ctypes.Structure,), {"_fields_": fields})


STRUCTS = dict(structs())
SIGNATURES = {
    name: (None if result.strip() == "void" else ctype(f"{result} {stars}"), parameters)
    for result, stars, name, parameters in re.findall(
        r"^((?:const )?\w+) (\**)(tessera_\w+)\(((?!\*)[^;]*)\);", TEXT, re.MULTILINE
    )
}
NAMES = sorted(SIGNATURES)
DELEGATE = ctypes.CFUNCTYPE(
    c_int32, c_void_p, POINTER(c_double), c_uint32, POINTER(c_double), c_uint32
)
MEASURE = ctypes.CFUNCTYPE(
    c_int32, c_void_p, c_uint64, c_uint64, POINTER(c_double), POINTER(c_double)
)
MEASURE_KIND = ctypes.CFUNCTYPE(
    c_int32, c_void_p, c_char_p, c_uint64, POINTER(c_double), POINTER(c_double)
)
PROGRESS = ctypes.CFUNCTYPE(c_int32, c_void_p, c_double)
SUPPLY = ctypes.CFUNCTYPE(c_int32, c_void_p, c_void_p)
RELEASE = ctypes.CFUNCTYPE(None, c_void_p)


class Report(ctypes.Structure):
    """What a process of the fuzzer reports to its parent, in shared memory."""

    _fields_ = [
        *[
            (name, c_uint64)
            for name in ("step", "function", "compared", "reloads", "forks", "failed")
        ],
        ("door", ctypes.c_char * 64),
        ("failure", ctypes.c_char * 4000),
        ("accepted", c_uint64 * len(NAMES)),
        ("refused", c_uint64 * len(NAMES)),
    ]


report = Report.from_buffer(mmap.mmap(-1, ctypes.sizeof(Report)))


def fail(text):
    """Ends the process: something is wrong."""
    if not report.failed:
        report.failed, report.failure = 1, text.encode("utf-8", "replace")[:3999]
    os._exit(3)


class Library:
    """`library.session_close(session)` calls, counts and checks `tessera_session_close`."""

    def __init__(self, is_traced):
        self.loaded, self.is_traced = (
            ctypes.CDLL(installed("libdir") / "libtessera.so.1"),
            is_traced,
        )

    def __getattr__(self, name):
        number = NAMES.index(f"tessera_{name}")
        function, (result, parameters) = self.loaded[NAMES[number]], SIGNATURES[NAMES[number]]
        function.restype = result
        function.argtypes = (
            [] if parameters == "void" else [ctype(part.strip()) for part in parameters.split(",")]
        )

        def call(*arguments):
            report.function = number
            found = function(*arguments)
            if result is c_int32 and found not in STATUSES:
                fail(f"{NAMES[number]} returned the status {found}, which is not documented")
            accepted = found == 0 if result is c_int32 else result is None or bool(found)
            (report.accepted if accepted else report.refused)[number] += 1
            if self.is_traced:
                print(f"  {name}{arguments[1:]}: {found}", file=sys.stderr)
            return found

        self.__dict__[name] = call
        return call

    def engines(self, *folders, **settings):
        """Engines with folders to search, and with settings such as `time_limit=2`."""
        engines = self.engines_create()
        for folder in folders:
            if self.engines_add_folder(engines, folder.encode()):
                fail(f"there are no engines: {self.engines_message(engines)}")
        for name, value in settings.items():
            if getattr(self, f"engines_set_{name}")(engines, value):
                fail(f"{name} cannot be set: {self.engines_message(engines)}")
        return engines


class Chance(random.Random):
    """Random numbers that prefer the ends of their ranges."""

    def below(self, limit):
        return self.randrange(limit) if limit > 0 else 0

    def one_in(self, count):
        return self.randrange(count) == 0

    def end(self):
        return (self.choice(WHOLE_ENDS) + self.randrange(5) - 2) % 2**64

    def real(self):
        found = self.choice(REAL_ENDS) if self.one_in(3) else float(self.randrange(400))
        return -found if self.one_in(8) else found


def doubles(*numbers):
    return (c_double * max(len(numbers), 1))(*numbers)


def wholes(*numbers):
    return (c_uint64 * max(len(numbers), 1))(*numbers)


def texts(*names):
    return (c_char_p * max(len(names), 1))(
        *[name.encode() if name is not None else None for name in names]
    )


def elements(count):
    return (STRUCTS["element"] * max(count, 1))()


def size_of(struct):
    return ctypes.sizeof(struct)


def numbers_at(address, count, kind=c_double):
    return list((kind * count).from_address(address)) if address and count else []


__all__ = [name for name in globals() if not name.startswith("__")]
