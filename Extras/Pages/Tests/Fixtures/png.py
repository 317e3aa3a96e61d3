"""Reads a PNG with zlib alone: prints its size, then the colour at each given point X,Y, as
#rrggbbaa.
"""

import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
chunks, place = [], 8
while place < len(data):
    length, name = struct.unpack(">I4s", data[place : place + 8])
    body = data[place + 8 : place + 8 + length]
    assert (
        zlib.crc32(name + body)
        == struct.unpack(">I", data[place + 8 + length : place + 12 + length])[0]
    )
    chunks.append((name, body))
    place += 12 + length
width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
assert depth == 8 and kind in (2, 6) and interlace == 0
size = 4 if kind == 6 else 3
raw = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
points = [tuple(map(int, point.split(","))) for point in sys.argv[2:]]
rows, above = [], bytes(width * size)
for y in range(max((y for _, y in points), default=-1) + 1):
    start = y * (width * size + 1)
    method, line = raw[start], bytearray(raw[start + 1 : start + 1 + width * size])
    if method == 1:
        for x in range(size, len(line)):
            line[x] = line[x] + line[x - size] & 255
    elif method == 2:
        line = bytearray(map(lambda value, up: value + up & 255, line, above))
    elif method == 3:
        for x in range(len(line)):
            line[x] = line[x] + ((line[x - size] if x >= size else 0) + above[x] >> 1) & 255
    elif method == 4:
        for x in range(len(line)):
            a, b, c = (
                (line[x - size] if x >= size else 0),
                above[x],
                above[x - size] if x >= size else 0,
            )
            # Distances of a, b and c from a + b - c.
            far_a, far_b, far_c = abs(b - c), abs(a - c), abs(a + b - 2 * c)
            best = a if far_a <= far_b and far_a <= far_c else b if far_b <= far_c else c
            line[x] = line[x] + best & 255
    above = bytes(line)
    rows.append(above)
print(width, height)
for x, y in points:
    pixel = rows[y][x * size : (x + 1) * size]
    print("#" + (pixel + b"\xff")[:4].hex())
