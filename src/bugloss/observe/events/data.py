"""Events about the data: batches that were looked at closely, and data sources as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bugloss.core.diagnosis import Site


@dataclass(frozen=True, slots=True)
class Numbers:
    """A tensor in a few numbers."""

    shape: tuple[int, ...] = ()
    dtype: str = ""
    minimum: float = 0.0
    maximum: float = 0.0
    mean: float = 0.0
    std: float = 0.0
    zero_share: float = 0.0
    nonfinite: int = 0


@dataclass(frozen=True, slots=True)
class InputFeatures:
    """What is known of an input besides its numbers; a feature is a place on the last axis, at most 4096 are read."""

    constant_share: float = 0.0  # of the features: the same value in the whole batch
    scale_spread: float = 1.0  # largest over smallest non-zero standard deviation of a feature
    duplicate_share: float = 0.0  # of the samples: an exact copy of another one in the batch
    hashes: tuple[str, ...] = ()  # of single samples, at most 64, for overlap between phases
    integer_grid: bool = False  # values are whole numbers
    padding_share: float = 0.0  # of token ids: equal to the padding value
    standard: bool = False  # over all samples, each feature has mean 0 and deviation 1 exactly


@dataclass(frozen=True, slots=True)
class Targets:
    """What is known of the labels of a batch."""

    encoding: str = ""  # index | one-hot | binary | multi-label | real
    classes: int = 0  # width of a one-hot target, or largest index + 1
    counts: Mapping[str, int] = field(default_factory=dict)  # how often each class occurs, at most 64
    run_length: float = 1.0  # mean length of runs of equal labels in batch order
    conflicting_share: float = 0.0  # samples whose exact copy has another label


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch that was looked at closely."""

    step: int
    phase: str  # train | validation
    size: int = 0
    inputs: tuple[Numbers, ...] = ()
    features: tuple[InputFeatures, ...] = ()
    target: Numbers | None = None
    targets: Targets | None = None
    weights: Numbers | None = None  # sample weights or loss mask
    outputs: Numbers | None = None
    output_spread: float | None = None  # mean over output units of the standard deviation across the batch
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class Data:
    """A data source: the arrays given to fit, or a loader, seen as a whole."""

    phase: str  # train | validation
    samples: int | None = None
    batch_size: int | None = None
    shuffled: bool | None = None
    workers: int | None = None
    drop_last: bool | None = None
    site: Site | None = None
    features: InputFeatures | None = None
    input: Numbers | None = None
    target: Numbers | None = None
    targets: Targets | None = None  # of all samples (at most 100,000 read)
    class_weights: Mapping[str, float] | None = None
    weights: Numbers | None = None
    overlap: float | None = None  # share of the validation samples that are in the training data too
    sorted_labels: bool | None = None
