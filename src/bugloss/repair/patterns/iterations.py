"""How often weights are updated."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.baselines.knobs import KnobKind, knobs
from bugloss.repair.calls_in_training import repeated_without_end
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator

_ENDED = "data ended before training did"
_SURE_OF_DATA = 0.8  # the framework says that the data ended; that they are to be repeated is its own advice
_FACTORS = {"too-few-epochs": 4.0, "too-many-epochs": 0.5}


class IterationsFix(FixGenerator):
    """What it changes
    ---------------
    Epochs, batch size, and what is done per step or per epoch.

    When it is tried
    ----------------
    With causes about trainings that stop too early or too late, and findings about accumulated gradients.

    Known problems
    --------------
    More epochs take more time; the time is reported.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.ITERATIONS
    examples = (
        FixExample(
            """\
import torch
from torch import nn

def train(model, loader, optimizer, criterion):
    for step, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        loss.backward()
        if (step + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
""",
            """\
import torch
from torch import nn

def train(model, loader, optimizer, criterion):
    for step, (x, y) in enumerate(loader):
        loss = criterion(model(x), y)
        (loss / 4).backward()
        if (step + 1) % 4 == 0:
            optimizer.step()
            optimizer.zero_grad()
""",
        ),
        FixExample(
            """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=4, activation="relu"), Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=2)
""",
            """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=4, activation="relu"), Dense(3, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, epochs=8)
""",
            causes=("too-few-epochs",),
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        """Data that end before the training does, and the number of epochs, wherever it is written."""
        ended = [one for one in case.symptoms if one.name == "framework-warning" and _ENDED in one.message]
        for module in case.project.modules() if ended else ():
            for endless in repeated_without_end(module):
                yield self.patch(endless, _SURE_OF_DATA, ended[0].message)
        for name, factor in _FACTORS.items():
            cause = case.named(name)
            for knob in knobs(case.project) if cause is not None and not cause.edits else ():
                edit = knob.scaled(factor) if knob.kind is KnobKind.EPOCHS else None
                if cause is not None and edit is not None:
                    yield self.patch(edit, round(cause.confidence / 2, 3), cause.explanation)
