"""Metrics: which outputs and which targets each one reads, and whether it suits a loss.

A metric that suits neither is computed without an error in most cases, and shows a number that means nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from bugloss.core.network.loss import Compares, Encoding, KnownLoss
from bugloss.core.network.table import NetworkTable


class MetricInput(Enum):
    """What a metric takes predictions for."""

    CLASSES = "predicted classes"
    PROBABILITIES = "probabilities"
    RANKING = "scores"  # only their order counts: logits do as well
    VALUES = "values"


class Better(Enum):
    """Which value of a measured quantity is the better one."""

    LARGER = "larger"
    SMALLER = "smaller"


# Words in the names that people give to what they measure, with or without a number behind.
_RISES = frozenset({
    "acc", "accuracy", "auc", "auroc", "auprc", "prc", "precision", "recall", "sensitivity", "specificity", "f1", "f2",
    "fbeta", "fmeasure", "iou", "miou", "dice", "jaccard", "bleu", "rouge", "map", "psnr", "ssim", "r2", "kappa", "mcc",
    "ndcg",
})  # fmt: skip
_FALLS = frozenset({
    "loss", "losses", "error", "errors", "err", "mse", "mae", "mape", "rmse", "crossentropy", "perplexity", "nll",
    "wer", "cer", "fid", "brier",
})  # fmt: skip
_LONG = 4  # letters: a shorter word at the end of another one is a coincidence


@dataclass(frozen=True, slots=True)
class KnownMetric:
    """One metric of one library."""

    name: str
    framework: str  # keras, sklearn
    reads: MetricInput
    targets: tuple[Encoding, ...] = ()  # empty: it adapts itself to the loss
    names: tuple[str, ...] = ()
    scores_argument: str = ""  # the argument that lets it read logits
    each: bool = False  # it judges each output on its own
    symmetric: bool = False  # targets and predictions may be swapped

    @property
    def classifies(self) -> bool:
        """Whether it counts right answers of a classifier."""
        return self.reads is not MetricInput.VALUES


_ROWS, _INDICES, _BITS = Encoding.ONE_HOT, Encoding.CLASS_NUMBERS, Encoding.BINARY


def _counts(name: str, *names: str, argument: str = "thresholds") -> KnownMetric:
    """A metric of Keras over yes and no for each output."""
    reads = MetricInput.PROBABILITIES
    return KnownMetric(name, "keras", reads, (_BITS, _ROWS), names, argument, each=True)


def _values(framework: str, name: str, *names: str, symmetric: bool = False) -> KnownMetric:
    return KnownMetric(name, framework, MetricInput.VALUES, (Encoding.REALS,), names, symmetric=symmetric)


METRICS: NetworkTable[KnownMetric] = NetworkTable(
    KnownMetric("accuracy", "keras", MetricInput.PROBABILITIES, (), ("acc",)),
    KnownMetric("binary_accuracy", "keras", MetricInput.PROBABILITIES, (_BITS, _ROWS), (), "threshold", each=True),
    KnownMetric("categorical_accuracy", "keras", MetricInput.RANKING, (_ROWS,)),
    KnownMetric("sparse_categorical_accuracy", "keras", MetricInput.RANKING, (_INDICES,)),
    KnownMetric("top_k_categorical_accuracy", "keras", MetricInput.RANKING, (_ROWS,)),
    KnownMetric("sparse_top_k_categorical_accuracy", "keras", MetricInput.RANKING, (_INDICES,)),
    _counts("AUC", argument="from_logits"),
    _counts("Precision"),
    _counts("Recall"),
    _counts("TruePositives"),
    _counts("TrueNegatives"),
    _counts("FalsePositives"),
    _counts("FalseNegatives"),
    _values("keras", "mean_squared_error", "mse"),
    _values("keras", "mean_absolute_error", "mae"),
    _values("keras", "root_mean_squared_error"),
    _values("keras", "r2_score"),
    *(
        KnownMetric(name, "sklearn", MetricInput.CLASSES, (_INDICES,), symmetric=True)
        for name in ("accuracy_score", "f1_score", "cohen_kappa_score", "matthews_corrcoef", "jaccard_score")
    ),
    *(
        KnownMetric(name, "sklearn", MetricInput.CLASSES, (_INDICES,))
        for name in (
            "balanced_accuracy_score", "precision_score", "recall_score", "fbeta_score", "confusion_matrix",
            "classification_report", "precision_recall_fscore_support",
        )
    ),
    KnownMetric("roc_auc_score", "sklearn", MetricInput.RANKING, (_BITS, _INDICES)),
    KnownMetric("average_precision_score", "sklearn", MetricInput.RANKING, (_BITS, _ROWS)),
    KnownMetric("roc_curve", "sklearn", MetricInput.RANKING, (_BITS,)),
    KnownMetric("precision_recall_curve", "sklearn", MetricInput.RANKING, (_BITS,)),
    KnownMetric("top_k_accuracy_score", "sklearn", MetricInput.RANKING, (_INDICES,)),
    KnownMetric("brier_score_loss", "sklearn", MetricInput.PROBABILITIES, (_BITS,)),
    KnownMetric("log_loss", "sklearn", MetricInput.PROBABILITIES, (_INDICES, _ROWS)),
    _values("sklearn", "mean_squared_error", symmetric=True),
    _values("sklearn", "mean_absolute_error", symmetric=True),
    _values("sklearn", "mean_absolute_percentage_error"),
    _values("sklearn", "explained_variance_score"),
    _values("sklearn", "r2_score"),
)  # fmt: skip


def metric(name: str, framework: str) -> KnownMetric | None:
    """The metric with that name in any spelling."""
    return METRICS.find(name, lambda row: row.framework == framework)


def metrics_of_library(framework: str) -> list[KnownMetric]:
    """All metrics of a library."""
    return [row for row in METRICS if row.framework == framework]


def better_when(name: str) -> Better | None:
    """Whether a measured quantity is better when larger or smaller, by the words of its name; None where in doubt."""
    words = re.findall(r"[a-z]+\d*", name.lower())
    rises, falls = (any(_has(word, known) for word in words) for known in (_RISES, _FALLS))
    if rises == falls:
        return None
    return Better.LARGER if rises else Better.SMALLER


def _has(word: str, known: frozenset[str]) -> bool:
    plain = word.rstrip("0123456789")
    return word in known or plain in known or any(plain.endswith(one) for one in known if len(one) >= _LONG)


def metric_misfit(known: KnownMetric, loss: KnownLoss, units: int | None, logits: bool) -> str:
    """Why a metric does not suit a loss of Keras and the outputs of its network; empty where it does.

    ``logits`` says that the network ends without an activation and the loss reads logits.
    """
    if loss.regresses:
        # A metric with a threshold may be meant for targets of 0 and 1.
        counts = known.classifies and not known.each
        return f"{known.name} counts exact matches, but {loss.name} trains a regression" if counts else ""
    if not loss.classifies or not known.classifies:
        return ""
    thresholded = known.reads is MetricInput.PROBABILITIES and (known.each or loss.compares is Compares.EACH)
    if logits and thresholded:
        return f"{known.name} reads probabilities (its threshold is 0.5), but the network gives logits"
    if (units is None or units > 1) and known.targets and loss.targets not in known.targets:
        wanted = known.targets[-1].value
        return f"{known.name} reads targets as {wanted}, but {loss.name} needs {loss.targets.value}"
    if known.name == "binary_accuracy" and loss.compares is Compares.CLASSES and (units or 0) > 2:
        return f"{known.name} judges each of the {units} outputs on its own, but {loss.name} trains exclusive classes"
    return ""
