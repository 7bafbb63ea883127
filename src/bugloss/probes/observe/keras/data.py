"""What goes into a Keras model: arrays seen as a whole, generators and sequences as their batches go by.

Arrays are kept by reference and read at most once, up to 100,000 rows or 20 megabytes, by a fixed stride. A generator
is never asked for more than Keras asks of it.
"""

import functools
import os
import sys
import types

from ..labels import in_order
from . import numbers as figures

MOST_ROWS = 100000
MOST_BYTES = 20 * 1024 * 1024
PROBE_ROWS = 64
LOOKED_AT = 3  # batches of a generator that are looked at closely


def array_of(thing):
    """A NumPy array or view of what Keras accepts as one array; None where that would cost too much or is unknown."""
    numpy = sys.modules["numpy"]
    if isinstance(thing, numpy.ndarray):
        return thing
    if hasattr(thing, "iloc"):  # pandas
        return numpy.asarray(thing.iloc[:MOST_ROWS])
    if hasattr(thing, "tocsr"):  # scipy
        rows = max(min(MOST_ROWS, MOST_BYTES // (8 * max(thing.shape[1], 1))), 1)
        return thing.tocsr()[:rows].toarray()
    if hasattr(thing, "detach"):  # torch
        return thing.detach().cpu().numpy()
    if type(thing).__name__ == "EagerTensor" or (hasattr(thing, "shape") and hasattr(thing, "__array__")):
        return numpy.asarray(thing)
    if isinstance(thing, (list, tuple)) and thing and isinstance(thing[0], (int, float)) and len(thing) <= MOST_ROWS:
        return numpy.asarray(thing)
    return None


def parts_of(data):
    """The arrays of an input or target: one, a list of them, or a dictionary by name. None: not arrays at all."""
    if data is None:
        return []
    if isinstance(data, dict):
        found = [array_of(data[name]) for name in data]
    elif isinstance(data, (list, tuple)) and data and not isinstance(data[0], (int, float)):
        found = [array_of(part) for part in data]
    else:
        found = [array_of(data)]
    return found if found and all(part is not None and part.ndim for part in found) else None


def some_rows(array):
    """Rows spread evenly over an array, within our limits, and the stride that was taken."""
    per_row = max(array.nbytes // max(len(array), 1), 1)
    most = max(min(MOST_ROWS, MOST_BYTES // per_row), 1)
    stride = -(-len(array) // most) if len(array) > most else 1
    return array[::stride], stride


def take(data, rows):
    """The same rows of every array in an input, target or weight, as copies."""
    numpy = sys.modules["numpy"]
    if data is None:
        return None
    if isinstance(data, dict):
        return {name: take(part, rows) for name, part in data.items()}
    if isinstance(data, (list, tuple)) and data and not isinstance(data[0], (int, float)):
        return type(data)([take(part, rows) for part in data]) if type(data) in (list, tuple) else None
    array = array_of(data)
    return None if array is None else numpy.array(array[rows])


class Arrays(object):
    """Inputs, targets and sample weights of one phase, given as whole arrays."""

    def __init__(self, x, y=None, weights=None):
        self.x, self.y, self.weights = x, y, weights
        self.inputs = parts_of(x)
        self.targets = parts_of(y) or []
        self.hashes = None
        self.stride = 1

    @property
    def known(self):
        return bool(self.inputs)

    @property
    def samples(self):
        return len(self.inputs[0]) if self.inputs else None

    def split(self, share):
        """The two parts that ``validation_split`` makes: the last rows are held out."""
        cut = int(self.samples * (1.0 - share))
        return self.part(slice(0, cut)), self.part(slice(cut, None))

    def part(self, rows):
        return Arrays(view(self.x, rows), view(self.y, rows), view(self.weights, rows))

    def probe(self, size):
        """A fixed batch: samples spread over the whole, so that sorted classes are all met."""
        numpy = sys.modules["numpy"]
        size = min(size, self.samples)
        rows = numpy.unique(numpy.linspace(0, self.samples - 1, size).astype("int64"))
        return take(self.x, rows), take(self.y, rows), take(self.weights, rows)

    def facts(self):
        """The fields of ``Data`` that the arrays determine."""
        rows, self.stride = some_rows(self.inputs[0])
        facts = {"samples": self.samples, "input": figures.numbers(self.inputs[0])}
        if rows.dtype.kind in "biuf":
            self.hashes = figures.row_hashes(rows)
        facts["features"] = figures.features(rows, self.hashes)
        if facts["features"] is not None:
            facts["features"]["standard"] = figures.is_standard(self.inputs[0])
        if self.targets:
            facts.update(self.target_facts())
        weights = parts_of(self.weights)
        if weights:
            facts["weights"] = figures.numbers(weights[0])
        return facts

    def target_facts(self):
        target = self.targets[0]
        read = target[:MOST_ROWS]
        hashes = self.hashes if self.stride == 1 and len(self.targets) == 1 else None
        facts = {"target": figures.numbers(target), "targets": figures.targets(read, hashes)}
        labels = figures.labels_of(read)[0] if read.dtype.kind in "biuf" and read.size else None
        if labels is not None and labels.ndim == 1:
            facts["sorted_labels"] = in_order(labels)
        return facts

    def overlap(self, other):
        """The share of our samples that the other arrays hold too."""
        numpy = sys.modules["numpy"]
        if self.hashes is None or other.hashes is None or not len(self.hashes):
            return None
        if self.inputs[0].dtype != other.inputs[0].dtype or self.inputs[0].shape[1:] != other.inputs[0].shape[1:]:
            return None
        found = float(numpy.isin(self.hashes, other.hashes).mean())
        return min(found * other.stride, 1.0)


def view(data, rows):
    """Rows of arrays without copying where the array allows it; other things stay as they are."""
    if isinstance(data, dict):
        return {name: view(part, rows) for name, part in data.items()}
    if isinstance(data, (list, tuple)) and data and not isinstance(data[0], (int, float)):
        return [view(part, rows) for part in data]
    array = array_of(data) if data is not None else None
    return None if array is None else array[rows]


def batch_facts(x, y=None, weights=None):
    """The fields of ``Batch`` that inputs, targets and weights of one batch determine."""
    batch = Arrays(x, y, weights)
    if not batch.known:
        return None
    small = [some_rows(part)[0] for part in batch.inputs]
    hashes = [figures.row_hashes(part) if part.dtype.kind in "biuf" else None for part in small]
    fields = {"size": batch.samples, "inputs": [figures.numbers(part) for part in small]}
    features = [figures.features(part, rows) for part, rows in zip(small, hashes)]
    fields["features"] = [facts for facts in features if facts is not None]
    if batch.targets:
        fields["target"] = figures.numbers(batch.targets[0])
        fields["targets"] = figures.targets(batch.targets[0], hashes[0] if len(batch.targets) == 1 else None)
    kept = parts_of(weights)
    if kept:
        fields["weights"] = figures.numbers(kept[0])
    return fields


def unpack(item):
    """Inputs, targets and sample weights of what a generator or sequence yields."""
    if isinstance(item, tuple):
        padded = item + (None, None, None)
        return padded[0], padded[1], padded[2]
    if isinstance(item, list) and 2 <= len(item) <= 3 and not isinstance(item[0], (int, float)):
        padded = tuple(item) + (None,)
        return padded[0], padded[1], padded[2]
    return item, None, None


class BatchStream(object):
    """Looks at the first batches of a generator or sequence as Keras takes them; hands every one on untouched."""

    def __init__(self, phase, note, recorder):
        self.phase, self.note, self.recorder = phase, note, recorder
        self.count = 0
        self.first = None
        self.owner = os.getpid()
        self.undo = None
        self.passes = None  # what cuts the batches into passes

    def tap(self, source):
        """What to give to Keras in place of the source."""
        if isinstance(source, types.GeneratorType):
            return self.passing(source)
        if hasattr(source, "__getitem__") and hasattr(source, "__len__") and not hasattr(source, "shape"):
            self.tap_items(source)
        return source

    def passing(self, generator):
        # The user may go on with the generator after training: it is left open.
        for item in generator:
            self.look(item)
            yield item

    def tap_items(self, source):
        kind, stream = type(source), self
        if kind in (list, tuple, dict):
            return
        original, own = kind.__getitem__, "__getitem__" in kind.__dict__

        @functools.wraps(original)
        def item_of(sequence, index):
            item = original(sequence, index)
            if sequence is source:
                stream.look(item, index)
            return item

        kind.__getitem__ = item_of

        def undo():
            if own:
                kind.__getitem__ = original
            elif kind.__dict__.get("__getitem__") is item_of:
                del kind.__getitem__

        self.undo = undo

    def look(self, item, index=None):
        if self.passes is not None and os.getpid() == self.owner and self.recorder.active:
            with self.recorder.guard("data of a generator"):
                self.passes.add(item, index)
        if self.count >= LOOKED_AT or os.getpid() != self.owner:
            return
        number, self.count = self.count, self.count + 1
        with self.recorder.guard("data of a generator"):
            x, y, weights = unpack(item)
            if self.first is None and parts_of(x):
                rows = slice(0, PROBE_ROWS)
                self.first = take(x, rows), take(y, rows), take(weights, rows)
            self.note(self.phase, number, x, y, weights)

    def close(self):
        if self.undo is not None:
            self.undo()
            self.undo = None
