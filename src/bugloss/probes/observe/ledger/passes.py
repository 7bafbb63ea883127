"""Samples as they go by, source by source and pass by pass: which come again, in which order, with which target.

A sample or a target is one number, the hash of its values. A source is a loader, a generator or a line that feeds
batches. Only the first passes are followed, and of each batch the first rows: what holds for these holds for the rest.
"""

MOST_PASSES = 4  # of one source that are followed to their end
MOST_BEGUN = 60  # of one source, where passes are left early
MOST_SAMPLES = 6000  # of one pass
ROWS = 32  # of a batch
WORD = 0xFFFFFFFFFFFFFFFF


class Purse(object):
    """Seconds that the books may take by themselves: a little in any case, then a small share of the training time."""

    ALLOWANCE, SHARE = 0.15, 0.01

    def __init__(self, clock):
        self.clock = clock
        self.spent = self.start = 0.0

    @property
    def open(self):
        return self.clock.budget > 0 and self.spent <= max(self.ALLOWANCE, self.SHARE * self.clock.elapsed)

    def __enter__(self):
        self.start = self.clock.now()

    def __exit__(self, kind, error, trace):
        took = self.clock.now() - self.start
        self.spent += took
        self.clock.set_aside(took)


class PassBook(object):
    """All sources of a program."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.purse = Purse(recorder.clock)
        self.sources = {}
        self.trained = {}  # by model: every sample that its training steps have used

    def source(self, key, phase, place=None, **facts):
        """``key`` begins with the name of the model."""
        known = self.sources.get((phase, key))
        if known is None:
            name = "source-%d" % len(self.sources)
            known = self.sources[phase, key] = SampleSource(self, name, phase, place, facts)
            known.model = key[0]
        return known

    def add(self, source, samples, targets=None, size=None):
        """One batch has been used: hashes of its first samples and, where they are known, of their targets."""
        source.add(samples, targets, size or len(samples))
        trained = self.trained.setdefault(source.model, set())
        if source.phase == "train" and len(trained) < 20 * MOST_SAMPLES:
            trained.update(samples)

    def met(self, model, samples):
        """How many of the samples a model was trained on."""
        trained = self.trained.get(model, ())
        return sum(1 for sample in samples if sample in trained)

    def finish(self):
        for source in self.sources.values():
            source.end(False)


class SampleSource(object):
    """Samples of one origin."""

    def __init__(self, book, name, phase, place, facts):
        self.book, self.name, self.phase, self.place, self.facts = book, name, phase, place, facts
        self.number = self.ended = 0
        self.model = None
        self.first = {}  # sample: its target when it was first met
        self.owners = {}  # target: the sample that had it first
        self.all = set()
        self.before = None
        self.last_flips = {}
        self.torn = False  # a batch went by unseen: passes can no longer be compared
        self.begin()

    def begin(self):
        self.order = []
        self.batches = self.samples = self.again = self.changed = self.disputed = 0
        self.current = {}  # sample: its target in this pass
        self.contents = set()
        self.flips, self.flipped, self.flipped_alone = {}, 0, 0

    @property
    def follows(self):
        """Whether more of it is worth hashing."""
        return (
            not self.torn and self.ended < MOST_PASSES and self.number < MOST_BEGUN and len(self.order) < MOST_SAMPLES
        )

    def add(self, samples, targets, size):
        self.batches += 1
        self.samples += size
        self.contents.add(joined(samples))
        for place, sample in enumerate(samples):
            self.pair(sample, targets[place] if targets is not None else None)
        self.order.extend(samples)

    def pair(self, sample, target):
        """A sample that comes again with the target of another one has changed partners."""
        if target is not None and self.current.setdefault(sample, target) != target:
            self.disputed += 1
        if sample not in self.first:
            self.first[sample] = target
        elif target is not None and self.first[sample] is not None:
            self.again += 1
            self.changed += self.first[sample] != target and self.owners.get(target, sample) != sample
        if target is not None:
            self.owners.setdefault(target, sample)

    def mirror(self, samples, mirrored, targets, mirrored_targets):
        """Images with targets of the same height and width: which were flipped since the pass before, and how."""
        for place, sample in enumerate(samples):
            target, other = targets[place], mirrored_targets[place]
            if target == other or sample == mirrored[place]:
                continue  # symmetric: a flip does not show
            self.flips[sample] = target
            before = self.last_flips.get(mirrored[place])
            if before is not None:
                self.flipped += 1
                self.flipped_alone += before == target

    def end(self, complete):
        """A pass is over."""
        if not self.follows:
            return
        if not self.batches:
            if complete:
                self.write(complete, 0, {})
            return
        facts = {"distinct": len(set(self.order)), "contents": len(self.contents), "content": joined(self.order)}
        facts["known"] = share(sum(1 for sample in self.order if sample in self.all), len(self.order))
        if self.before is not None and len(self.before) and self.order:
            pairs = min(len(self.before), len(self.order))
            same = sum(1 for left, right in zip(self.before, self.order) if left == right)
            facts["same_order"] = share(same, pairs)
        facts["again"], facts["changed"], facts["disputed"] = self.again, self.changed, self.disputed
        facts["flipped"], facts["flipped_alone"] = self.flipped, self.flipped_alone
        self.all.update(self.order)
        facts["seen"] = len(self.all)
        self.write(complete, len(self.order), facts)
        self.before = self.order
        self.last_flips.update(self.flips)
        self.begin()

    def write(self, complete, looked, facts):
        self.book.recorder.emit(
            "pass", phase=self.phase, source=self.name, number=self.number, step=self.book.recorder.step,
            batches=self.batches, samples=self.samples, looked=looked, complete=bool(complete),
            site=self.book.recorder.site_of(self.place), **dict(self.facts, **facts)
        )  # fmt: skip
        self.number += 1
        self.ended += bool(complete)


def joined(samples):
    """One word for a collection of samples, whatever their order."""
    total = 0
    for sample in samples:
        total = (total + (sample ^ (sample >> 13)) * 0x9E3779B97F4A7C15) & WORD
    return "%016x" % total


def share(part, whole):
    return part / float(whole) if whole else None


MAKERS = ("random", "rand", "randn", "randint", "normal", "uniform", "choice", "bernoulli", "default_rng")
ORDERS = ("randperm", "permutation", "shuffle", "sample")  # chance that decides which sample comes when
MODULES = ("random", "default_rng")


def draws(thing, depth=0):
    """Whether code that makes samples names a source of chance: the functions of an object and what it holds."""
    if depth > 2 or thing is None:
        return False
    if type(thing).__name__.startswith("Random"):
        return True
    makers = [getattr(type(thing), name, None) for name in ("__getitem__", "__iter__", "__call__")] + [thing]
    if any(named_chance(maker) for maker in makers):
        return True
    held = getattr(thing, "__dict__", None) or {}
    inner = [value for name, value in held.items() if name.strip("_") in INNER]
    inner += list(held.get("transforms") or ()) if isinstance(held.get("transforms"), (list, tuple)) else []
    return any(draws(part, depth + 1) for part in inner)


INNER = ("transform", "transforms", "augment", "augmentation", "dataset", "target_transform")


def named_chance(function):
    code = getattr(function, "__code__", None)
    if code is None:
        return False
    orders = any(name in ORDERS for name in code.co_names)
    return any(name in MAKERS and not (orders and name in MODULES) for name in code.co_names)
