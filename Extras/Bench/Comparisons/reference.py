"""Answers the queries of queries.cpp with shapely's STRtree and with numpy, on the same frames.

reference.py FRAMES reads four doubles per frame and prints nanoseconds per query.
"""

import statistics
import sys
import time

import numpy
import shapely

frames = numpy.fromfile(sys.argv[1]).reshape(-1, 4)
low, high = frames[:, :2].copy(), frames[:, :2] + frames[:, 2:]
right, bottom = high.max(axis=0)
tree = shapely.STRtree(shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1]))

state = 42


def random():
    global state
    state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
    return (state >> 11) * 2.0**-53


viewports = []
for _ in range(256):
    x = random() * max(0, right - 375)
    viewports.append((x, random() * max(0, bottom - 667)))


def median(runs, count, work):
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        for x, y in viewports[:count]:
            work(x, y)
        times.append((time.perf_counter() - start) / count * 1e9)
    return statistics.median(times)


def filtered(x, y):
    return numpy.flatnonzero(
        (low[:, 0] < x + 375) & (high[:, 0] > x) & (low[:, 1] < y + 667) & (high[:, 1] > y)
    )


print(f"shapely\t{median(5, 256, lambda x, y: tree.query(shapely.box(x, y, x + 375, y + 667)))}")
print(f"numpy\t{median(3, 8, filtered)}")
