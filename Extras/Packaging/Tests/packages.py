"""Contents and dependencies of the Debian packages, and that they run."""

import os
import re
import shutil
import tempfile
import unittest

import made
from made import HERE, ROOT, expect, run

VIEW = ["gir1.2-tesseragtk", "libtessera-gtk", "libtessera-gtk-dev", "tessera-view"]


def has_view():
    """Whether this machine can build the GTK view."""
    return (
        bool(shutil.which("g-ir-scanner"))
        and run("sh", "-c", "pkg-config --atleast-version=4.8 gtk4").returncode == 0
    )


class Packages(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.packages = made.packages()
        self.libraries = "lib/" + expect("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()

    def contents(self, package):
        """Files and links of a package, below /usr."""
        lines = expect(
            "sh", "-c", 'dpkg-deb --fsys-tarfile "$0" | tar t', self.packages[package]
        ).splitlines()
        return {line.removeprefix("./usr/") for line in lines if not line.endswith("/")}

    def field(self, package, name):
        return expect("dpkg-deb", "--field", self.packages[package], name).strip()

    def expect_parts(self, expected):
        for package, parts in expected.items():
            contents = self.contents(package)
            for part in [
                *parts,
                *(f"share/doc/{package}/{name}" for name in ("copyright", "changelog.gz")),
            ]:
                self.assertTrue(part in contents, f"{package} lacks usr/{part}")

    def test_each_package_has_its_parts(self):
        self.expect_parts(
            {
                "tessera": [
                    "bin/tessera",
                    "libexec/tessera/tessera-worker",
                    f"{self.libraries}/tessera/libTesseraFlow.so",
                    "share/man/man1/tessera.1.gz",
                    "share/bash-completion/completions/tessera",
                    "share/zsh/vendor-completions/_tessera",
                    "share/fish/vendor_completions.d/tessera.fish",
                ],
                "libtessera1": [
                    f"{self.libraries}/libtessera.so.1",
                    f"{self.libraries}/tessera/swift/libswiftCore.so",
                ],
                "libtessera-dev": [
                    f"{self.libraries}/libtessera.so",
                    f"{self.libraries}/pkgconfig/tessera.pc",
                    f"{self.libraries}/cmake/Tessera/TesseraConfig.cmake",
                    "include/tessera/tessera.h",
                    "include/tessera/tessera.hpp",
                    "include/tessera/tessera_host.h",
                    "share/tessera/rust/tessera.rs",
                    "share/tessera/swift/Package.swift",
                    "share/tessera/templates/shared/deb",
                ],
                "tessera-doc": [
                    "share/doc/tessera/README.md",
                    "share/doc/tessera/Sources/CTessera/include/tessera/tessera.h",
                ],
            }
        )

    def test_the_packages_of_the_view_have_their_parts(self):
        if not has_view():
            self.skipTest(
                "this machine lacks the headers of GTK 4.8 or g-ir-scanner, with which its packages"
                " are made"
            )
        self.expect_parts(
            {
                "libtessera-gtk": [f"{self.libraries}/libtessera-gtk.so.1"],
                "libtessera-gtk-dev": [
                    f"{self.libraries}/libtessera-gtk.so",
                    f"{self.libraries}/pkgconfig/tessera-gtk.pc",
                    "include/tesseragtk/tesseragtk.h",
                    "share/gir-1.0/TesseraGtk-1.gir",
                ],
                "gir1.2-tesseragtk": [f"{self.libraries}/girepository-1.0/TesseraGtk-1.typelib"],
                "tessera-view": ["bin/tessera-view"],
            }
        )
        depends = self.field("libtessera-gtk", "Depends")
        for library in ("libtessera1 (= ", "libc6 (>= ", "libgtk-4-1 (>= 4.", "libglib2.0-0"):
            self.assertIn(library, depends)

    def test_no_file_is_in_two_packages(self):
        expected = {
            "libtessera-dev",
            "libtessera1",
            "tessera",
            "tessera-doc",
            *(VIEW if has_view() else []),
        }
        self.assertEqual(set(self.packages), expected)
        owners = {}
        for package in self.packages:
            for path in self.contents(package):
                self.assertEqual(owners.setdefault(path, package), package, path)

    def test_together_they_hold_what_a_prefix_has(self):
        """Everything at its Debian path, except the list of files and libffi, which apt and Debian
        have.
        """
        files = [path for path in made.prefix.rglob("*") if path.is_symlink() or path.is_file()]
        installed = {path.relative_to(made.prefix).as_posix() for path in files}
        expected = set()
        for path in installed:
            path = re.sub("^lib/", f"{self.libraries}/", path).replace(
                "share/zsh/site-functions", "share/zsh/vendor-completions"
            )
            if path != "share/tessera/installed.txt" and "swift/libffi.so" not in path:
                expected.add(f"{path}.gz" if path.startswith("share/man/") else path)
        packages = [package for package in self.packages if package not in VIEW]
        # The view brings its pages.
        own = re.compile(
            r"share/doc/[^/]+/(copyright|changelog(\.Debian)?\.gz)"
            r"|share/lintian/.*|share/doc/tessera/Extras/.*"
        )
        packed = {
            path
            for package in packages
            for path in self.contents(package)
            if not own.fullmatch(path)
        }
        self.assertEqual(packed, expected, "the packages and an installed core differ")

    def test_no_package_has_a_script(self):
        """A script could remove a user's files."""
        for name, path in self.packages.items():
            lines = expect("sh", "-c", 'dpkg-deb --ctrl-tarfile "$0" | tar t', path).splitlines()
            parts = {line.removeprefix("./") for line in lines} - {""}
            self.assertTrue(
                "control" in parts and parts <= {"control", "md5sums", "shlibs", "triggers"},
                f"{name}: {parts}",
            )

    def test_dependencies_are_those_of_the_loader(self):
        depends = self.field("tessera", "Depends")
        self.assertTrue(depends.startswith("libtessera1 (= "), depends)
        for library in ("libc6 (>= ", "libffi", "libstdc++6 (>= "):
            self.assertIn(library, depends)
        self.assertEqual(self.field("tessera-doc", "Depends"), "")

    def test_lintian_finds_no_errors(self):
        result = run(
            "lintian",
            "--allow-root",
            "--fail-on",
            "error",
            "--suppress-tags",
            "uses-no-compression-for-control-tarball,uses-no-compression-for-data-tarball",
            *sorted(self.packages.values()),
        )
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_they_run_in_a_new_system_and_leave_nothing(self):
        if made.is_quick:
            self.skipTest("--quick leaves it out")
        if os.getuid() != 0:
            self.skipTest("only root can make a system; run sudo Extras/Packaging/test")
        result = run(HERE / "package", "--test", made.release)
        if result.returncode == 77:
            self.skipTest(result.stderr.strip())
        self.assertTrue(
            result.returncode == 0 and result.stdout.endswith("passed\n"),
            result.stdout + result.stderr,
        )

    def test_wrong_arguments_are_rejected(self):
        with tempfile.TemporaryDirectory() as folder:
            for arguments, status, sentence in (
                ([], 64, "give one folder"),
                (["--compression", "rar", "/tmp"], 64, "give xz, zstd, gzip or none"),
                (["--test", folder], 66, "holds 0 of the 4 packages"),
                (["--products", folder, f"{folder}/new"], 70, "holds no tessera"),
            ):
                result = run(HERE / "package", *arguments)
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertIn(sentence, result.stderr)

    def test_each_program_has_help(self):
        for name in ("package", "release", "setup", "test"):
            self.assertIn(f"Extras/Packaging/{name}", expect(HERE / name, "--help"))

    def test_the_page_has_the_version_of_the_command(self):
        version = expect(made.products / "tessera", "--version").split()[1]
        page = (HERE / "README.md").read_text()
        named = re.findall(r"(?:tessera(?:_layout)?-|checkout v)(\d+\.\d+\.\d+)", page)
        self.assertGreater(len(named), 5)
        self.assertEqual(set(named), {version})
        self.assertIn(f"\n## {version} - 20", (ROOT / "CHANGELOG.md").read_text())
