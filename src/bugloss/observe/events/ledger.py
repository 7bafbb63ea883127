"""Events from the books that are kept during a run: passes over data, samples, copies of models, printed numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bugloss.core.diagnosis import Site


@dataclass(frozen=True, slots=True)
class DataPass:
    """One pass over a source of samples: a loader, a generator, or a line that feeds batches."""

    phase: str  # train | validation
    source: str  # "source-0"
    number: int = 0  # of the pass, among those of its source
    step: int = 0  # at its end
    batches: int = 0
    samples: int = 0
    looked: int = 0  # samples that were hashed: the first rows of each batch
    complete: bool = False  # it came to its end, and was not left early
    whole: int | None = None  # samples that the source says it has
    whole_batches: int | None = None
    shuffled: bool | None = None  # whether the source means to give another order each time
    replaced: bool = False  # samples are drawn with replacement
    random: bool = False  # the code that makes samples names a source of chance
    distinct: int = 0  # different samples among those looked at
    contents: int = 0  # different batches
    content: str = ""  # one word for all samples, whatever their order
    known: float | None = None  # share of the samples that an earlier pass had
    seen: int = 0  # different samples in this pass and all before
    same_order: float | None = None  # share of places with the sample that the pass before had there
    again: int = 0  # samples met again, with their targets
    changed: int = 0  # of these: now with the target of another sample
    disputed: int = 0  # samples that this pass has with several targets
    flipped: int = 0  # images that an earlier pass had mirrored
    flipped_alone: int = 0  # of these: with a target that was not mirrored
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class SampleFacts:
    """A few samples of one phase, and what they tell without any network."""

    phase: str
    samples: int = 0
    shape: tuple[int, ...] = ()
    targets: str = ""  # classes | real
    neighbours: float | None = None  # how well the nearest sample tells the target: 0 is chance, 1 always
    linear: float | None = None  # how well a linear fit tells it, on samples that it was not fitted to
    doubt: float | None = None  # one standard error of the above at chance
    means: tuple[float, ...] = ()  # by feature or channel, at most 32
    deviations: tuple[float, ...] = ()
    row_mean: float | None = None  # largest distance of a sample's mean from 0
    row_deviation: float | None = None  # largest distance of a sample's deviation from 1
    whole_mean: float | None = None
    whole_deviation: float | None = None
    unlike: float | None = None  # largest over smallest deviation of a feature
    roughness: tuple[float, ...] = ()  # mean difference of neighbouring pixels, down and across
    roughness_turned: tuple[float, ...] = ()  # the same with the axes in the other order
    wraps: bool | None = None  # values of small integers that ran over an end of their range
    shared_windows: float | None = None  # of validation: windows with a stretch that a training window has elsewhere
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class CopiedModel:
    """A model of the same architecture as one that trains, used between its steps without being trained itself."""

    model: str
    of: str
    turns: int = 0  # steps during which it was used
    apart: float | None = None  # distance from the other when first used, relative to the weights
    moved: float | None = None  # of its weights since then, relative to their size
    other_moved: float | None = None
    shared: bool = False  # both hold the same memory
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number that the program printed, with the words before it."""

    step: int
    name: str
    value: float
    digits: int = 4  # after the point
    percent: bool = False
    site: Site | None = None


@dataclass(frozen=True, slots=True)
class OptimizerUse:
    """How an optimizer was used in the whole run."""

    optimizer: str
    steps: int = 0
    graded: int = 0  # of its parameters: had a gradient
    shared: Mapping[str, int] = field(default_factory=dict)  # parameters that another optimizer steps too, by its name
    parameters: int = 0
    alternating: bool = False  # several optimizers step in turns
    site: Site | None = None
