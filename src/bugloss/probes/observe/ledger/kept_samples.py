"""A few samples of each phase, kept until the program is over, and what they tell without any network.

Whether targets can be predicted from inputs at all (nearest neighbours, a linear fit), whether features are in the same
order in both phases, whether axes were mixed up, whether windows of one series are in both phases.
"""

import sys

from .windows import shared_windows
from .wrapping import wraps

MOST_ROWS = 400
MOST_VALUES = 4096  # of one sample
MOST_FEATURES = 256  # that neighbours and the linear fit look at
MOST_PROFILE = 32
LEAST_ROWS = 40
TOKENS = 128


class KeptSamples(object):
    """Rows of inputs and targets of one phase."""

    def __init__(self, place=None):
        self.place = place
        self.inputs, self.targets, self.shape = [], [], None
        self.marks = set()

    @property
    def rows(self):
        return len(self.inputs)

    def add(self, marks, inputs, targets=None):
        """``inputs`` and ``targets`` are arrays of as many rows, copied; a sample that was kept before is left out."""
        numpy = sys.modules["numpy"]
        if self.shape is not None and tuple(inputs.shape[1:]) != self.shape:
            return
        self.shape = tuple(inputs.shape[1:])
        for place in range(len(inputs)):
            if self.rows >= MOST_ROWS or marks[place] in self.marks:
                continue
            self.marks.add(marks[place])
            self.inputs.append(numpy.array(inputs[place]).reshape(-1))
            self.targets.append(None if targets is None else numpy.array(targets[place]).reshape(-1))

    def stacked(self):
        numpy = sys.modules["numpy"]
        return numpy.stack(self.inputs).astype("float64")

    def labels(self):
        """Classes as whole numbers, or real targets of one value; None where there are neither."""
        numpy = sys.modules["numpy"]
        sizes = {part.size for part in self.targets if part is not None}
        if len(sizes) != 1 or any(part is None for part in self.targets):
            return None, ""
        rows = numpy.stack(self.targets).astype("float64")
        if not numpy.isfinite(rows).all():
            return None, ""
        if rows.shape[1] > 1:
            one_hot = ((rows == 0) | (rows == 1)).all() and (rows.sum(axis=1) == 1).all()
            return (rows.argmax(axis=1), "classes") if one_hot else (None, "")
        flat = rows[:, 0]
        whole = (flat == numpy.floor(flat)).all() and len(numpy.unique(flat)) <= max(len(flat) // 5, 2)
        return (flat.astype("int64"), "classes") if whole else (flat, "real")


def tell(recorder, kept):
    """Writes the "samples" event of each phase; ``kept`` maps phases to what was kept of them."""
    numpy = sys.modules.get("numpy")
    if numpy is None:
        return
    known = {phase: samples for phase, samples in kept.items() if samples.rows >= LEAST_ROWS}
    with numpy.errstate(all="ignore"):
        for phase, samples in known.items():
            facts = facts_of(samples)
            training = known.get("train")
            if phase == "validation" and training is not None and training.shape == samples.shape:
                facts["shared_windows"] = shared_windows(samples.stacked(), training.stacked(), samples.shape)
            recorder.emit("samples", phase=phase, site=recorder.site_of(samples.place), **facts)


def facts_of(samples):
    inputs = samples.stacked()
    facts = {"samples": samples.rows, "shape": list(samples.shape)}
    facts.update(profile(inputs, samples.shape))
    facts.update(equal_rows(inputs, samples.shape))
    facts.update(roughness(inputs, samples.shape))
    facts["wraps"] = wraps(inputs, samples.shape)
    labels, kind = samples.labels()
    if labels is not None:
        facts["targets"] = kind
        facts.update(strength(features(inputs), labels, kind))
    return facts


def features(inputs):
    """Columns of like scale; of token numbers how often each occurs."""
    numpy = sys.modules["numpy"]
    if is_tokens(inputs):
        width = min(int(inputs.max()) + 1, TOKENS)
        columns = numpy.zeros((len(inputs), width))
        for row, tokens in enumerate(inputs.astype("int64") % width):
            columns[row] = numpy.bincount(tokens, minlength=width)
    else:
        stride = -(-inputs.shape[1] // MOST_FEATURES) | 1 if inputs.shape[1] > MOST_FEATURES else 1
        columns = inputs[:, ::stride]
    deviation = columns.std(axis=0)
    return ((columns - columns.mean(axis=0)) / numpy.where(deviation > 0, deviation, 1.0))[:, deviation > 0]


def is_tokens(inputs):
    numpy = sys.modules["numpy"]
    return bool(inputs.min() >= 0 and inputs.max() > 20 and (inputs == numpy.floor(inputs)).all())


def strength(columns, labels, kind):
    """How well targets can be predicted from inputs: 0 is chance, 1 is always right; by neighbours and a linear fit."""
    if not columns.shape[1]:
        return {}
    facts = {}
    if kind == "classes":
        chance = sum(float((labels == label).mean()) ** 2 for label in set(labels.tolist()))
        if chance >= 0.95:
            return {}
        near = float((labels[nearest(columns)] == labels).mean())
        facts["neighbours"] = (near - chance) / (1 - chance)
        facts["doubt"] = (chance * (1 - chance) / len(labels)) ** 0.5 / (1 - chance)
        facts["linear"] = linear_strength(columns, one_hot(labels), labels)
    else:
        centred = labels - labels.mean()
        variance = float((centred * centred).mean())
        if not variance:
            return {}
        facts["neighbours"] = float((centred * centred[nearest(columns)]).mean()) / variance
        facts["doubt"] = 1.0 / len(labels) ** 0.5
        facts["linear"] = linear_strength(columns, centred[:, None], None)
    return facts


def nearest(columns):
    """For each row the number of the row that lies nearest."""
    numpy = sys.modules["numpy"]
    squares = (columns * columns).sum(axis=1)
    distances = squares[:, None] + squares[None, :] - 2 * columns.dot(columns.T)
    numpy.fill_diagonal(distances, numpy.inf)
    return distances.argmin(axis=1)


def one_hot(labels):
    numpy = sys.modules["numpy"]
    known = numpy.unique(labels)
    return (labels[:, None] == known[None, :]).astype("float64")


def linear_strength(columns, wanted, labels, parts=4):
    """A ridge regression, judged on rows that it was not fitted to."""
    numpy = sys.modules["numpy"]
    rows = numpy.arange(len(columns))
    answers = numpy.zeros_like(wanted)
    penalty = 0.1 * len(columns) * numpy.eye(columns.shape[1])
    for part in range(parts):
        held = rows % parts == part
        middle = wanted[~held].mean(axis=0)
        left = columns[~held]
        weights = numpy.linalg.solve(left.T.dot(left) + penalty, left.T.dot(wanted[~held] - middle))
        answers[held] = columns[held].dot(weights) + middle
    if labels is None:
        return float(1 - ((answers - wanted) ** 2).sum() / (wanted**2).sum())
    chance = max(float((labels == label).mean()) for label in set(labels.tolist()))
    right = float((numpy.unique(labels)[answers.argmax(axis=1)] == labels).mean())
    return (right - chance) / (1 - chance) if chance < 1 else 0.0


def profile(inputs, shape):
    """Mean and deviation of each feature: a channel of images, a place on the last axis of anything else."""
    numpy = sys.modules["numpy"]
    if is_tokens(inputs) or not shape:
        return {}
    rows = inputs[:, : int(numpy.prod(shape))] if inputs.shape[1] == int(numpy.prod(shape)) else None
    if rows is None:
        return {}
    if len(shape) == 3 and shape[0] <= 4 < shape[-1]:
        columns = rows.reshape(len(rows), shape[0], -1).transpose(0, 2, 1).reshape(-1, shape[0])
    else:
        columns = rows.reshape(-1, shape[-1])
    if columns.shape[1] > MOST_PROFILE:
        return {}
    return {
        "means": [float(value) for value in columns.mean(axis=0)],
        "deviations": [float(value) for value in columns.std(axis=0)],
    }


def equal_rows(inputs, shape):
    """Largest distance of a row's mean from zero and of its deviation from one, and how unlike the features are."""
    if len(shape) != 1 or inputs.shape[1] < 4:
        return {}
    means, deviations, columns = inputs.mean(axis=1), inputs.std(axis=1), inputs.std(axis=0)
    moving = columns[columns > 0]
    return {
        "row_mean": float(abs(means).max()),
        "row_deviation": float(abs(deviations - 1).max()),
        "whole_mean": float(inputs.mean()),
        "whole_deviation": float(inputs.std()),
        "unlike": float(moving.max() / moving.min()) if moving.size else 1.0,
    }


def roughness(inputs, shape):
    """How much neighbours differ along the axes of images, as they are and read in the other order of axes.

    Images that were reshaped where their axes should have been permuted are smoother in the other reading.
    """
    numpy = sys.modules["numpy"]
    if len(shape) != 3 or inputs.shape[1] != int(numpy.prod(shape)):
        return {}
    first = shape[0] in (3, 4) and min(shape[1:]) > 4
    last = shape[-1] in (3, 4) and min(shape[:2]) > 4
    if first == last:
        return {}
    other = (shape[1], shape[2], shape[0]) if first else (shape[2], shape[0], shape[1])
    given = steps_along(inputs.reshape((len(inputs),) + tuple(shape)), first)
    turned = steps_along(inputs.reshape((len(inputs),) + other), not first)
    return {"roughness": list(given), "roughness_turned": list(turned)}


def steps_along(images, channels_first):
    """Mean difference between neighbours, downwards and across."""
    down, across = (2, 3) if channels_first else (1, 2)
    return tuple(float(abs(difference(images, axis)).mean()) for axis in (down, across))


def difference(images, axis):
    numpy = sys.modules["numpy"]
    return numpy.diff(images, axis=axis)
