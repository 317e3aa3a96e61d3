"""Made the pictures of this folder and texts.csv. The tests do not run it.

    make.py EXIFTOOL

Pillow 13.0.0 and pillow-heif 1.8.1 wrote the pictures and their EXIF, ExifTool 12.57 the IPTC and XMP, and
ImageMagick 6.9.11 the TIFF of the other byte order. The RAW files are built
here from the layouts that Adobe (DNG 1.6), and for the other two ExifTool, publish; ExifTool has to find the same previews in them.
texts.csv has the sizes as they are shown, and the texts as they were given.
"""

import csv
import io
import struct
import subprocess
import sys
from pathlib import Path

import pillow_heif
from PIL import Image

pillow_heif.register_heif_opener()
TAKEN = "2024:05:03 14:22:07"
ROWS = []


def quarters(w, h):
    """Red, green; blue, yellow."""
    image = Image.new("RGB", (w, h))
    for x in range(w):
        for y in range(h):
            upper = (200, 30, 30) if x < w / 2 else (30, 160, 60)
            lower = (40, 60, 200) if x < w / 2 else (240, 220, 60)
            image.putpixel((x, y), upper if y < h / 2 else lower)
    return image


def exif(text=None, orientation=None, taken=TAKEN):
    tags = Image.Exif()
    if text is not None:
        tags[0x010E] = text
    if orientation is not None:
        tags[0x0112] = orientation
    if taken is not None:
        tags.get_ifd(0x8769)[0x9003] = taken
    return tags


def save(name, caption, tags, size=(24, 16), date="2024-05-03 14:22", tools=(), **options):
    quarters(*size).save(name, exif=tags, **options)
    if tools:
        subprocess.run([sys.argv[1], "-q", "-overwrite_original", *tools, name], check=True)
    turned = tags.get(0x0112, 1) >= 5
    row(name, size[::-1] if turned else size, date, caption)


def row(name, size, date, caption):
    ROWS.append([name, *size, date, caption])


def jpeg(size):
    data = io.BytesIO()
    quarters(*size).save(data, "jpeg", quality=60)
    return data.getvalue()


def directory(at, entries, following=0):
    """A directory of TIFF at a place, with the values that do not fit in it after it."""
    fixed, rest = struct.pack("<H", len(entries)), b""
    end = at + 2 + 12 * len(entries) + 4
    for tag, kind, count, value in sorted(entries):
        if isinstance(value, bytes):
            if len(value) > 4:
                value, rest = struct.pack("<I", end + len(rest)), rest + value + b"\0" * (len(value) % 2)
            fixed += struct.pack("<HHI", tag, kind, count) + value.ljust(4, b"\0")
        else:
            fixed += struct.pack("<HHII", tag, kind, count, value)
    return fixed + struct.pack("<I", following) + rest


def dng():
    """A directory with a thumbnail of raw values, one of a sensor's values, and one of a preview, which is turned."""
    small, large = jpeg((12, 8)), jpeg((36, 24))
    text = b"Harbour at dusk\0"
    first = lambda subs, details: directory(8, [
        (0x00FE, 4, 1, 1), (0x0100, 4, 1, 12), (0x0101, 4, 1, 8), (0x0103, 3, 1, 7), (0x0106, 3, 1, 6), (0x010E, 2, len(text), text),
        (0x0111, 4, 1, places[0]), (0x0112, 3, 1, 6), (0x0117, 4, 1, len(small)), (0x014A, 4, 2, subs), (0x8769, 4, 1, details),
        (0xC612, 1, 4, b"\1\6\0\0")])  # fmt: skip
    places = [0, 0]
    length = len(first(b"\0" * 8, 0))
    details = directory(0, [(0x9003, 2, 20, TAKEN.encode() + b"\0")])
    sensor_at = 8 + length + len(details)
    sensor = directory(sensor_at, [
        (0x00FE, 4, 1, 0), (0x0100, 4, 1, 4), (0x0101, 4, 1, 4), (0x0102, 3, 1, 8), (0x0103, 3, 1, 1), (0x0106, 3, 1, 32803),
        (0x0111, 4, 1, 8), (0x0115, 3, 1, 1), (0x0117, 4, 1, 16)])  # fmt: skip
    preview_at = sensor_at + len(sensor)
    preview = lambda place: directory(preview_at, [
        (0x00FE, 4, 1, 1), (0x0100, 4, 1, 36), (0x0101, 4, 1, 24), (0x0103, 3, 1, 7), (0x0106, 3, 1, 6), (0x0111, 4, 1, place),
        (0x0117, 4, 1, len(large))])  # fmt: skip
    places = [preview_at + len(preview(0)), preview_at + len(preview(0)) + len(small)]
    start = first(struct.pack("<II", sensor_at, preview_at), 8 + length)
    details = directory(8 + length, [(0x9003, 2, 20, TAKEN.encode() + b"\0")])
    Path("camera.dng").write_bytes(b"II*\0" + struct.pack("<I", 8) + start + details + sensor + preview(places[1]) + small + large)
    row("camera.dng", (24, 36), "2024-05-03 14:22", "Harbour at dusk")
    return large


def raf():
    data = io.BytesIO()
    quarters(30, 20).save(data, "jpeg", quality=60, exif=exif("Harbour at noon"))
    picture = data.getvalue()
    head = b"FUJIFILMCCD-RAW 0201FF383501" + b"X-T0".ljust(32, b"\0") + b"0100" + b"\0" * 20
    head += struct.pack(">II", 148, len(picture)) + b"\0" * 56
    assert len(head) == 148
    Path("camera.raf").write_bytes(head + picture)
    row("camera.raf", (30, 20), "2024-05-03 14:22", "Harbour at noon")


def box(name, *contents):
    data = b"".join(contents)
    return struct.pack(">I", 8 + len(data)) + name + data


def cr3():
    picture = jpeg((28, 18))
    text = b"Harbour at night\0"
    tiff = lambda entries: b"II*\0" + struct.pack("<I", 8) + directory(8, entries)
    canon = bytes.fromhex("85c0b687820f11e08111f4ce462b6a48")
    first = box(b"CMT1", tiff([(0x010E, 2, len(text), text), (0x0112, 3, 1, 8)]))
    second = box(b"CMT2", tiff([(0x9003, 2, 20, TAKEN.encode() + b"\0")]))
    moov = box(b"moov", box(b"uuid", canon, first, second))
    preview = box(b"PRVW", struct.pack(">IHHHHI", 0, 1, 28, 18, 1, len(picture)), picture)
    previews = box(b"uuid", bytes.fromhex("eaf42b5e1c984b88b9fbb7dc406e4d16"), struct.pack(">II", 0, 1), preview)
    Path("camera.cr3").write_bytes(box(b"ftyp", b"crx \0\0\0\1crx isom") + moov + previews + box(b"mdat", b"\0" * 16))
    row("camera.cr3", (18, 28), "2024-05-03 14:22", "Harbour at night")
    return picture


maker = "OLYMPUS DIGITAL CAMERA         "
utf8 = ["-codedcharacterset=utf8", "-iptc:Caption-Abstract=Le café à midi, 12 €"]
xmp = ["-XMP-dc:Description=Rock & <roll> “é”", "-XMP-dc:Description-de=Stein"]
save("exif.jpg", "Boats on the lake", exif("Boats on the lake", 6), quality=60)
save("iptc.jpg", "Le café à midi, 12 €", exif(maker), tools=utf8, quality=60)
save("latin.jpg", "Fenêtre ouverte", exif(maker), tools=["-iptc:Caption-Abstract=Fenêtre ouverte"], quality=60)
save("xmp.jpg", "Rock & <roll> “é”", exif(maker), tools=[*xmp, *utf8], quality=60)
save("blank.jpg", "", exif("  \n ", taken="0000:00:00 00:00:00"), date="", quality=60)
save("exif.png", "Boats on the lake", exif("Boats on the lake"))
save("xmp.png", "Rock & <roll> “é”", exif(maker), tools=xmp)
save("exif.webp", "Boats on the lake", exif("Boats on the lake"), quality=50)
save("xmp.webp", "Rock & <roll> “é”", exif(), tools=xmp, quality=50)
save("exif.avif", "Boats on the lake", exif("Boats on the lake"), quality=40)
save("exif.heic", "Boats on the lake", exif("Boats on the lake"), size=(64, 48), quality=40)
save("exif.tif", "Boats on the lake", exif("Boats on the lake", 6), tools=[f"-DateTimeOriginal={TAKEN}"], compression="tiff_lzw")
subprocess.run(["convert", "exif.png", "-strip", "-define", "tiff:endian=msb", "big-endian.tif"], check=True)
subprocess.run([sys.argv[1], "-q", "-overwrite_original", "-ImageDescription=Boats on the lake", f"-DateTimeOriginal={TAKEN}",
                "big-endian.tif"], check=True)  # fmt: skip
row("big-endian.tif", (24, 16), "2024-05-03 14:22", "Boats on the lake")
for name, option, expected in [("camera.dng", "-b -JpgFromRaw -PreviewImage", dng()), ("camera.cr3", "-b -PreviewImage", cr3())]:
    found = subprocess.run([sys.argv[1], *option.split(), name], capture_output=True, check=True).stdout
    assert expected in found, name
raf()
with open("texts.csv", "w", newline="") as texts:
    table = csv.writer(texts, lineterminator="\n")
    table.writerow(["name", "width", "height", "date", "caption"])
    table.writerows(sorted(ROWS))
