#!/usr/bin/env python3
"""manual.py COMMAND DATE FOLDER [PROGRAM...]: writes manual pages with help2man.

COMMAND and its subcommands use swift-argument-parser, as does each PROGRAM, named in two words
like "tessera hello". DATE is that of the sources, such as 2026-11-27.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def main(command, date, folder, *programs):
    version = printed(command, "--version").split("\n")[0].split()[-1]
    names = {}
    for program in (command, *programs):
        described = json.loads(printed(program, "--experimental-dump-help"))["command"]
        above = tuple(described["commandName"].split())
        names.update(
            {above + words[1:]: (program, words[1:]) for words in subcommands(described, ())}
        )
    for words, (program, arguments) in names.items():
        others = [
            other
            for other in names
            if other != words and (len(other) <= 2 or other[: len(words)] == words)
        ]
        page = written(words, printed(program, *arguments, "--help"), others, version, date)
        (pathlib.Path(folder) / f"{'-'.join(words)}.1").write_text(page)


def subcommands(command, above):
    """The words of a command and of all below it: ("tessera", "trust", "add")."""
    words = (*above, command["commandName"])
    yield words
    for sub in command.get("subcommands", []):
        if sub["commandName"] != "help" and sub.get("shouldDisplay", True):
            yield from subcommands(sub, words)


def printed(program, *arguments):
    # Wide enough for unbroken examples, without external programs.
    return run([program, *arguments], {**os.environ, "COLUMNS": "1000", "PATH": ""})


def written(words, help, others, version, date):
    abstract = re.match(r"OVERVIEW: (.*)", help)[1]
    name = "-".join(words)
    with tempfile.TemporaryDirectory(prefix="tessera-manual-") as folder:
        folder = pathlib.Path(folder)
        (folder / "help").write_text(in_gnu_form(help))
        (folder / name).write_text(f"#!/bin/sh\ncat '{folder}/help'\n")
        (folder / name).chmod(0o755)
        related = ",\n".join(rf"\fB{'-'.join(other)}\fR(1)".replace("-", r"\-") for other in others)
        (folder / "more").write_text(f"[see also]\n{related}\n")
        page = run(
            [
                "help2man",
                "--no-info",
                "--name",
                abstract[0].lower() + abstract[1:].rstrip("."),
                "--version-string",
                f"{name} {version}",
                "--include",
                folder / "more",
                folder / name,
            ],
            {**os.environ, "LC_ALL": "C.UTF-8"},
        )
    # help2man knows only today's month.
    return re.sub(r'^(\.TH \S+ "1") "[^"]*"', rf'\1 "{date}"', page, flags=re.M)


def in_gnu_form(help):
    """The help with its usage first and headings that help2man knows."""
    usage = re.search(r"^USAGE: (.*)\n\n?", help, re.M)
    text = help.removeprefix("OVERVIEW: ")
    if usage:
        text = f"Usage: {usage[1]}\n\n" + text.replace(usage[0], "")
    text = re.sub(r"^  See '.*' for detailed help\.$", "", text, flags=re.M)
    text = re.sub(
        r"^([A-Z][A-Z -]*):?$", lambda found: f"\n*{found[1].capitalize()}*\n", text, flags=re.M
    )
    # Examples are verbatim after a prompt; descriptions are two spaces after options.
    text = re.sub(r"^  (?=tessera )", "  $ ", text, flags=re.M)
    text = re.sub(r"^(  --[a-z-]+)/(--no-[a-z-]+)", r"\1 / \2", text, flags=re.M)
    return re.sub(r"^(  -.{22}) (?=\S)", r"\1  ", text, flags=re.M)


def run(words, environment):
    result = subprocess.run(words, capture_output=True, text=True, env=environment)
    if result.returncode:
        sys.exit(f"manual.py: {pathlib.Path(words[0]).name} failed: {result.stderr.strip()}")
    return result.stdout


main(*sys.argv[1:])
