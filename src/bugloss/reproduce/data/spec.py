"""What stand-in data look like, before they are written down as code."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from bugloss.core.reproduction import Quote


class DataMeaning(Enum):
    """What the numbers of a field stand for; it decides their range and whether they can be learned from."""

    FEATURES = "features"
    IMAGES = "images"
    TOKENS = "tokens"
    CLASSES = "classes"
    ONE_HOT = "one-hot"
    BINARY = "binary"
    VALUES = "values"
    WORDS = "words"
    SWITCHES = "switches"  # weights and masks: ones and zeros, and rows that are all zero


class DataContainer(Enum):
    """What the program expects to hold the data."""

    ARRAY = "array"
    TENSOR = "tensor"
    LIST = "list"
    LOADER = "loader"
    DATASET = "dataset"
    TF_DATASET = "tf-dataset"
    TABLE = "table"


SETS = frozenset({DataContainer.LOADER, DataContainer.DATASET, DataContainer.TF_DATASET})


@dataclass(frozen=True, slots=True)
class DataField:
    """One part of a sample: its shape without the rows, its type, and what it means."""

    meaning: DataMeaning
    shape: tuple[int, ...] = ()
    dtype: str = "float32"
    classes: int = 2
    low: float = 0.0
    high: float = 1.0
    scale: float = 1.0
    unit: bool = False  # values from 0 to 1
    noise: float = (
        0.5  # how far the samples of a class lie from its centre, or values from what follows from the inputs
    )
    ordered: bool = False  # rows sorted by class
    wrong: float = 0.0  # the share of labels that are wrong
    ragged: bool = False  # samples of different lengths
    with_nan: bool = False

    @property
    def is_target(self) -> bool:
        return self.meaning in {DataMeaning.CLASSES, DataMeaning.ONE_HOT, DataMeaning.BINARY, DataMeaning.VALUES}

    def but(self, **changes: Any) -> DataField:
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class DataSpec:
    """The data under one name of the program."""

    name: str
    container: DataContainer
    fields: tuple[DataField, ...]
    rows: int
    why: str = ""
    quotes: tuple[Quote, ...] = ()
    batch: int = 0  # of a loader
    keys: tuple[str, ...] = ()  # where samples are dicts
    function: bool = False  # the name is a function that returns the data
    groups: tuple[int, ...] = ()  # where it returns its parts in pairs
    is_guess: bool = False  # whatever else is known of data of that kind is better

    def but(self, **changes: Any) -> DataSpec:
        return replace(self, **changes)


@dataclass(frozen=True, slots=True)
class StandInData:
    """All stand-in data of a program, and what sets this choice apart from the first."""

    specs: tuple[DataSpec, ...]
    variant: str = ""  # empty for the likeliest
    changes_axes: bool = False  # the inputs have other axes, so that targets may have to change with them


def generator_line(seed: int) -> str:
    """The line that seeds the data."""
    return f"stand_in = np.random.default_rng({seed})"


def grouped(names: list[str], groups: tuple[int, ...]) -> str:
    """Names as a function returns them, in brackets where they come in pairs."""
    if not groups:
        return ", ".join(names)
    left = list(names)
    parts = []
    for size in groups:
        taken, left = left[:size], left[size:]
        parts.append(taken[0] if size == 1 else f"({', '.join(taken)})")
    return ", ".join(parts)
