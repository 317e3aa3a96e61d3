"""Reproducible archives: sorted, owned by root, with one date."""

import gzip
import io
import lzma
import os
import pathlib
import tarfile

# Extensions by compression.
ENDINGS = {"xz": ".tar.xz", "gzip": ".tar.gz", "none": ".tar"}


class Problem(Exception):
    """An error for the user, with an exit status."""

    def __init__(self, status, sentence):
        super().__init__(sentence)
        self.status = status


def tree(folder, name=""):
    """Files and links below a folder, by name in the archive."""
    found = {}
    for path in pathlib.Path(folder).rglob("*"):
        if path.is_symlink() or not path.is_dir():
            found[f"{name}{path.relative_to(folder).as_posix()}"] = path
    return found


def write_tar(stream, entries, date):
    """Writes paths or bytes by name. A name ending in / is an empty folder."""
    folders = {
        parent.as_posix() for name in entries for parent in pathlib.PurePosixPath(name).parents
    } - {"."}
    everything = {**{f"{name}/": None for name in folders}, **entries}
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive:
        for name, source in sorted(everything.items()):
            entry, content = tarfile.TarInfo(name.rstrip("/")), None
            entry.mtime, entry.mode = date, 0o644
            if name.endswith("/"):
                entry.type, entry.mode = tarfile.DIRTYPE, 0o1777 if name == "tmp/" else 0o755
            elif isinstance(source, pathlib.Path) and source.is_symlink():
                entry.type, entry.linkname, entry.mode = tarfile.SYMTYPE, os.readlink(source), 0o777
            else:
                content = source if isinstance(source, bytes) else source.read_bytes()
                entry.size = len(content)
                if isinstance(source, pathlib.Path) and os.access(source, os.X_OK):
                    entry.mode = 0o755 if source.stat().st_mode & 0o100 else 0o644
            archive.addfile(entry, io.BytesIO(content) if content is not None else None)


def write(folder, stem, entries, date, compression="xz"):
    """Writes a compressed archive of paths by name."""
    with open(folder / f"{stem}{ENDINGS[compression]}", "wb") as file:
        if compression == "xz":
            with lzma.open(file, "wb", preset=6) as stream:
                write_tar(stream, entries, date)
        elif compression == "gzip":
            # Without name and time.
            with gzip.GzipFile(
                filename="", fileobj=file, mode="wb", compresslevel=6, mtime=0
            ) as stream:
                write_tar(stream, entries, date)
        else:
            write_tar(file, entries, date)


def unpack(path, folder):
    """Unpacks an untrusted archive into a folder."""
    try:
        with tarfile.open(path) as archive:
            if hasattr(tarfile, "tar_filter"):
                archive.extraction_filter = staticmethod(tarfile.tar_filter)
            archive.extractall(folder)
    except (tarfile.TarError, EOFError, OSError, lzma.LZMAError, ValueError) as error:
        raise Problem(1, f"{path.name} cannot be unpacked: {error}") from error
