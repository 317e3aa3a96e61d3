"""Engine packages from `make deb` in projects of `tessera new`."""

import pathlib
import shutil
import tempfile
import unittest

import made
from made import expect, run


class Engines(unittest.TestCase):
    def expect_package(self, *options):
        """The engine and its description are in a folder of the search path; the build is
        reproducible.
        """
        with tempfile.TemporaryDirectory() as folder:
            expect(
                made.prefix / "bin/tessera",
                "new",
                "BrickWall",
                "--author",
                "Ada Example",
                *options,
                folder=folder
            )
            project = pathlib.Path(folder) / "brick-wall"
            expect("make", folder=project)
            expect("make", "deb", folder=project)
            [package] = (project / "build").glob("tessera-engine-brick-wall_0.1.0_*.deb")
            first = package.read_bytes()
            self.assertRegex(expect("dpkg-deb", "--field", package, "Depends"), r"^tessera\b")
            self.assertRegex(
                expect("dpkg-deb", "--field", package, "Maintainer"), r"^Ada Example <"
            )
            self.assertRegex(
                expect("dpkg-deb", "--contents", package),
                r"(?m)^-rw-r--r-- root/root .* \./usr/lib/\w+-linux-gnu/tessera/libbrick-wall\.so$",
            )
            expect("./deb", "build/libbrick-wall.so", folder=project)
            self.assertTrue(package.read_bytes() == first, "the same library made another package")

    def test_one_in_c(self):
        self.expect_package("--language", "c")

    def test_one_in_c_that_is_derived(self):
        self.expect_package("--language", "c", "--base", "flow")

    def test_one_in_cpp(self):
        self.expect_package("--language", "cpp")

    def test_one_in_rust(self):
        if not shutil.which("rustc") or run("rustc", "--version").returncode:
            self.skipTest("there is no rustc; install Rust 1.77 or later from https://rustup.rs")
        self.expect_package("--language", "rust")
