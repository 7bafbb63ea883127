"""Losses: what they read as the network's output, what they compare it with, and what they do themselves."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

from bugloss.core.network.table import NetworkTable


class Reads(Enum):
    """What a loss takes the output of the network for."""

    SCORES = "raw scores"
    PROBABILITIES = "probabilities"
    LOG_PROBABILITIES = "log-probabilities"
    VALUES = "values"


class Compares(Enum):
    """What the numbers of one sample are to each other."""

    CLASSES = "mutually exclusive classes"
    EACH = "each output independently"
    VALUES = "values"
    OTHER = "something else"  # pairs, triples, sequences


class Encoding(Enum):
    """How targets are written."""

    CLASS_NUMBERS = "class indices"
    ONE_HOT = "one-hot rows"
    BINARY = "zeros and ones"
    SIGNS = "ones and minus ones"
    REALS = "values"
    DISTRIBUTION = "probabilities"
    OTHER = "something else"


@dataclass(frozen=True, slots=True)
class KnownLoss:
    """One loss of one framework."""

    name: str  # as messages spell it
    kind: str  # what losses of all frameworks have in common
    framework: str  # torch, keras, tensorflow
    reads: Reads
    compares: Compares
    targets: Encoding
    names: tuple[str, ...] = ()
    also_takes: tuple[Encoding, ...] = ()
    applies: str = ""  # the activation that the loss applies itself
    scores_argument: str = ""  # the keyword that makes it read raw scores
    class_axis: int = -1
    symmetric: bool = False  # the operands may be swapped
    elementwise: bool = False  # operands of two shapes are stretched to one without a word
    usual: bool = False  # the one to propose where a loss of this kind is needed

    @property
    def never_negative(self) -> bool:
        """Whether sound operands cannot give a loss below zero."""
        return self.regresses or self.classifies or self.kind == "hinge"

    @property
    def classifies(self) -> bool:
        """Whether it compares classes; a divergence between two distributions does not."""
        by_class = self.compares in {Compares.CLASSES, Compares.EACH} and self.reads is not Reads.VALUES
        return by_class and self.targets is not Encoding.DISTRIBUTION

    @property
    def regresses(self) -> bool:
        return self.compares is Compares.VALUES

    @property
    def prediction_first(self) -> bool:
        """Whether the network's output is the first operand: in PyTorch it is, in Keras the second."""
        return self.framework == "torch"

    @property
    def normaliser(self) -> str:
        """The activation that makes of raw scores what the loss compares."""
        return "sigmoid" if self.compares is Compares.EACH else "softmax"


def _torch(
    name: str, function: str, kind: str, reads: Reads, compares: Compares, targets: Encoding, **facts: object
) -> KnownLoss:
    names = (function,) if function else ()
    return KnownLoss(name, kind, "torch", reads, compares, targets, names, **facts)  # type: ignore[arg-type]


def _torch_values(name: str, function: str, kind: str) -> KnownLoss:
    """A distance between values; torch's own are symmetric and stretch what does not have one shape."""
    return _torch(
        name, function, kind, Reads.VALUES, Compares.VALUES, Encoding.REALS,
        symmetric=True, elementwise=True,
    )  # fmt: skip


def _torch_other(name: str, function: str, kind: str) -> KnownLoss:
    return _torch(name, function, kind, Reads.VALUES, Compares.OTHER, Encoding.OTHER)


def _torch_signs(name: str, function: str, kind: str, symmetric: bool = False) -> KnownLoss:
    """A loss of pairs, with 1 for those that belong together and -1 for the others."""
    return _torch(name, function, kind, Reads.VALUES, Compares.OTHER, Encoding.SIGNS, symmetric=symmetric)


def _keras_values(name: str, kind: str, *names: str, symmetric: bool = True) -> KnownLoss:
    values = (Reads.VALUES, Compares.VALUES, Encoding.REALS)
    return KnownLoss(name, kind, "keras", *values, names=names, symmetric=symmetric, elementwise=True)


def _keras_hinge(name: str) -> KnownLoss:
    return KnownLoss(name, "hinge", "keras", Reads.VALUES, Compares.EACH, Encoding.OTHER, elementwise=True)


_CE, _BCE = "cross-entropy", "binary-cross-entropy"

LOSSES: NetworkTable[KnownLoss] = NetworkTable(
    _torch(
        "CrossEntropyLoss", "cross_entropy", _CE, Reads.SCORES, Compares.CLASSES, Encoding.CLASS_NUMBERS,
        also_takes=(Encoding.DISTRIBUTION, Encoding.ONE_HOT), applies="log_softmax", class_axis=1, usual=True,
    ),
    _torch(
        "NLLLoss", "nll_loss", "nll", Reads.LOG_PROBABILITIES, Compares.CLASSES, Encoding.CLASS_NUMBERS,
        class_axis=1,
    ),
    _torch(
        "BCELoss", "binary_cross_entropy", _BCE, Reads.PROBABILITIES, Compares.EACH, Encoding.BINARY,
        elementwise=True, usual=True,
    ),
    _torch(
        "BCEWithLogitsLoss", "binary_cross_entropy_with_logits", _BCE, Reads.SCORES, Compares.EACH, Encoding.BINARY,
        applies="sigmoid", elementwise=True, usual=True,
    ),
    _torch(
        "MultiLabelSoftMarginLoss", "multilabel_soft_margin_loss", _BCE, Reads.SCORES, Compares.EACH, Encoding.BINARY,
        applies="sigmoid",
    ),
    _torch(
        "KLDivLoss", "kl_div", "kl-divergence", Reads.LOG_PROBABILITIES, Compares.CLASSES, Encoding.DISTRIBUTION,
        elementwise=True,
    ),
    _torch_values("MSELoss", "mse_loss", "mse"),
    _torch_values("L1Loss", "l1_loss", "mae"),
    _torch_values("SmoothL1Loss", "smooth_l1_loss", "smooth-l1"),
    _torch_values("HuberLoss", "huber_loss", "huber"),
    _torch(
        "PoissonNLLLoss", "poisson_nll_loss", "poisson", Reads.VALUES, Compares.OTHER, Encoding.REALS,
        elementwise=True,
    ),
    _torch(
        "MultiMarginLoss", "multi_margin_loss", "hinge", Reads.VALUES, Compares.OTHER, Encoding.CLASS_NUMBERS,
        class_axis=1,
    ),
    _torch(
        "SoftMarginLoss", "soft_margin_loss", "logistic", Reads.VALUES, Compares.OTHER, Encoding.SIGNS,
        elementwise=True,
    ),
    _torch_other("MultiLabelMarginLoss", "multilabel_margin_loss", "hinge"),
    _torch_signs("HingeEmbeddingLoss", "hinge_embedding_loss", "hinge"),
    _torch_signs("MarginRankingLoss", "margin_ranking_loss", "margin"),
    _torch_signs("CosineEmbeddingLoss", "cosine_embedding_loss", "cosine", symmetric=True),
    _torch_other("TripletMarginLoss", "triplet_margin_loss", "triplet"),
    _torch_other("TripletMarginWithDistanceLoss", "triplet_margin_with_distance_loss", "triplet"),
    _torch_other("GaussianNLLLoss", "gaussian_nll_loss", "gaussian-nll"),
    _torch_other("CTCLoss", "ctc_loss", "ctc"),
    KnownLoss(
        "categorical_crossentropy", _CE, "keras", Reads.PROBABILITIES, Compares.CLASSES, Encoding.ONE_HOT,
        also_takes=(Encoding.DISTRIBUTION,), scores_argument="from_logits", usual=True,
    ),
    KnownLoss(
        "sparse_categorical_crossentropy", _CE, "keras", Reads.PROBABILITIES, Compares.CLASSES, Encoding.CLASS_NUMBERS,
        scores_argument="from_logits", usual=True,
    ),
    KnownLoss(
        "binary_crossentropy", _BCE, "keras", Reads.PROBABILITIES, Compares.EACH, Encoding.BINARY, ("bce",),
        scores_argument="from_logits", elementwise=True, usual=True,
    ),
    KnownLoss(
        "binary_focal_crossentropy", _BCE, "keras", Reads.PROBABILITIES, Compares.EACH, Encoding.BINARY,
        scores_argument="from_logits", elementwise=True,
    ),
    KnownLoss(
        "categorical_focal_crossentropy", _CE, "keras", Reads.PROBABILITIES, Compares.CLASSES, Encoding.ONE_HOT,
        also_takes=(Encoding.DISTRIBUTION,), scores_argument="from_logits",
    ),
    KnownLoss(
        "kl_divergence", "kl-divergence", "keras", Reads.PROBABILITIES, Compares.CLASSES, Encoding.DISTRIBUTION,
        ("kld", "kullback_leibler_divergence", "KLDivergence"), also_takes=(Encoding.ONE_HOT,),
    ),
    _keras_values("mean_squared_error", "mse", "mse"),
    _keras_values("mean_absolute_error", "mae", "mae"),
    _keras_values("mean_absolute_percentage_error", "mape", "mape", symmetric=False),
    _keras_values("mean_squared_logarithmic_error", "msle", "msle"),
    _keras_values("huber", "huber", "huber_loss"),
    _keras_values("log_cosh", "log-cosh", "logcosh"),
    KnownLoss("poisson", "poisson", "keras", Reads.VALUES, Compares.OTHER, Encoding.REALS, elementwise=True),
    _keras_hinge("hinge"),
    _keras_hinge("squared_hinge"),
    KnownLoss("categorical_hinge", "hinge", "keras", Reads.VALUES, Compares.OTHER, Encoding.ONE_HOT),
    KnownLoss(
        "cosine_similarity", "cosine-similarity", "keras", Reads.VALUES, Compares.OTHER, Encoding.REALS,
        ("cosine_proximity",), symmetric=True,
    ),
    KnownLoss("ctc", "ctc", "keras", Reads.SCORES, Compares.OTHER, Encoding.OTHER, ("ctc_batch_cost",)),
    KnownLoss("dice", "dice", "keras", Reads.PROBABILITIES, Compares.OTHER, Encoding.BINARY),
    KnownLoss(
        "softmax_cross_entropy_with_logits", _CE, "tensorflow", Reads.SCORES, Compares.CLASSES, Encoding.ONE_HOT,
        ("softmax_cross_entropy_with_logits_v2", "softmax_cross_entropy"), (Encoding.DISTRIBUTION,), "softmax",
        usual=True,
    ),
    KnownLoss(
        "sparse_softmax_cross_entropy_with_logits", _CE, "tensorflow", Reads.SCORES, Compares.CLASSES,
        Encoding.CLASS_NUMBERS, ("sparse_softmax_cross_entropy",), applies="softmax", usual=True,
    ),
    KnownLoss(
        "sigmoid_cross_entropy_with_logits", _BCE, "tensorflow", Reads.SCORES, Compares.EACH, Encoding.BINARY,
        ("sigmoid_cross_entropy",), applies="sigmoid", usual=True,
    ),
)  # fmt: skip


def loss(name: str, framework: str = "") -> KnownLoss | None:
    """The loss with that name in any spelling, in one framework or the first that has it."""
    return LOSSES.find(name, lambda row: not framework or row.framework == framework)


def losses_in(text: str) -> Iterator[KnownLoss]:
    """The losses whose names a text contains, as often as it does."""
    return (row for word in re.findall(r"[A-Za-z]\w+", text) if (row := loss(word)) is not None)


def losses_of(framework: str) -> list[KnownLoss]:
    """All losses of a framework."""
    return [row for row in LOSSES if row.framework == framework]


def classifies(kind: str) -> bool:
    """Whether losses of a kind compare classes."""
    return any(row.classifies for row in LOSSES if row.kind == kind)


def separates(kind: str) -> bool:
    """Whether losses of a kind compare classes of which each sample has one."""
    return any(row.classifies and row.compares is Compares.CLASSES for row in LOSSES if row.kind == kind)


def is_symmetric(kind: str) -> bool:
    """Whether the operands of losses of a kind may be swapped."""
    return any(row.symmetric for row in LOSSES if row.kind == kind)


def spellings(wanted: Callable[[KnownLoss], bool]) -> tuple[str, ...]:
    """Every name, as programs write it, of the losses that meet a condition."""
    rows = filter(wanted, LOSSES)
    return tuple(dict.fromkeys(name for row in rows for name in (row.name, _class_name(row), *row.names) if name))


def _class_name(row: KnownLoss) -> str:
    """``mean_squared_error`` as a class of Keras: ``MeanSquaredError``; empty for names of other frameworks."""
    return "".join(part.capitalize() for part in row.name.split("_")) if row.framework == "keras" else ""


def never_negative(kind: str) -> bool:
    """Whether losses of a kind cannot be below zero, where outputs and targets are sound."""
    return any(row.never_negative for row in LOSSES if row.kind == kind)


def regresses(kind: str) -> bool:
    """Whether losses of a kind measure distances between values."""
    return any(row.regresses for row in LOSSES if row.kind == kind)
