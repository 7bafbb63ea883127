"""What to ask a reporter: at most three questions, the one that helps most first.

How much an answer helps is mined: the share of reproduced bugs of this type whose reports had that information.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bugloss.core.report import FactKind, Reading
from bugloss.core.taxonomy import Category, Information
from bugloss.core.triage import InformationState

MOST = 3
_VERSION_WORTH = {Category.API: 0.85, Category.GPU: 0.95}  # what a release decides; else it ranks below data and model
_USUAL_VERSION_WORTH = 0.5


def questions(
    reading: Reading, category: Category, information: Mapping[Information, InformationState], framework: str
) -> tuple[str, ...]:
    """The questions worth asking."""
    asked = [
        (state.useful, _wording(kind, reading, framework)) for kind, state in information.items() if not state.present
    ]
    asked += [(worth, text) for worth, text in _further(reading, category, framework)]
    return tuple(text for _, text in sorted(asked, key=lambda pair: -pair[0])[:MOST])


def _further(reading: Reading, category: Category, framework: str) -> Iterator[tuple[float, str]]:
    if not any(reading.about(FactKind.VERSION)):
        name = {"torch": "PyTorch", "keras": "Keras and TensorFlow", "tensorflow": "TensorFlow"}.get(
            framework, "the framework"
        )
        extra = ", CUDA and the GPU's driver" if category is Category.GPU else ""
        worth = _VERSION_WORTH.get(category, _USUAL_VERSION_WORTH)
        yield worth, f"Which releases of Python, {name}{extra} do you use? (python -m pip freeze)"
    if not any(reading.about(FactKind.EXPECTED, FactKind.ACTUAL, FactKind.EXCEPTION)):
        yield 0.45, "What did you expect to happen, and what happened instead (numbers, if you have them)?"


def _wording(kind: Information, reading: Reading, framework: str) -> str:
    if kind is Information.DATA:
        variable = next((fact.name for fact in reading.about(FactKind.SHAPE) if fact.name), "")
        of = f" of {variable}" if variable else " of inputs and labels"
        best = "A few rows, or a line of code that generates them, is best."
        return f"What are the shape, the element type and the range of values{of}? {best}"
    if kind is Information.MODEL:
        how = {"torch": "print(model)", "keras": "model.summary()", "tensorflow": "model.summary()"}.get(
            framework, "the code"
        )
        return f"How is the network built? Please post its code, or what {how} prints."
    if kind is Information.HYPERPARAMETERS:
        return "Which loss, optimizer, learning rate, batch size and number of epochs do you train with?"
    if kind is Information.CODE:
        return "Can you post the shortest program that shows the bug, with its imports?"
    return "What exactly is printed: the whole traceback, or loss and accuracy of the first epochs?"
