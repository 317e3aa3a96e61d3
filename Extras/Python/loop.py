"""The rows of justified, greedy, as a plain loop in numpy, to compare with."""

import numpy

TARGET, TOLERANCE, SPACING, INSET = 320.0, 0.25, 10.0, 10.0


def lay_out(ratios, width):
    """The frames of a section's items and the height of the content, by the defaults."""
    room = width - 2 * INSET
    least, most = room / TARGET * (1 - TOLERANCE), room / TARGET * (1 + TOLERANCE)
    sums, count = numpy.concatenate([[0], numpy.cumsum(ratios)]), len(ratios)
    ends, first, is_open = [], 0, False
    while True:
        item = max(int(numpy.searchsorted(sums, sums[first] + least)) - 1, first + 1)
        if item >= count:
            is_open = sums[count] - sums[first] < least
            break
        before, after = sums[item] - sums[first], sums[item + 1] - sums[first]
        if before < least:
            ideal, wider = ((room - (n - 1) * SPACING) / TARGET for n in (item - first, item - first + 1))
            if min(after - most, abs(after - wider) - abs(before - ideal)) <= 0:
                item += 1
                if item == count:
                    break
        ends.append(item)
        first = item
    ends = numpy.array(ends + [count])
    starts = numpy.concatenate([[0], ends[:-1]])
    lengths = ends - starts
    natural = (room - (lengths - 1) * SPACING) / (sums[ends] - sums[starts])
    heights = numpy.clip(natural, TARGET / 2, TARGET * 2)
    scales = natural.copy()
    if is_open:
        heights[-1] = scales[-1] = min(heights[-2] if len(heights) > 1 else TARGET, natural[-1])
    tops = INSET + numpy.concatenate([[0], numpy.cumsum(heights + SPACING)[:-1]])
    row = numpy.repeat(numpy.arange(len(ends)), lengths)
    frames = numpy.empty((count, 4))
    frames[:, 2] = ratios * scales[row]
    frames[:, 3] = heights[row]
    frames[:, 1] = tops[row]
    frames[:, 0] = INSET + (sums[:-1] - sums[starts][row]) * scales[row] + (numpy.arange(count) - starts[row]) * SPACING
    return frames, tops[-1] + heights[-1] + INSET
