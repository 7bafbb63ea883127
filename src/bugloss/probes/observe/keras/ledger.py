"""Feeds the books of ``ledger/`` with what Keras models are given: whole arrays, batches of streams, single batches.

Arrays need no look at every batch: Keras itself takes care that each sample comes once. Batches that the program makes
are hashed as they go by.
"""

from ..ledger import kept_samples
from ..ledger.passes import ROWS, PassBook
from . import data as sources
from . import numbers as figures

HALF = 0.5  # of the samples: an evaluation of so many training samples is not validation


class SampleLedger(object):
    """Which samples were trained on and evaluated, in which order, with which targets."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.book = PassBook(recorder)
        self.purse = self.book.purse
        self.kept = {"train": kept_samples.KeptSamples(), "validation": kept_samples.KeptSamples()}

    def keep(self, phase, arrays, place):
        """Some samples of whole arrays."""
        if self.kept[phase].rows or not arrays.known or len(arrays.inputs) != 1 or not arrays.samples:
            return
        with self.recorder.guard("samples that are kept"), self.purse:
            x, y, _ = arrays.probe(kept_samples.MOST_ROWS)
            self.add(phase, self.hashes(x), x, y, place)

    def add(self, phase, marks, x, y, place):
        inputs, targets = sources.parts_of(x), sources.parts_of(y)
        if marks is None or not inputs or inputs[0].dtype.kind not in "biuf":
            return
        size = inputs[0][0].size if len(inputs[0]) else 0
        if not 0 < size <= 10 * kept_samples.MOST_VALUES or not targets or len(targets) != 1:
            return
        known = self.kept["train"].marks
        if phase == "validation" and sum(1 for mark in marks if mark in known) > HALF * len(marks):
            return
        kept = self.kept[phase]
        kept.place = kept.place or place
        kept.add(marks, inputs[0], targets[0] if targets[0].dtype.kind in "biuf" else None)

    def hashes(self, x):
        inputs = sources.parts_of(x)
        if not inputs or inputs[0].dtype.kind not in "biuf" or not inputs[0].size:
            return None
        return [int(value) for value in figures.row_hashes(inputs[0])]

    def source(self, key, place, phase="train", **facts):
        return self.book.source(key, phase, place, **facts)

    def batch(self, source, x, y):
        """A batch that the program made itself."""
        if not source.follows or not self.purse.open:
            source.torn = True
            return
        with self.recorder.guard("a batch of the ledger"), self.purse:
            rows = slice(0, ROWS)
            inputs, targets = sources.take(x, rows), sources.take(y, rows)
            marks, wanted = self.hashes(inputs), self.hashes(targets)
            if marks is None:
                source.torn = True
                return
            wanted = wanted if wanted is not None and len(wanted) == len(marks) else None
            self.book.add(source, marks, wanted, len(sources.parts_of(x)[0]))
            if self.kept[source.phase].rows < kept_samples.MOST_ROWS and wanted is not None:
                self.add(source.phase, marks, inputs, targets, source.place)

    def finish(self):
        self.book.finish()
        with self.recorder.guard("what samples tell"):
            kept_samples.tell(self.recorder, self.kept)


class StreamPasses(object):
    """Batches of one generator or sequence, cut into passes."""

    def __init__(self, ledger, source, size):
        self.ledger, self.source, self.size = ledger, source, size
        self.indices = set()
        self.count = 0

    def add(self, item, index=None):
        """``index`` is the number that a sequence was asked for; Keras asks for the first ones to look at them too."""
        if index is not None and index in self.indices:
            self.source.begin()
            self.indices, self.count = set(), 0
        x, y, _ = sources.unpack(item)
        self.ledger.batch(self.source, x, y)
        self.count += 1
        if index is not None:
            self.indices.add(index)
        if self.size and self.count >= self.size:
            self.source.end(True)
            self.indices, self.count = set(), 0
