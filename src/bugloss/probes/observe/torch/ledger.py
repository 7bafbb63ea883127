"""Feeds the books of ``ledger/`` with what PyTorch models are given: hashes of samples and targets, a few samples."""

import sys

from ..ledger import kept_samples
from ..ledger.equal_inputs import EqualInputs
from ..ledger.passes import ROWS, PassBook, draws
from .layers import quiet
from .numbers import WORD, is_plain, row_hashes

MOST_MARKED = 64  # batches of one evaluation
MOST_PIXELS = 40000  # values of a sample that is kept or mirrored


class Marks(object):
    """Hashes of a batch: of the inputs of a pass and of what its loss compared the outputs with."""

    __slots__ = ("inputs", "mirrored", "mirrored_targets", "number", "rows", "target_rows", "targets")

    def __init__(self, inputs, rows):
        self.inputs, self.rows = inputs, rows
        self.targets = self.mirrored = self.mirrored_targets = self.target_rows = self.number = None


class DataLedger(object):
    """Which samples were trained on and evaluated, in which order, with which targets."""

    def __init__(self, recorder, observer):
        self.recorder, self.observer, self.torch = recorder, observer, observer.torch
        self.clock = recorder.clock
        self.book = PassBook(recorder)
        self.purse = self.book.purse
        self.kept = {"train": kept_samples.KeptSamples(), "validation": kept_samples.KeptSamples()}
        self.guard = recorder.guard("the ledger of samples")
        self.equal = EqualInputs(recorder)
        self.used = {}  # source: number of the last batch of its loader that was counted
        self.open = {}  # loader's iteration: its source

    def source_of(self, one, phase):
        loader = one.loader
        if loader is None:
            return self.book.source((one.record.name, one.place), phase, one.place)
        made = loader.record.place or one.place
        facts = loader.record.flow if loader.record.flow is not None else self.facts_of(loader)
        loader.record.flow = facts
        return self.book.source((one.record.name, made), phase, made, **facts)

    def facts_of(self, loader):
        """What a loader says of itself."""
        given = loader.loader
        dataset, sampler = getattr(given, "dataset", None), getattr(given, "sampler", None)
        facts = {"random": draws(dataset) or draws(getattr(given, "collate_fn", None))}
        with self.recorder.guard("the size of a loader"):
            facts["whole"] = len(sampler) if sampler is not None and hasattr(sampler, "__len__") else None
            facts["whole_batches"] = len(given) if hasattr(dataset, "__len__") else None
        kind = type(sampler).__name__
        facts["replaced"] = kind == "WeightedRandomSampler" or bool(getattr(sampler, "replacement", False))
        if kind in ("RandomSampler", "SubsetRandomSampler", "SequentialSampler"):
            facts["shuffled"] = kind != "SequentialSampler"
        return facts

    # -- marks ---------------------------------------------------------------------------------------------------------

    def mark(self, one, tensor):
        """A pass begins: its first samples are hashed while there is budget for it."""
        one.marks = None
        if not self.purse.open or tensor is None or not tensor.dim() or not tensor.numel() or not self.wanted(one):
            return
        with self.guard, self.purse, quiet(self.torch):
            rows = tensor.detach()[:ROWS]
            # A copy: the program may write into the tensor before the pass is judged.
            one.marks = Marks([value & WORD for value in row_hashes(rows)], rows.clone() if self.keeps(rows) else None)
            self.equal.note(one.place, tensor.data_ptr(), one.marks.inputs)
            one.marks.number = one.loader.drawn if one.loader is not None else None

    def keeps(self, rows):
        """Whether samples themselves are still wanted, or images that may be mirrored."""
        size = rows[0].numel()
        if size > MOST_PIXELS:
            return False
        return rows.dim() == 4 or any(kept.rows < kept_samples.MOST_ROWS for kept in self.kept.values())

    def wanted(self, one):
        known = self.book.sources.get(("train", (one.record.name, self.place_of(one))))
        return known is None or known.follows or not (one.gradients and one.training)

    def place_of(self, one):
        return (one.loader.record.place or one.place) if one.loader is not None else one.place

    def mark_target(self, one, target):
        """A loss was computed for the pass."""
        marks = one.marks if one is not None else None
        if marks is None or marks.targets is not None or not is_plain(target) or not target.dim():
            return
        if target.shape[0] < len(marks.inputs) or target.shape[0] != (one.batch or 0):
            return
        with self.guard, self.purse, quiet(self.torch):
            rows = target.detach()[:ROWS]
            marks.targets = [value & WORD for value in row_hashes(rows)]
            marks.target_rows = rows.clone() if marks.rows is not None else None
            inputs = marks.rows
            if inputs is not None and is_image_pair(inputs, rows):
                marks.mirrored = [value & WORD for value in row_hashes(inputs.flip(-1))]
                marks.mirrored_targets = [value & WORD for value in row_hashes(rows.flip(-1))]

    # -- what became of a pass -----------------------------------------------------------------------------------------

    def trained(self, reached):
        """A step was made for these passes; a batch that several of them used counts once."""
        with self.guard, self.purse:
            seen = set()
            for one in reached:
                marks, one.marks = one.marks, None
                if marks is None:
                    self.source_of(one, "train").torn = True
                if marks is None or marks.inputs[0] in seen:
                    continue
                seen.add(marks.inputs[0])
                self.count(one, marks)

    def count(self, one, marks):
        source = self.source_of(one, "train")
        if one.loader is not None:
            key = (one.loader.serial, marks.number)
            if self.used.get(source.name) == key:
                return  # a second step on the same batch
            if self.used.get(source.name, key)[0] != key[0]:
                source.end(False)  # the pass before was left early
            self.used[source.name] = key
            self.open[one.loader.serial] = source
        if source.follows:
            self.book.add(source, marks.inputs, marks.targets, one.batch)
            if marks.mirrored is not None:
                source.mirror(marks.inputs, marks.mirrored, marks.targets, marks.mirrored_targets)
        self.keep("train", one, marks)

    def evaluated(self, one, stretch):
        """A pass was an evaluation."""
        marks, one.marks = one.marks, None
        if marks is None or stretch.batches > MOST_MARKED:
            stretch.marked = None
            return
        with self.guard, self.purse:
            if marks.targets is None:
                self.mark_labels(one, marks)
            stretch.random = one.loader is not None and bool(self.source_of(one, "validation").facts.get("random"))
            if marks.targets is None or stretch.marked_targets is None:
                stretch.marked_targets = None
            else:
                stretch.marked_targets.extend(marks.targets)
            if stretch.marked is not None:
                stretch.marked.extend(marks.inputs)
                stretch.met += self.book.met(one.record.name, marks.inputs)
            if not one.on_training:
                self.keep("validation", one, marks)

    def mark_labels(self, one, marks):
        """Labels that no loss saw: what the program compared its answers with, or the last part of the batch."""
        labels = one.labels
        if labels is not None and is_plain(labels) and labels.dim() and labels.shape[0] == one.batch:
            marks.target_rows = labels.detach()[:ROWS]
            with quiet(self.torch):
                marks.targets = [value & WORD for value in row_hashes(marks.target_rows)]

    def keep(self, phase, one, marks):
        kept = self.kept[phase]
        known = marks.rows is not None and marks.target_rows is not None
        if not known or kept.rows >= kept_samples.MOST_ROWS or "numpy" not in sys.modules:
            return
        kept.place = kept.place or self.place_of(one)
        with quiet(self.torch):
            kept.add(marks.inputs, plain_array(marks.rows), plain_array(marks.target_rows))

    def loader_ended(self, current):
        """An iteration over a loader came to its end."""
        source = self.open.pop(current.serial, None)
        if source is not None:
            source.end(True)
            self.used.pop(source.name, None)

    def evaluations_written(self):
        """Training goes on after an evaluation: batches that no loader gives have come to the end of a pass."""
        for (phase, _), source in self.book.sources.items():
            if phase == "train" and "whole" not in source.facts:
                source.end(False)

    def finish(self):
        self.book.finish()
        self.equal.finish()
        with self.recorder.guard("what samples tell"):
            kept_samples.tell(self.recorder, self.kept)


def is_image_pair(inputs, targets):
    """Whether targets have the height and width of the images."""
    if inputs.dim() != 4 or targets.dim() not in (3, 4) or inputs[0].numel() > MOST_PIXELS:
        return False
    return tuple(inputs.shape[-2:]) == tuple(targets.shape[-2:])


def plain_array(tensor):
    torch = sys.modules["torch"]
    tensor = tensor.detach().cpu()
    return (tensor.float() if tensor.is_floating_point() else tensor.to(torch.int64)).numpy()
