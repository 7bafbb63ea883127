"""How overfitting is limited."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.calls_in_training import dropout_of_mode
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator

_SURE = 1.2  # times the cause's confidence: dropout that is always on is more certain than a missing eval()


class RegularizationFix(FixGenerator):
    """What it changes
    ---------------
    The rate and place of dropout, and the strength of penalties.

    When it is tried
    ----------------
    With findings about dropout, and causes about trainings that overfit or cannot fit. Where outputs in evaluation
    mode are random, dropout by function follows the mode of its module.

    Known problems
    --------------
    Less regularization fits the training data better and may generalize worse.

    References
    ----------
    A pattern of bugloss, beside the fifteen of "Repairing Deep Neural Networks" (ICSE 2020).
    """

    fix_pattern = FixPattern.REGULARIZATION
    examples = (
        FixExample(
            """\
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, True)
""",
            """\
import torch.nn.functional as F
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        return F.dropout(x, 0.5, self.training)
""",
            causes=("dropout-misused",),
        ),
        FixExample(
            """\
from keras.models import Sequential
from keras.layers import Dense, Dropout

model = Sequential()
model.add(Dense(16, input_dim=4, activation="relu"))
model.add(Dense(3, activation="softmax"))
model.add(Dropout(0.5))
model.compile("adam", "sparse_categorical_crossentropy")
""",
            """\
from keras.models import Sequential
from keras.layers import Dense, Dropout

model = Sequential()
model.add(Dense(16, input_dim=4, activation="relu"))
model.add(Dense(3, activation="softmax"))
model.compile("adam", "sparse_categorical_crossentropy")
""",
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        cause = case.named("dropout-misused")
        for module in case.project.modules() if cause is not None else ():
            for edit in dropout_of_mode(module):
                if cause is not None:
                    yield self.patch(edit, round(min(1.0, cause.confidence * _SURE), 3), cause.explanation)
