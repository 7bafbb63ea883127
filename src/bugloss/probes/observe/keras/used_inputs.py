"""What ``predict`` and ``evaluate`` are given, compared with what the model was trained on.

Inputs of another scale were not prepared like the training data. Predictions for a source that shuffles come in an
order that no array of labels has.
"""

import sys

from . import data as sources
from . import datasets

LEAST_ROWS, MOST_ROWS = 20, 400
MOST_COLUMNS = 4096
FAR, WIDER = 4.0, 5.0  # training deviations between means; times the deviation: other units, not another sample
MOST_LOOKS = 3  # at one line
HALF = 0.5  # of the features


class UsedInputs(object):
    """Looks at the arguments of calls that answer for given samples."""

    def __init__(self, recorder, ledger):
        self.recorder, self.ledger = recorder, ledger
        self.noted = set()
        self.looks = {}  # by line

    def predicted(self, x, samples, place):
        """``samples``: how many answers there were."""
        if samples > 1 and shuffles(x):
            self.note("predicted-shuffled", place, samples=int(samples))
        self.compare(x, "predict", place)

    def compare(self, x, verb, place):
        """Whether arrays have the location and scale of the training inputs, feature by feature."""
        self.looks[place] = self.looks.get(place, 0) + 1
        if self.looks[place] <= MOST_LOOKS and self.ledger.purse.open:
            with self.ledger.purse:
                self.look(x, verb, place)

    def look(self, x, verb, place):
        numpy = sys.modules["numpy"]
        kept, parts = self.ledger.kept["train"], sources.parts_of(x)
        if kept.rows < LEAST_ROWS or not parts or len(parts) != 1 or parts[0].dtype.kind not in "iuf":
            return
        given = parts[0]
        if tuple(given.shape[1:]) != tuple(kept.shape) or len(given) < LEAST_ROWS or given[0].size > MOST_COLUMNS:
            return
        rows = numpy.asarray(given[:: max(len(given) // MOST_ROWS, 1)][:MOST_ROWS], dtype="float64")
        known = kept.stacked()
        width = kept.shape[-1] if kept.shape else 1
        own, other = known.reshape(-1, width), rows.reshape(-1, width)
        if not numpy.isfinite(own).all() or not numpy.isfinite(other).all():
            return
        means, deviations = own.mean(axis=0), own.std(axis=0)
        moving = (deviations > 0) & (other.std(axis=0) > 0)
        if not moving.any() or moving.mean() < HALF:
            return
        far = abs(other.mean(axis=0) - means)[moving] > FAR * deviations[moving]
        ratio = other.std(axis=0)[moving] / deviations[moving]
        differs = far | (ratio > WIDER) | (ratio < 1 / WIDER)
        if differs.mean() > HALF:
            self.note(
                "inputs-of-another-scale", place, verb=verb, mean=float(other.mean()), deviation=float(other.std()),
                training_mean=float(own.mean()), training_deviation=float(own.std()),
            )  # fmt: skip

    def note(self, kind, place, **facts):
        if (kind, place) not in self.noted:
            self.noted.add((kind, place))
            self.recorder.occasion(kind, place, **facts)


def shuffles(x):
    """Whether a source of samples gives them in a new order each time."""
    if datasets.is_dataset(x):
        spec = x.element_spec
        labelled = isinstance(spec, (list, tuple)) and len(spec) > 1
        return labelled and any(reshuffles(stage) for stage in datasets.stages_of(x))
    # The iterators of ImageDataGenerator: without labels there is nothing to compare with.
    labelled = getattr(x, "y", None) is not None or getattr(x, "classes", None) is not None
    return labelled and getattr(x, "shuffle", False) is True and hasattr(x, "index_array") and getattr(x, "n", 0) > 1


def reshuffles(stage):
    kind = datasets.kind_of(stage).lstrip("_")
    return kind == "ShuffleDataset" and getattr(stage, "_reshuffle_each_iteration", True) is not False
