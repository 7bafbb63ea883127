"""Whether values of small unsigned integers ran over an end of their range and went on at the other.

Images minus their mean, taken in uint8, turn -1 into 255. Read on a circle of 256 levels such values lie close
together; as plain numbers they are at both ends, with next to nothing between, and neighbouring pixels jump.
"""

import sys

LEVELS = 256
LEAST_VALUES = 2000
FEW = 8  # levels at each end: fewer are black and white, not a range that was cut in two
GAP = 12  # levels without a value between the two ends
EVEN = 4.0  # times: counts next to 0 and next to 255 are alike where a range was cut; black and white are spikes
CLOSER = 0.6  # of the difference between neighbours that is left on the circle: whole images give 1


def wraps(inputs, shape):
    """Whether the samples look like wrapped integers; None where they are not integers of 256 levels."""
    numpy = sys.modules["numpy"]
    levels = levels_of(inputs)
    if levels is None or levels.size < LEAST_VALUES:
        return None
    counts = numpy.bincount(levels.reshape(-1), minlength=LEVELS)
    if not even_ends(counts):
        return False
    return cut_in_two(counts) or closer_on_circle(levels, shape)


def levels_of(inputs):
    """Values as whole numbers from 0 to 255, whatever scale and offset were applied to them since."""
    numpy = sys.modules["numpy"]
    values = numpy.unique(inputs.astype("float32"))
    if not 2 * FEW < len(values) <= LEVELS or not numpy.isfinite(values).all():
        return None
    step = float(values[-1] - values[0]) / (LEVELS - 1)  # wrapped values reach both ends
    levels = (inputs - float(values[0])) / step
    whole = numpy.rint(levels)
    return whole.astype("int64") if float(abs(levels - whole).max()) < 0.05 else None


def even_ends(counts):
    """Whether values are spread over the levels next to both ends in the same way."""
    numpy = sys.modules["numpy"]
    low, high = counts[:FEW].astype("float64"), counts[-FEW:].astype("float64")
    if (low > 0).sum() < FEW - 1 or (high > 0).sum() < FEW - 1:
        return False
    if max(low[0], high[-1]) > EVEN * numpy.median(numpy.concatenate([low, high])):
        return False
    return max(low.sum(), high.sum()) <= EVEN * min(low.sum(), high.sum())


def cut_in_two(counts):
    """Whether a stretch of levels between the ends is empty."""
    longest = run = 0
    for count in counts:
        run = 0 if count else run + 1
        longest = max(longest, run)
    return longest >= GAP


def closer_on_circle(levels, shape):
    """Whether neighbouring pixels are much closer if 255 lies next to 0."""
    numpy = sys.modules["numpy"]
    if len(shape) not in (2, 3) or levels.shape[1] != int(numpy.prod(shape)):
        return False
    images = levels.reshape((len(levels),) + tuple(shape))
    axis = 1 if shape[-1] <= 4 else 2 if len(shape) == 3 else 1
    steps = abs(numpy.diff(images, axis=axis))
    circular = numpy.minimum(steps, LEVELS - steps)
    return float(circular.mean()) < CLOSER * float(steps.mean())
