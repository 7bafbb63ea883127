"""Two faults of tf.data pipelines that can be read from their stages, without drawing a sample.

Parts that are shuffled one by one and then zipped no longer belong together. A shuffle before ``take`` and ``skip``
draws both parts again in every epoch, so that each sample of validation is trained on sooner or later.
"""

from . import datasets

SPLITTING = ("TakeDataset", "SkipDataset", "ShardDataset")


def kind_of(stage):
    return datasets.kind_of(stage).lstrip("_")


def shuffled_apart(dataset):
    """Whether parts of samples are shuffled in orders of their own before they are zipped."""
    for stage in datasets.stages_of(dataset):
        if kind_of(stage) == "ZipDataset":
            orders = [order_of(part) for part in parts_of(stage)]
            return len(orders) > 1 and any(order != orders[0] for order in orders)
    return False


def parts_of(zipped):
    """The pipelines that are zipped, in any nesting."""
    found, waiting = [], [getattr(zipped, "_datasets", None) or zipped._inputs()]
    while waiting:
        part = waiting.pop(0)
        if isinstance(part, dict):
            waiting = list(part.values()) + waiting
        elif isinstance(part, (list, tuple)):
            waiting = list(part) + waiting
        else:
            found.append(part)
    return found


def order_of(dataset):
    """The seeds of all shuffles of a pipeline: equal seeds give equal orders."""
    return [seeds_of(stage) for stage in datasets.stages_of(dataset) if kind_of(stage) == "ShuffleDataset"]


def seeds_of(stage):
    seeds = [getattr(stage, name, None) for name in ("_seed", "_seed2")]
    values = tuple(datasets.scalar(seed) if seed is not None else None for seed in seeds)
    return id(stage) if values in ((0, 0), (None, None)) else values  # without a seed every shuffle has its own order


def drawn_again(one, other):
    """Whether two pipelines take their parts from one shuffle that gives another order in each epoch."""
    left, right = (reshuffled_before_split(dataset) for dataset in (one, other))
    return any(mine is theirs for mine in left for theirs in right)


def reshuffled_before_split(dataset):
    """Shuffles, not fixed by a cache, that come before a stage which takes a part."""
    found, waiting = [], False
    for stage in datasets.stages_of(dataset):  # from the last one back to the source
        kind = kind_of(stage)
        if kind in SPLITTING:
            waiting = True
        elif "Cache" in kind:
            waiting = False
        elif waiting and kind == "ShuffleDataset" and getattr(stage, "_reshuffle_each_iteration", True) is not False:
            found.append(stage)
    return found


class PipelineBook(object):
    """The pipelines that a program has gone through; each fault is recorded once."""

    MOST = 8

    def __init__(self, recorder):
        self.recorder = recorder
        self.seen = []
        self.noted = set()

    def add(self, dataset, place):
        if any(dataset is other for other in self.seen) or len(self.seen) >= self.MOST:
            return
        with self.recorder.guard("the stages of a pipeline"):
            if shuffled_apart(dataset):
                self.note("shuffled-apart", place)
            if any(drawn_again(dataset, other) for other in self.seen):
                self.note("split-drawn-again", place)
            self.seen.append(dataset)

    def note(self, kind, place):
        if kind not in self.noted:
            self.noted.add(kind)
            self.recorder.occasion(kind, place)
