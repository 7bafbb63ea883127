"""A training program in a few parameters, drawn at random, and the same program with one fault seeded."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

FAULTS = ("loss", "optimizer", "learning-rate", "epochs", "activation")
HEALTHY = "healthy"


@dataclass(frozen=True, slots=True)
class Blueprint:
    """What a program of ``torch_program.py`` or ``keras_program.py`` is made of."""

    number: int
    fault: str
    seed: int
    task: str  # classes | binary | regression
    network: str  # mlp | cnn
    samples: int
    features: int  # of an MLP; a CNN sees images of 8×8
    classes: int
    hidden: tuple[int, ...]
    batch: int
    epochs: int
    optimizer: str  # Adam | SGD | RMSprop | Adagrad | Adadelta
    learning_rate: float
    momentum: float
    activation: str  # of the hidden layers
    output: str  # activation of the last layer: linear | softmax | sigmoid | relu
    loss: str  # cross-entropy | binary-cross-entropy | mse | mae | hinge
    dropout: float
    batch_norm: bool

    @property
    def name(self) -> str:
        """The folder of its run."""
        return f"{self.number:04d}-{self.fault}"

    def plain(self) -> dict[str, Any]:
        """As JSON holds it."""
        return asdict(self)


def draw(number: int) -> Blueprint:
    """The healthy program of a number: the same one each time."""
    dice = random.Random(f"bugloss {number}")
    task = dice.choice(("classes", "classes", "classes", "binary", "binary", "regression"))
    network = "mlp" if task == "regression" else dice.choice(("mlp", "mlp", "cnn"))
    optimizer, rate, momentum = dice.choice(
        (("Adam", 1e-3, 0.0), ("Adam", 3e-3, 0.0), ("RMSprop", 1e-3, 0.0), ("SGD", 0.05, 0.9), ("SGD", 0.02, 0.9))
    )
    width = dice.choice((16, 24, 32, 48, 64))
    return Blueprint(
        number, HEALTHY, dice.randrange(10_000), task, network,
        samples=dice.choice((400, 600, 800, 1200)),
        features=dice.choice((6, 8, 12, 16, 20)),
        classes=dice.choice((3, 4, 5, 6)) if task == "classes" else 1,
        hidden=tuple(max(width // 2**index, 8) for index in range(dice.choice((1, 2, 2, 3)))),
        batch=dice.choice((16, 32, 64)),
        epochs=dice.choice((12, 15, 20, 25)),
        optimizer=optimizer, learning_rate=rate, momentum=momentum,
        activation=dice.choice(("relu", "relu", "relu", "tanh", "elu")),
        output={"classes": "softmax", "binary": "sigmoid", "regression": "linear"}[task],
        loss={"classes": "cross-entropy", "binary": "binary-cross-entropy", "regression": "mse"}[task],
        dropout=dice.choice((0.0, 0.0, 0.2)),
        batch_norm=dice.choice((False, False, True)),
    )  # fmt: skip


def seed(healthy: Blueprint, fault: str) -> Blueprint:
    """The program with one fault of a kind."""
    dice = random.Random(f"{healthy.name} {fault}")
    return replace(_SEEDERS[fault](healthy, dice), fault=fault)


def _loss(healthy: Blueprint, dice: random.Random) -> Blueprint:
    """A loss for another task; cross-entropy over one unit is the commonest of these mistakes."""
    others = {
        "classes": ("mae", "hinge", "mse"),
        "binary": ("cross-entropy", "cross-entropy", "hinge", "mae"),
        "regression": ("binary-cross-entropy", "hinge", "cross-entropy"),
    }
    return replace(healthy, loss=dice.choice(others[healthy.task]))


def _optimizer(healthy: Blueprint, dice: random.Random) -> Blueprint:
    """Another optimizer at a rate that is usual for the first one."""
    if healthy.optimizer == "SGD":
        return replace(healthy, optimizer=dice.choice(("Adam", "RMSprop", "Adadelta")), momentum=0.0)
    return replace(healthy, optimizer=dice.choice(("SGD", "Adagrad", "Adadelta")))


def _learning_rate(healthy: Blueprint, dice: random.Random) -> Blueprint:
    return replace(healthy, learning_rate=healthy.learning_rate * dice.choice((1e-4, 1e-3, 3e-3, 100, 300, 1000)))


def _epochs(healthy: Blueprint, dice: random.Random) -> Blueprint:
    return replace(healthy, epochs=dice.choice((1, 1, 2)))


def _activation(healthy: Blueprint, dice: random.Random) -> Blueprint:
    if dice.random() < 0.5:
        return replace(healthy, activation=dice.choice(("softmax", "sigmoid", "linear")), batch_norm=False)
    wrong = {"classes": ("linear", "relu", "sigmoid"), "binary": ("softmax", "relu", "linear")}
    return replace(healthy, output=dice.choice(wrong.get(healthy.task, ("sigmoid", "relu", "softmax"))))


_SEEDERS: dict[str, Callable[[Blueprint, random.Random], Blueprint]] = {
    "loss": _loss,
    "optimizer": _optimizer,
    "learning-rate": _learning_rate,
    "epochs": _epochs,
    "activation": _activation,
}
