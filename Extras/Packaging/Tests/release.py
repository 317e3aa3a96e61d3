"""Contents of a release, and --verify on intact and damaged ones."""

import pathlib
import tempfile
import unittest

import made
from made import HERE, ROOT, expect, run

# Rebuilds image and checksums after damage, to reach the inner checks.
SUMS = "rm SHA256SUMS; sha256sum * >../s; mv ../s SHA256SUMS"
# Damage as a line of shell, with --verify's status and message.
HARMS = {
    "a_file_that_changed": ("echo >>$(ls *.whl)", 1, ".whl is not what was released: its sum is "),
    "a_part_that_is_missing": (
        "rm RELEASE-NOTES.md; sed -i /NOTES/d SHA256SUMS",
        1,
        "lists 0 files for the release notes",
    ),
    "a_file_more": ("touch new", 1, "SHA256SUMS does not list new; remove it"),
    "a_line_that_is_no_sum": (
        "echo x >>SHA256SUMS",
        65,
        "/SHA256SUMS is no sum and name; download the file again",
    ),
    "a_list_of_parts_with_a_gap": (
        f"sed -i 0,/SPDXRef-Package-libffi/s//SPDXRef-Other/ *.json; {SUMS}",
        1,
        "relates SPDXRef-Package-libffi, which it does not list",
    ),
    "a_layer_that_changed": (
        (
            "mkdir ../i; tar xf *-image-*.tar -C ../i; blob=$(ls -S ../i/blobs/sha256/* | head"
            f" -1); printf x >>$blob; tar cf $(ls *-image-*.tar) -C ../i .; {SUMS}"
        ),
        1,
        "bytes with another sum as the blob ",
    ),
}


class Releases(unittest.TestCase):
    maxDiff = None

    def test_the_sums_are_those_of_the_system(self):
        checked = expect("sha256sum", "--check", "--strict", "SHA256SUMS", folder=made.release)
        self.assertEqual(len(checked.splitlines()), len(list(made.release.iterdir())) - 1)
        self.assertEqual(len(list(made.release.glob("*.whl"))), 1)

    def test_the_sources_are_those_of_the_commit(self):
        """Exactly the files that git lists for the commit."""
        [archive] = made.release.glob("tessera-*-source.tar")
        packed = {
            line.partition("/")[2]
            for line in expect("tar", "tf", archive).splitlines()
            if not line.endswith("/")
        }
        names = expect("git", "ls-files", "-z", folder=ROOT).rstrip("\0").split("\0")
        self.assertEqual(
            packed, {name for name in names if (ROOT / name).is_symlink() or (ROOT / name).exists()}
        )
        self.assertIn("README.md", packed)

    def test_it_is_verified(self):
        """--verify runs the first page's commands with the archive, the wheel and the image."""
        result = run(HERE / "release", "--verify", "--quick", made.release)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for pattern in (
            r"first page's commands run with \S+-linux-",
            r"first page's commands run with \S+\.whl\n",
            r"first page's commands run with \S+-image-|not tried: the image",
            r"\npassed",
        ):
            self.assertRegex(result.stdout, pattern)

    def test_the_same_commit_makes_the_same_bytes(self):
        """Packages, wheel, archives, site and image."""
        if made.is_quick:
            self.skipTest("--quick leaves it out")
        with tempfile.TemporaryDirectory() as folder:
            again = pathlib.Path(folder) / "again"
            made.make(again)
            result = run("diff", "-r", made.release, again)
            self.assertEqual(result.returncode, 0, result.stdout)

    def harm(self, line, status, sentence):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "release"
            expect("cp", "-R", "--reflink=auto", made.release, copy)
            expect("bash", "-ec", line, folder=copy)
            result = run(HERE / "release", "--verify", "--quick", copy)
            self.assertEqual(result.returncode, status, result.stderr)
            self.assertIn(sentence, result.stderr)
            self.assertNotIn("Traceback", result.stderr)
            self.assertNotIn("passed", result.stdout)

    def test_wrong_arguments_are_rejected(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "file").touch()
            for arguments, status, sentence in (
                ([folder], 73, "is there already; give a new folder"),
                (["--verify", folder], 66, f"there is no {folder}/SHA256SUMS"),
                (["--products", folder, f"{folder}/new"], 66, "holds no tessera"),
            ):
                result = run(HERE / "release", *arguments)
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertIn(sentence, result.stderr)
            self.assertFalse((pathlib.Path(folder) / "new").exists())


for name, arguments in HARMS.items():
    setattr(
        Releases,
        f"test_{name}_is_reported",
        lambda self, arguments=arguments: self.harm(*arguments),
    )
