"""Batches of tf.data pipelines that do not lie open, drawn once the program is over.

While a program runs, an extra pass could change the order of its next one. Afterwards a few batches tell of such
pipelines what arrays tell at once: ranges, targets, and a batch that relations can be tried on.
"""

import sys

from . import data as sources
from . import datasets

MOST_PIPELINES = 4
MOST_BATCHES = 6
MOST_SECONDS = 3.0  # of all pipelines together
MOST_BUFFERED = 20000  # samples that a shuffle would read before it gives the first one


class LateBatches(object):
    """Keeps pipelines until the end."""

    def __init__(self, recorder, ledger):
        self.recorder, self.ledger = recorder, ledger
        self.kept = []

    def keep(self, subject, phase, dataset, place):
        known = any(dataset is other for _, _, other, _ in self.kept)
        if self.recorder.settings.get("properties") and not known and len(self.kept) < MOST_PIPELINES:
            with self.recorder.guard("a pipeline for later"):
                if is_harmless(dataset):
                    self.kept.append((subject, phase, dataset, place))

    def draw(self):
        """The program is over."""
        start = self.recorder.clock.now()
        for subject, phase, dataset, place in self.kept:
            with self.recorder.guard("batches of a pipeline"):
                for number, item in enumerate(dataset):
                    self.look(subject, phase, number, item, place)
                    if number + 1 >= MOST_BATCHES or self.recorder.clock.now() - start > MOST_SECONDS:
                        break
        self.kept = []

    def look(self, subject, phase, number, item, place):
        x, y, weights = (whole(part) for part in sources.unpack(item))
        facts = sources.batch_facts(x, y, weights)
        if facts is None:
            return
        if phase == "train" and subject.batch is None:
            rows = slice(0, sources.PROBE_ROWS)
            subject.give_batch(tuple(sources.take(part, rows) for part in (x, y, weights)))
        self.recorder.emit("batch", step=number, phase=phase, **facts)
        self.ledger.add(phase, self.ledger.hashes(x), x, y, place)


def whole(part):
    """Arrays instead of tensors, in the same nesting."""
    nest = sys.modules["tensorflow"].nest
    return None if part is None else nest.map_structure(lambda tensor: tensor.numpy(), part)


def is_harmless(dataset):
    """Whether drawing from a pipeline runs no Python of the program and does not take long to begin."""
    waiting, seen = [dataset], 0
    while waiting and seen < datasets.MOST_STAGES:
        stage, seen = waiting.pop(), seen + 1
        waiting += list(stage._inputs())
        kind = datasets.kind_of(stage)
        if "FlatMap" in kind or "Generator" in kind or "Interleave" in kind or "File" in kind:
            return False
        if "Shuffle" in kind and datasets.scalar(stage._buffer_size) > MOST_BUFFERED:
            return False
        function = getattr(getattr(stage, "_map_func", None), "function", None)
        operations = function.graph.get_operations() if function is not None else ()
        if any("PyFunc" in operation.type for operation in operations):
            return False
    return True
