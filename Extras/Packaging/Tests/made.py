"""Shared by the tests: the release and how to run programs."""

import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent.parent
ROOT = HERE.parent.parent
# Set by Extras/Packaging/test.
products = prefix = release = None
is_quick = False


class Failed(Exception):
    """Has the failed program's output."""


def run(*command, folder=None):
    """Runs a program; returns status, output and errors."""
    return subprocess.run(
        list(map(str, command)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
    )


def expect(*command, folder=None):
    """Output of a successful program."""
    result = run(*command, folder=folder)
    if result.returncode:
        raise Failed(
            f"{command[0]} failed with status {result.returncode}: {result.stdout}{result.stderr}"
        )
    return result.stdout


def make(folder):
    """Makes a release in a new folder."""
    expect(HERE / "release", "--products", products, "--compression", "none", folder)


def packages():
    """Package files by package name."""
    return {path.name.partition("_")[0]: path for path in release.glob("*.deb")}
