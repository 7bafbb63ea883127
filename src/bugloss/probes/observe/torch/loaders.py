"""Where batches come from: loaders, data sets held in memory, and tensors that a program cuts into batches itself."""

import sys
import weakref
from collections import Counter

from ..labels import in_order
from ..patches import Identities
from .layers import quiet
from .numbers import (
    features,
    is_plain,
    is_standard,
    labels_of,
    numbers,
    row_hashes,
    targets,
)

MOST_SAMPLES = 2000
MOST_LABELS = 20000
MOST_KNOWN = 40000  # samples of training data that validation is compared with
MOST_SOURCES = 8  # tensors that are described as data, for each line that trains on them
LABEL_NAMES = ("y", "ys", "label", "labels", "target", "targets")


class LoaderRecord(object):
    """One loader, or one tensor that batches are cut from."""

    def __init__(self, place=None):
        self.place = place
        self.described = False
        self.trains = False
        self.passes = 0  # passes with at least one training step
        self.hashes = None
        self.flow = None  # what it says of order and size


class LoaderPass(object):
    """One iteration over a loader."""

    count = 0

    def __init__(self, record, loader, iterator):
        LoaderPass.count += 1
        self.serial = LoaderPass.count  # an address may be used again
        self.record = record
        self.loader = loader
        self.iterator = weakref.ref(iterator)
        self.steps = 0
        self.ended = False
        self.unused = 0  # batches that no model has been called with yet
        self.drawn = 0  # batches so far
        self.ahead = False  # whether it ended before that: somebody reads one batch ahead

    @property
    def goes_on(self):
        """A loop that was left early leaves its iterator to be forgotten."""
        return self.ahead or (not self.ended and self.iterator() is not None)


class LoaderWatch(object):
    """Watches ``DataLoader``: batches pass through untouched."""

    def __init__(self, recorder, observer):
        self.recorder = recorder
        self.observer = observer
        self.records = Identities()
        self.iterations = Identities()
        self.latest = None
        self.waiting = None  # a pass whose last batch is still to be trained on
        self.batch = None
        self.training_hashes = set()
        self.compared = False  # whether a validation part was held against them
        self.own = OwnBatches(self)

    def install(self, patches):
        data = sys.modules["torch"].utils.data
        patches.wrap(data.DataLoader, "__init__", self.wrap_init)
        patches.wrap(data.DataLoader, "__iter__", self.wrap_iter)
        base = getattr(sys.modules["torch.utils.data.dataloader"], "_BaseDataLoaderIter", None)
        if base is not None:
            patches.wrap(base, "__next__", self.wrap_next)

    def wrap_init(self, original):
        watch = self

        def __init__(loader, *arguments, **named):  # noqa: N807 (it takes the place of DataLoader's)
            original(loader, *arguments, **named)
            if watch.observer.watching():
                with watch.recorder.guard("a loader"):
                    watch.records.set(loader, LoaderRecord(watch.recorder.place(1, passing=loader)))

        return __init__

    def wrap_iter(self, original):
        watch = self

        def __iter__(loader):  # noqa: N807
            iterator = original(loader)
            if watch.observer.watching():
                with watch.recorder.guard("a loader"):
                    watch.settle()
                    record = watch.records.get(loader) or watch.records.set(loader, LoaderRecord())
                    watch.iterations.set(iterator, LoaderPass(record, loader, iterator))
            return iterator

        return __iter__

    def wrap_next(self, original):
        watch, now = self, self.recorder.clock.now

        def __next__(iterator):  # noqa: N807
            start = now()
            try:
                batch = original(iterator)
            except StopIteration:
                watch.ended(iterator)
                raise
            watch.observer.turn.waited += now() - start
            current = watch.iterations.get(iterator)
            if current is not None:
                watch.latest = current
                current.unused += 1
                current.drawn += 1
                watch.batch = batch if watch.observer.sampling else None
            return batch

        return __next__

    def ended(self, iterator):
        current = self.iterations.get(iterator)
        if current is not None and not current.ended:
            current.ended, current.ahead = True, current.unused > 0
            if not current.drawn:
                self.note_empty(current)
            self.waiting = current
            if not current.ahead:
                self.settle()
        self.batch = None

    def note_empty(self, current):
        """A loop over a loader that gave nothing."""
        with self.recorder.guard("a loader"):
            loader = current.loader
            facts = {"samples": size_of(getattr(loader, "dataset", None)), "batch_size": loader.batch_size}
            self.recorder.occasion("empty-loader", current.record.place, drop_last=bool(loader.drop_last), **facts)

    def settle(self):
        """A pass over a loader is over, and so is its last step."""
        passed, self.waiting = self.waiting, None
        if passed is not None and passed.steps:
            self.observer.ledger.loader_ended(passed)
            self.observer.log.flush()
            self.observer.phases.epochs.passed_loader()

    def use(self):
        """A model is called with the batch at hand. Returns the iteration that it comes from."""
        latest = self.latest
        current = latest if latest is not None and latest.unused else self.current  # next(iter(loader)) is over by now
        if current is not None:
            current.unused = max(current.unused - 1, 0)
        return current

    @property
    def current(self):
        """The iteration that the batch at hand comes from."""
        return self.latest if self.latest is not None and self.latest.goes_on else None

    def trained(self):
        """A step was taken with what came last. Returns the epoch, where a loader knows it."""
        current = self.current
        if current is None:
            return None
        record = current.record
        if not current.steps:
            record.passes += 1
        current.steps += 1
        current.ahead = False
        record.trains = True
        self.describe(current, "train")
        return record.passes - 1

    def evaluated(self, current):
        """A pass without training went over this loader."""
        if current is not None and not current.record.trains:
            self.describe(current, "validation")

    def describe(self, current, phase):
        record = current.record
        if record.described:
            return
        record.described = True
        loader = current.loader
        with self.recorder.guard("a data set"), self.recorder.clock.work():
            sampler = getattr(loader, "sampler", None)
            facts = {
                "samples": size_of(sampler if chosen_by(sampler) else getattr(loader, "dataset", None)),
                "batch_size": getattr(loader, "batch_size", None), "shuffled": shuffles(sampler),
                "workers": getattr(loader, "num_workers", None), "drop_last": getattr(loader, "drop_last", None),
            }  # fmt: skip
            inputs, labels = held_tensors(getattr(loader, "dataset", None), chosen_by(sampler))
            self.emit(record, phase, inputs, labels, **facts)

    def emit(self, record, phase, inputs, labels, **facts):
        """Writes the "data" event, with facts of the tensors of a data set, where it has them."""
        facts.update(self.facts(phase, inputs, labels))
        self.recorder.emit("data", phase=phase, site=self.recorder.site_of(record.place), **facts)

    def facts(self, phase, inputs, labels):
        """Facts of the tensors of a data set."""
        facts = {}
        torch = sys.modules["torch"]
        with quiet(torch):
            hashes = row_hashes(inputs[:MOST_SAMPLES]) if inputs is not None else []
            if inputs is not None:
                facts["input"] = numbers(inputs[:MOST_SAMPLES])
                facts["features"] = features(inputs[:MOST_SAMPLES], hashes)
                if facts["features"] is not None:
                    facts["features"]["standard"] = is_standard(inputs)
            if labels is not None:
                some = labels[:MOST_LABELS]
                facts["target"], facts["targets"] = numbers(some), targets(some)
                seen = targets(some[: len(hashes)], hashes)
                facts["targets"]["conflicting_share"] = seen.get("conflicting_share", 0.0)
                found = labels_of(some)[0]
                facts["sorted_labels"] = None if found is None or found.dim() != 1 else in_order(found)
        if phase == "train" and self.compared:  # training data that come after a validation are those of another fold
            self.compared, self.training_hashes = False, set()
        if phase == "train" and len(self.training_hashes) < MOST_KNOWN:
            self.training_hashes.update(hashes)
        if phase != "train" and hashes and self.training_hashes:
            self.compared = True
            facts["overlap"] = sum(1 for one in hashes if one in self.training_hashes) / float(len(hashes))
        return facts


class BatchSource(object):
    """A tensor that training batches are cut from: where cuts began, and the rows between the first and the last."""

    def __init__(self):
        self.starts = []
        self.first = self.last = None
        self.described = False

    def add(self, first, last):
        """Notes a cut. Returns whether the cuts have come round."""
        self.first = first if self.first is None else min(self.first, first)
        self.last = last if self.last is None else max(self.last, last)
        again = bool(self.starts) and first == self.starts[0]
        if not again and len(self.starts) < 5000:
            self.starts.append(first)
        return again

    @property
    def ascending(self):
        return len(self.starts) > 1 and all(left < right for left, right in zip(self.starts, self.starts[1:]))


class OwnBatches(object):
    """Batches that a program cuts from a tensor itself: the whole of it, or slices. Copies are not recognized."""

    def __init__(self, watch):
        self.watch = watch
        self.sources = Identities()
        self.described = Counter()  # by the line of the step: a program may make new samples for every step

    def cut(self, batch):
        """The tensor that a batch is cut from, the rows that were cut out, and the cut; none of them is kept alive."""
        first, last = rows_of(batch)
        return weakref.ref(source_of(batch)), first, last, weakref.ref(batch)

    def trained(self, one):
        """A training step used a batch that no loader gave."""
        reference, first, last, _ = one.cut
        base = reference()
        if base is None:
            return
        source = self.sources.get(base) or self.sources.set(base, BatchSource())
        if source.add(first, last) and not source.described and self.described[one.place] < MOST_SOURCES:
            source.described = True
            self.described[one.place] += 1
            self.describe(source, base, last - first, one)

    def describe(self, source, base, size, one):
        labels = one.calls[0].target if one.calls else None
        labels = source_of(labels) if labels is not None and is_plain(labels) and labels.dim() else None
        rows = slice(source.first, source.last)
        target = labels[rows] if labels is not None and labels.shape[0] == base.shape[0] else None
        samples = source.last - source.first
        with self.watch.recorder.guard("a data set"), self.watch.recorder.clock.work():
            self.watch.emit(
                LoaderRecord(one.place), "train", base[rows], target, samples=samples, batch_size=size,
                shuffled=False if size < samples and source.ascending else None, workers=0, drop_last=False,
            )  # fmt: skip

    def knows(self, cut):
        """Whether a batch is cut from rows that were trained on."""
        reference, first, last, _ = cut
        base = reference()
        source = self.sources.get(base) if base is not None else None
        return source is not None and source.first < last and first < source.last


def source_of(batch):
    return batch._base if batch._base is not None else batch


def rows_of(batch):
    """The rows of its source that a batch covers."""
    base = source_of(batch)
    size = int(batch.shape[0])
    stride = base.stride(0) if base.dim() else 0
    if base is batch or not stride or batch.stride(0) != stride:
        return 0, int(base.shape[0]) if base.dim() else size
    first = (batch.storage_offset() - base.storage_offset()) // stride
    return first, first + size


def size_of(dataset):
    try:
        return len(dataset)
    except Exception:
        return None


def shuffles(sampler):
    """Whether samples come in random order; None where a sampler of the program's own decides."""
    kind = type(sampler).__name__
    if kind in ("RandomSampler", "WeightedRandomSampler", "SubsetRandomSampler"):
        return True
    return False if kind == "SequentialSampler" else None


def chosen_by(sampler):
    """The samples that a sampler keeps to, where it keeps to some: two loaders may share one data set."""
    if type(sampler).__name__ != "SubsetRandomSampler":
        return None
    return [int(one) for one in sampler.indices][:MOST_LABELS] or None


def held_tensors(dataset, indices=None):
    """Inputs and labels of a data set that holds them as tensors; nothing of the program is called."""
    torch = sys.modules["torch"]
    kind = type(dataset).__name__
    if kind == "Subset" and indices is None:
        return held_tensors(getattr(dataset, "dataset", None), list(dataset.indices)[:MOST_LABELS])
    if kind == "TensorDataset":
        return pick(list(dataset.tensors), indices)
    if isinstance(dataset, list) and dataset and isinstance(dataset[0], (tuple, list)):
        return listed(dataset[:MOST_SAMPLES] if indices is None else [dataset[one] for one in indices[:MOST_SAMPLES]])
    held = getattr(dataset, "__dict__", {})
    size = size_of(dataset)
    named = [(name, as_tensor(value)) for name, value in held.items()]
    fitting = [
        (name, value) for name, value in named
        if isinstance(value, torch.Tensor) and value.dim() and value.shape[0] == size and is_plain(value)
    ]  # fmt: skip
    labels = [value for name, value in fitting if name.lower().strip("_") in LABEL_NAMES]
    inputs = [value for name, value in fitting if not any(value is one for one in labels)]
    return pick(inputs[:1] + labels[:1] if inputs else [], indices)


def as_tensor(value):
    """A tensor over the same memory, where it is a NumPy array of numbers."""
    torch, numpy = sys.modules["torch"], sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray) and value.dtype.kind in "iuf" and value.size:
        try:
            return torch.from_numpy(value) if value.flags.writeable else None
        except (TypeError, ValueError):
            return None
    return value


def pick(tensors, indices):
    """First tensor and, where there is one, second; of a subset only its samples."""
    chosen = [one for one in tensors[:2] if is_plain(one) and one.dim()]
    if indices is not None:
        chosen = [one[[place for place in indices if place < one.shape[0]]] for one in chosen]
    return (chosen + [None, None])[0], (chosen + [None, None])[1]


def listed(pairs):
    """Inputs and labels of a plain list of pairs."""
    torch = sys.modules["torch"]
    inputs = [pair[0] for pair in pairs if len(pair) > 1 and isinstance(pair[0], torch.Tensor)]
    labels = [pair[1] for pair in pairs if len(pair) > 1]
    if len(inputs) != len(pairs) or len({tuple(one.shape) for one in inputs}) != 1:
        return None, None
    if all(isinstance(one, (int, float)) for one in labels):
        return torch.stack(inputs), torch.tensor(labels, device=inputs[0].device)
    if all(isinstance(one, torch.Tensor) for one in labels) and len({tuple(one.shape) for one in labels}) == 1:
        return torch.stack(inputs), torch.stack(labels)
    return torch.stack(inputs), None
