"""Reads a PNG with zlib alone: prints its size, then the colour of each point X,Y given, as #rrggbbaa."""
import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
chunks, place = [], 8
while place < len(data):
    length, name = struct.unpack(">I4s", data[place:place + 8])
    body = data[place + 8:place + 8 + length]
    assert zlib.crc32(name + body) == struct.unpack(">I", data[place + 8 + length:place + 12 + length])[0]
    chunks.append((name, body))
    place += 12 + length
width, height, depth, kind, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
assert depth == 8 and kind in (2, 6) and interlace == 0
size = 4 if kind == 6 else 3
raw = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
rows, above = [], bytes(width * size)
for y in range(height):
    start = y * (width * size + 1)
    method, line = raw[start], bytearray(raw[start + 1:start + 1 + width * size])
    for x in range(len(line)):
        a = line[x - size] if x >= size else 0
        b, c = above[x], above[x - size] if x >= size else 0
        p = a + b - c
        paeth = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        line[x] = line[x] + (0, a, b, (a + b) // 2, paeth)[method] & 255
    above = bytes(line)
    rows.append(above)
print(width, height)
for point in sys.argv[2:]:
    x, y = map(int, point.split(","))
    pixel = rows[y][x * size:(x + 1) * size]
    print("#" + (pixel + b"\xff")[:4].hex())
