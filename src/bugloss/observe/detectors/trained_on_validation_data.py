"""trained-on-validation-data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from bugloss.core.diagnosis import Site, Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.recording import Data, Recording
from bugloss.observe.sketch import sketch

_HELD_OUT = re.compile(
    r"^\s*(self\.)?_?(val|valid|validation|test|dev|eval|holdout)(_?(dl|ds|set|data|dataset|loader|dataloader|iter))?\s*="
    r"|\.fit\w*\(\s*(x_?|X_?)?(val|valid|validation|test|dev|holdout)\w*\s*[,)]"
)


def _both(text: str) -> Recording:
    first = Data("train", 640, 64, site=Site("train.py", 8, text="train_loader = DataLoader(a)"))
    return replace(sketch(), data=(first, Data("train", 160, 64, site=Site("train.py", 9, text=text))))


class TrainedOnValidationData(Detector):
    """Steps were made on data that the program calls validation or test data.

    ## What it finds
    Training steps on a loader, or a call of fit on arrays, whose name says that they are held out, beside training data
    with another name.

    ## Why it hurts
    What is measured on these data afterwards says how well they were memorised. Mostly one function serves
    training and validation, and its switch is missing or inverted.

    ## How it decides
    By the line that makes the loader, or calls ``fit``: a warning where steps were taken on data with such a name and
    on others too.

    ## Known problems
    Programs that train on everything in the end, on purpose, do the same.

    ## References
    Kapoor and Narayanan, "Leakage and the reproducibility crisis" (2023).
    """

    name = "trained-on-validation-data"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (_both("val_loader = DataLoader(b)"), _both("model.fit(x_test, y_test)"))
    healthy = (
        _both("loader_b = DataLoader(b)"),
        _both("evaluator = DataLoader(b)"),
        sketch(data={"site": Site("train.py", 8, text="test_loader = DataLoader(a)")}),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        training = [data for data in recording.data if data.phase == "train" and data.site is not None]
        held_out = [data for data in training if data.site is not None and _HELD_OUT.search(data.site.text)]
        if not held_out or len(held_out) == len(training):
            return
        text = held_out[0].site.text.strip() if held_out[0].site is not None else ""
        yield self.symptom(
            f"Training steps were made on data that are called held out: {text[:120]}.",
            site=held_out[0].site,
            samples=held_out[0].samples,
        )
