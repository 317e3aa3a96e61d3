"""Writes the lies of the lying engine, from the installed headers of the contract.

Each number that an engine gives to its host is a place for a lie: members of structs and of
columns of rows, arguments of the host's functions, results and written arguments of the engine's,
results of published functions, declarations. They are read from the records as clang lays them
out; the types of signatures from the header. The file gets, in C: the places, the numbers at the
ends of each type's range, and wrappers around all functions that lie where the program wants it. A
function of the contract for which liar.c has no honest answer does not compile.
"""

import re
import struct
import subprocess
from pathlib import Path

NUMBERS = {
    "double": 8,
    "float": 4,
    "uint8_t": 1,
    "int8_t": 1,
    "uint16_t": 2,
    "int16_t": 2,
    "uint32_t": 4,
    "int32_t": 4,
    "uint64_t": 8,
    "int64_t": 8,
}
STRUCTS = {}  # by name: each member's offset and type
# Callers of a struct's functions, whose input selects the lie.
HOSTS = ["tessera_output", "tessera_host", "tessera_super", "tessera_query"]
ENGINES = [
    "tessera_engine",
    "tessera_sizing",
    "tessera_reordering",
    "tessera_snapping",
    "tessera_updates",
]
# Declared once per library.
TABLES = ["tessera_sizing", "tessera_reordering", "tessera_snapping", "tessera_updates"]
TYPES = {
    "bool": "uint8_t",
    "f32": "float",
    "f64": "double",
    "point": "tessera_point",
    "size": "tessera_size",
    "rect": "tessera_rect",
    "insets": "tessera_insets",
} | {
    f"{sign}{bits}": f"{name}{bits}_t"
    for sign, name in (("u", "uint"), ("i", "int"))
    for bits in (8, 16, 32, 64)
}

places = []  # name, type, offset, whether it is of a declaration


def read_structs(headers):
    """Reads the structs of all headers from clang's layout of records."""
    files = [headers / "tessera/tessera.h", *sorted((headers / "tessera/ext").glob("*.h"))]
    text = "".join(f"#include <{file.relative_to(headers)}>\n" for file in files)
    command = [
        "clang",
        "-std=c11",
        f"-I{headers}",
        "-Xclang",
        "-fdump-record-layouts-complete",
        "-fsyntax-only",
        "-x",
        "c",
        "-",
    ]
    dump = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    for record in dump.split("*** Dumping AST Record Layout\n")[1:]:
        (_, _, name), *members = re.findall(
            r"^ *(\d+) \| ( *)(?:(?:struct|union) )?(.+)$", record, re.MULTILINE
        )
        # Members of members are indented more.
        members = [
            (kind.rpartition(" "), int(offset))
            for offset, indent, kind in members
            if len(indent) == 2
        ]
        STRUCTS[name] = {member: (offset, kind) for (kind, _, member), offset in members}
    for file in files:
        for name in re.findall(r"^typedef int32_t (tessera_\w+);", file.read_text(), re.MULTILINE):
            NUMBERS[name] = 4


def plain(kind):
    return re.sub(r"\s*\b(_Nonnull|_Nullable|const)\b\s*", " ", kind).replace(" *", "*").strip()


def flat(kind, offset=0, path=""):
    """The numbers in a type: their places in it."""
    array = re.fullmatch(r"(\w+)\[(\d+)\]", kind)
    if array:
        return [
            (path + f"[{i}]", array[1], offset + i * NUMBERS[array[1]])
            for i in range(int(array[2]))
        ]
    if kind in NUMBERS:
        return [(path, kind, offset)]
    found = []
    for member, (start, inner) in STRUCTS.get(kind, {}).items():
        if "(" not in inner and "*" not in inner:
            found += flat(inner, offset + start, f"{path}.{member}")
    return found


def place(name, kind, declared=False):
    """Adds the places of a value; returns the C arguments that name them, or none."""
    first, numbers = len(places), flat(kind)
    places.extend((name + path, number, offset, declared) for path, number, offset in numbers)
    return f"{first}, {len(numbers)}" if numbers else None


def functions(name):
    for member, (_, kind) in STRUCTS[name].items():
        found = re.match(r"(.+?) ?\(\* (?:_Nonnull|_Nullable)\)\((.*)\)$", kind)
        if found:
            yield member, found[1], [part for part in found[2].split(", ") if part != "void"]


def wrapper(owner, member, result, parts, honest, is_engine):
    short = owner.removeprefix("tessera_")
    before, after, given = [], [], []
    # Structs by name, since "T * _Nonnull a" declares a qualified pointer.
    for number, part in enumerate(parts):
        kind, argument = plain(part), f"a{number}"
        target = kind.rstrip("*")
        where = f"{short}.{member}.{number}"
        if "*" not in kind and flat(kind):
            before.append(f"lie({place(where, kind)}, &{argument});")
        elif (
            kind.count("*") == 1
            and flat(target)
            and part.startswith("const ")
            and target in ("tessera_run", "tessera_value")
        ):
            if not is_engine:
                before.append(
                    f"{target} copy{number} = *{argument}; lie({place(where, target)},"
                    f" &copy{number}); {argument} = &copy{number};"
                )
        elif (
            is_engine
            and kind.count("*") == 1
            and flat(target)
            and not part.startswith("const ")
            and target not in STRUCTS
            or is_engine
            and target in ("tessera_size", "tessera_point")
            and "*" in kind
        ):
            after.append(f"lie({place(where, target)}, {argument});")
        if target == "tessera_input":
            before.insert(0, f"choose({argument});")
        given.append(argument)
    if is_engine:
        before = [line for line in before if line.startswith("choose")]
    if any("tessera_output" in part for part in parts) and is_engine:
        after.insert(0, "lie_in_rows();")
    if not is_engine and member in ("add", "get") and short == "output":
        after.append(f"if (result == 0) last_rows = *a{len(parts) - 1};")
    arguments = ", ".join(f"{part} a{number}" for number, part in enumerate(parts))
    call = f"{honest}({', '.join(given)})"
    lines = [f"static {result} lying_{short}_{member}({arguments}) {{"] + [
        "  " + line for line in before
    ]
    if result == "void":
        lines += [f"  {call};"] + ["  " + line for line in after] + ["}"]
    else:
        if flat(plain(result)) and is_engine:
            after.append(f"lie({place(f'{short}.{member}', plain(result))}, &result);")
        lines += (
            [f"  {result} result = {call};"]
            + ["  " + line for line in after]
            + ["  return result;", "}"]
        )
    return lines


def rows():
    yield "static void lie_in_rows(void) {"
    yield "  if (!last_rows || last_rows->count == 0) return;"
    for member, (_, kind) in STRUCTS["tessera_rows"].items():
        target = plain(kind).rstrip("*").strip()
        if "*" in kind and flat(target):
            yield (
                f"  if (last_rows->{member}) lie({place(f'rows.{member}', target)},"
                f" last_rows->{member});"
            )
    # The lying engine's attributes have all types, in order.
    for number, (member, (_, kind)) in enumerate(STRUCTS["tessera_value"].items()):
        yield (
            f"  if (last_rows->attributes && last_rows->attributes[{number}])"
            f" lie({place(f'rows.attributes.{member}', kind)}, last_rows->attributes[{number}]);"
        )
    yield "  last_rows = NULL;"
    yield "}"


def results(header):
    """A published function for each type of a signature."""
    types = (
        re.search(
            r"Signature: result\(argument,…\) with the types (.+?), at most", header, re.DOTALL
        )[1]
        .replace("//", " ")
        .split()
    )
    declared = []
    for name in types:
        if name != "void":
            yield (
                f"static {TYPES[name]} published_{name}(tessera_layout *layout, double number) {{"
                f" {TYPES[name]} found = {{0}}; (void)layout, (void)number;"
                f" lie({place(f'published.{name}', TYPES[name])}, &found); return found; }}"
            )
            declared.append(
                f'{{.name = "{name}OfOne", .signature = "{name}(f64)", .help = "A result.",'
                f" .published = (void (*)(void))published_{name}}}"
            )
    yield f"#define PUBLISHED {', '.join(declared)}"


def declarations():
    yield "static void lie_in_declarations(tessera_engine *engine) {"
    yield f"  lie({place('engine', 'tessera_engine', True)}, engine);"
    for member, (_, kind) in STRUCTS["tessera_engine"].items():
        target = plain(kind).rstrip("*").strip()
        if "*" in kind and "(" not in kind and flat(target):
            yield (
                f"  if (engine->{member}) lie({place(member, target, True)}, (void"
                f" *)engine->{member});"
            )
            if target == "tessera_list_declaration":
                yield (
                    f"  if (engine->{member}) lie({place('columns', 'tessera_parameter', True)},"
                    f" (void *)engine->{member}->columns);"
                )
    yield "}"
    for table in TABLES:
        yield (
            f"static const void *lied_{table}({table} *table) {{ lie({place(table, table, True)},"
            " table); return table; }"
        )


def ends(kind):
    if kind in ("double", "float"):
        numbers = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            5e-324,
            -5e-324,
            1e-9,
            2**31 + 1,
            2**53 + 2,
            1e12,
            1e13,
            -1e13,
            2.0**62,
            2.0**63,
            -(2.0**63),
            1e19,
            1e300,
            1.7976931348623157e308,
            -1e308,
            float("nan"),
            float("inf"),
            float("-inf"),
        ]
        if kind == "double":
            return [struct.unpack("<Q", struct.pack("<d", float(number)))[0] for number in numbers]
        return [
            struct.unpack(
                "<I",
                struct.pack(
                    "<f",
                    (
                        float(number)
                        if abs(number) < 3e38 or number != number or abs(number) == float("inf")
                        else 3.4e38
                    ),
                ),
            )[0]
            for number in numbers
        ]
    numbers = [0, 1, 2, 3, 7, 8, 127, 128, 255, 256, 4096, 4097, 65535]
    for power in (31, 32, 53, 61, 62, 63, 64):
        numbers += [2**power + more for more in (-2, -1, 0, 1)]
    return sorted({number % 2 ** (8 * NUMBERS[kind]) for number in numbers + [-1, -2]})


def write(file, headers):
    read_structs(headers)
    body = (
        list(rows())
        + list(results((headers / "tessera/tessera.h").read_text()))
        + list(declarations())
    )
    for owner in HOSTS:
        for member, result, parts in functions(owner):
            if member == "extension":
                continue
            body += wrapper(
                owner,
                member,
                result,
                parts,
                f"a0->{member}" if owner != "tessera_query" else f"real_query->{member}",
                False,
            )
    members = []
    for owner in ENGINES:
        for member, result, parts in functions(owner):
            if member in ("destroy", "extension", "end"):
                continue
            short = owner.removeprefix("tessera_")
            members.append(f"static {result} honest_{short}_{member}({', '.join(parts)});")
            body += wrapper(owner, member, result, parts, f"honest_{short}_{member}", True)
    kinds = sorted({number for _, number, _, _ in places})
    lines = [
        "// Written by generate.py.",
        "#pragma once",
        "#include <stdint.h>",
        (
            "typedef struct { const char *name; uint8_t type, size, is_declared; uint16_t offset; }"
            " lie_place;"
        ),
    ]
    for number, kind in enumerate(kinds):
        lines.append(
            f"static const uint64_t ends_{number}[] ="
            f" {{{', '.join(f'{end}u' + 'll' for end in ends(kind))}}}; // {kind}"
        )
    lines.append(
        "static const struct { const uint64_t *numbers; uint64_t count; } ends[] ="
        f" {{{', '.join(f'{{ends_{i}, sizeof ends_{i} / 8}}' for i in range(len(kinds)))}}};"
    )
    lines.append("static const lie_place places[] = {")
    lines += [
        f'  {{"{name}", {kinds.index(kind)}, {NUMBERS[kind]}, {int(declared)}, {offset}}},'
        for name, kind, offset, declared in places
    ]
    lines += [
        "};",
        "enum { PLACES = sizeof places / sizeof *places };",
        "#ifdef LIAR",
        "static void lie(int first, int count, void *value);",
        "static void choose(const tessera_input *input);",
        "static const tessera_rows *last_rows;",
        "static const tessera_query *real_query;",
        *members,
        *body,
        "#endif",
        "",
    ]
    Path(file).write_text("\n".join(lines))
