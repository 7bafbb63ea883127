"""What is done to the data."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bugloss.core.edit import Edit
from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.repair.finite import quotients_by_weights
from bugloss.repair.held_out import processed_once, processed_the_same, shuffled_first
from bugloss.source.text.module import SourceModule

_SURE = 0.8  # of the cause's confidence: which of the places is meant is not known
_PROPOSED: dict[str, tuple[Callable[[SourceModule], Iterator[Edit]], ...]] = {
    "preprocessing-mismatch": (processed_the_same, processed_once),
    "labels-do-not-fit-inputs": (processed_the_same,),
    "unrepresentative-split": (shuffled_first,),
    "unshuffled-data": (shuffled_first,),
    "zero-sample-weights": (quotients_by_weights,),
}


class DataWranglingFix(FixGenerator):
    """What it changes
    ---------------
    Scaling, shuffling, splitting and encoding, in the right order and with the right statistics.

    When it is tried
    ----------------
    With findings about pipelines, and causes about inputs and labels. Where a cause brings no edit: held-out data are
    processed as the training data are, samples are shuffled before they are split, weighted means divide by at least 1.

    Known problems
    --------------
    After a leak is closed the held-out metric may fall, because it was too good before: such a patch is not
    shown to help.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.DATA_WRANGLING
    examples = (
        FixExample(
            """\
from sklearn.preprocessing import StandardScaler

scaler = StandardScaler()
train = scaler.fit_transform(train)
test = scaler.fit_transform(test)
""",
            """\
from sklearn.preprocessing import StandardScaler

scaler = StandardScaler()
train = scaler.fit_transform(train)
test = scaler.transform(test)
""",
        ),
        FixExample(
            """\
import torch
from torch.utils.data import TensorDataset

train_set = TensorDataset(scaled(train_rows, mean), train_kinds)
test_set = TensorDataset(test_rows, test_kinds)
""",
            """\
import torch
from torch.utils.data import TensorDataset

train_set = TensorDataset(scaled(train_rows, mean), train_kinds)
test_set = TensorDataset(scaled(test_rows, mean), test_kinds)
""",
            causes=("preprocessing-mismatch",),
        ),
        FixExample(
            """\
import numpy as np

x_train, y_train = rows[:800], labels[:800]
x_test, y_test = rows[800:], labels[800:]
""",
            """\
import numpy as np

order = np.random.permutation(len(rows))
rows, labels = rows[order], labels[order]
x_train, y_train = rows[:800], labels[:800]
x_test, y_test = rows[800:], labels[800:]
""",
            causes=("unrepresentative-split",),
        ),
        FixExample(
            """\
from keras import ops


def loss(errors, weights):
    return ops.sum(errors * weights) / ops.sum(weights)
""",
            """\
from keras import ops


def loss(errors, weights):
    return ops.sum(errors * weights) / ops.maximum(ops.sum(weights), 1.0)
""",
            causes=("zero-sample-weights",),
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        for name, finders in _PROPOSED.items():
            cause = case.named(name)
            for finder in finders if cause is not None and not cause.edits else ():
                for module in case.project.modules():
                    for number, edit in enumerate(finder(module)):
                        if cause is not None:
                            sure = round(cause.confidence * _SURE / (1 + number), 3)
                            yield self.patch(edit, sure, cause.explanation)
