"""Data sets that libraries ship: the shape, type and range of a sample, and how its targets are written."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from bugloss.core.network.loss import Encoding
from bugloss.core.network.table import NetworkTable


class SampleKind(Enum):
    """What a sample is."""

    IMAGE = "image"
    TABLE = "table"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class KnownDataset:
    """One data set as one library returns it; torchvision's images are those after ``ToTensor``."""

    name: str
    framework: str  # keras, torchvision, sklearn
    kind: SampleKind
    sample: tuple[int, ...]
    classes: int  # 0 where targets are values
    counts: tuple[int, ...] = ()  # samples of each part that a call returns, where that is fixed
    dtype: str = "float32"
    low: float | None = None
    high: float | None = None
    label_tail: tuple[int, ...] = ()  # further axes of the labels
    label_dtype: str = "int64"
    values: tuple[float, float] | None = None  # the range of targets that are values, where it is known
    is_sorted: bool = False  # samples come class by class
    names: tuple[str, ...] = ()

    @property
    def targets(self) -> Encoding:
        """How the targets are written."""
        return Encoding.CLASS_NUMBERS if self.classes else Encoding.REALS


def _pixels(name: str, sample: tuple[int, ...], classes: int, *counts: int, tail: tuple[int, ...] = ()) -> KnownDataset:
    return KnownDataset(
        name, "keras", SampleKind.IMAGE, sample, classes, counts, "uint8", 0, 255, tail, label_dtype="uint8"
    )


def _words(name: str, classes: int, *counts: int) -> KnownDataset:
    return KnownDataset(name, "keras", SampleKind.TEXT, (), classes, counts, "object", 0)


def _tensors(name: str, sample: tuple[int, int, int], classes: int) -> KnownDataset:
    return KnownDataset(name, "torchvision", SampleKind.IMAGE, sample, classes, low=0, high=1)


def _table(name: str, rows: int, columns: int, classes: int, is_sorted: bool = False) -> KnownDataset:
    kind = SampleKind.TABLE
    return KnownDataset(name, "sklearn", kind, (columns,), classes, (rows,), "float64", is_sorted=is_sorted)


DATASETS: NetworkTable[KnownDataset] = NetworkTable(
    _pixels("mnist", (28, 28), 10, 60000, 10000),
    _pixels("fashion_mnist", (28, 28), 10, 60000, 10000),
    _pixels("cifar10", (32, 32, 3), 10, 50000, 10000, tail=(1,)),
    _pixels("cifar100", (32, 32, 3), 100, 50000, 10000, tail=(1,)),
    _words("imdb", 2, 25000, 25000),
    _words("reuters", 46, 8982, 2246),
    KnownDataset("boston_housing", "keras", SampleKind.TABLE, (13,), 0, (404, 102), "float64", 0, 711, values=(5, 50)),
    KnownDataset("california_housing", "keras", SampleKind.TABLE, (8,), 0, dtype="float32"),
    _tensors("MNIST", (1, 28, 28), 10),
    _tensors("FashionMNIST", (1, 28, 28), 10),
    _tensors("KMNIST", (1, 28, 28), 10),
    _tensors("QMNIST", (1, 28, 28), 10),
    _tensors("USPS", (1, 16, 16), 10),
    _tensors("CIFAR10", (3, 32, 32), 10),
    _tensors("CIFAR100", (3, 32, 32), 100),
    _tensors("SVHN", (3, 32, 32), 10),
    _tensors("STL10", (3, 96, 96), 10),
    _table("load_iris", 150, 4, 3, is_sorted=True),
    _table("load_wine", 178, 13, 3, is_sorted=True),
    _table("load_breast_cancer", 569, 30, 2),
    _table("load_digits", 1797, 64, 10),
    _table("load_diabetes", 442, 10, 0),
    _table("fetch_california_housing", 20640, 8, 0),
)


def datasets_of(framework: str) -> list[KnownDataset]:
    """All data sets of a library."""
    return [row for row in DATASETS if row.framework == framework]
