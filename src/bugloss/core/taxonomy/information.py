"""What a bug report has to state for its bug to be reproducible."""

from __future__ import annotations

from typing import Any

from bugloss.core.taxonomy.label import Label
from bugloss.core.taxonomy.source import Source


class Information(Label):
    """The five kinds of information that make a deep-learning bug report reproducible."""

    letter: str

    def __init__(self, slug: str, *facts: Any) -> None:
        *meaning, self.letter = facts
        super().__init__(slug, *meaning)

    DATA = (
        "data",
        "Data",
        "The data or what is needed to imitate them: shapes, types, ranges, distribution, samples, name.",
        Source.DLREPRO,
        "D",
    )
    MODEL = (
        "model",
        "Model",
        "The network: which layers, how they are set and connected, which activations.",
        Source.DLREPRO,
        "N",
    )
    HYPERPARAMETERS = (
        "hyperparameters",
        "Hyperparameters",
        "The settings of training: learning rate, batch size, epochs, optimizer, loss, regularization.",
        Source.DLREPRO,
        "H",
    )
    CODE = (
        "code",
        "Code snippet",
        "Source code of the faulty program, whole or in part: preparation, training, evaluation.",
        Source.DLREPRO,
        "C",
    )
    LOGS = (
        "logs",
        "Logs",
        "What the program printed: stack trace, error message, training or evaluation output.",
        Source.DLREPRO,
        "L",
    )
