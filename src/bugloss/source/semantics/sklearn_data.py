"""scikit-learn (and imbalanced-learn) data: sets with their shapes and classes, splits, scalers and resamplers.

What a transformer was fitted on stays on its result as a fact (``fitted:StandardScaler``), and both parts of a split
carry one too, so that rules can detect leaks.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from bugloss.core.network.dataset import KnownDataset, datasets_of
from bugloss.source.follow.call import Call, Semantics
from bugloss.source.semantics import array_ops as arrays
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Constant,
    Dim,
    Interval,
    Items,
    Other,
    Tensor,
    Value,
    integer_of,
    number_of,
    truth_of,
)

Meaning = Callable[[Call], Value]
FITTED = "fitted:"
RESAMPLED = "resampled:"
# rows, columns, classes by default
_MAKERS = {
    "make_classification": (100, 20, 2),
    "make_blobs": (100, 2, 3),
    "make_moons": (100, 2, 2),
    "make_circles": (100, 2, 2),
    "make_regression": (100, 100, 0),
}
# Transformers that learn from the features; encoders of labels are left out, they leak nothing.
LEARNERS = (
    "preprocessing.StandardScaler",
    "preprocessing.MinMaxScaler",
    "preprocessing.RobustScaler",
    "preprocessing.MaxAbsScaler",
    "preprocessing.PowerTransformer",
    "preprocessing.QuantileTransformer",
    "decomposition.PCA",
    "feature_selection.SelectKBest",
    "feature_selection.SelectPercentile",
    "feature_selection.RFE",
    "impute.SimpleImputer",
    "impute.KNNImputer",
)
SCALERS = tuple(name.rsplit(".", 1)[-1] for name in LEARNERS[:6])
RESAMPLERS = (
    "over_sampling.SMOTE",
    "over_sampling.ADASYN",
    "over_sampling.RandomOverSampler",
    "over_sampling.BorderlineSMOTE",
    "combine.SMOTEENN",
    "combine.SMOTETomek",
)


def _table(call: Call, rows: Dim, columns: Dim, facts: frozenset[str] = frozenset()) -> Tensor:
    return Tensor("numpy", (rows, columns), "float64", ANYTHING, call.name, (), call.node, facts)


def _labels(call: Call, rows: Dim, classes: int | None, facts: frozenset[str] = frozenset()) -> Tensor:
    if classes == 0:
        return Tensor("numpy", (rows,), "float64", ANYTHING, call.name, (), call.node, frozenset({"numbers"}))
    known = {"class-ids"} | ({f"classes:{classes}"} if classes else set())
    interval = Interval(0, classes - 1) if classes else Interval(0.0)
    return Tensor("numpy", (rows,), "int64", interval, call.name, (), call.node, facts | known)


def load(known: KnownDataset) -> Meaning:
    (rows,), (columns,) = known.counts, known.sample
    facts = frozenset({"sorted-classes"}) if known.is_sorted else frozenset()

    def apply(call: Call) -> Value:
        if "n_class" in call.keywords or truth_of(call.keywords.get("as_frame", Constant(False))) is not False:
            return UNKNOWN
        parts: list[Value] = [_table(call, rows, columns, facts), _labels(call, rows, known.classes, facts)]
        if truth_of(call.keywords.get("return_X_y", Constant(False))) is True:
            return Items(parts, True)
        return Other("sklearn.Bunch", {"data": parts[0], "target": parts[1]}, call.node)

    return apply


def bunch_attribute(name: str) -> Meaning:
    def apply(call: Call) -> Value:
        return call.receiver.arguments.get(name, UNKNOWN) if isinstance(call.receiver, Other) else UNKNOWN

    return apply


def make(name: str) -> Meaning:
    default_rows, default_columns, default_classes = _MAKERS[name]

    def apply(call: Call) -> Value:
        rows = integer_of(call.argument(0, "n_samples")) if call.given(0, "n_samples") else default_rows
        wide = name in {"make_classification", "make_regression", "make_blobs"}
        given = wide and call.given(1, "n_features")
        columns = integer_of(call.argument(1, "n_features")) if given else default_columns
        classes: int | None = default_classes
        for keyword in ("n_classes", "centers"):
            if keyword in call.keywords:
                classes = integer_of(call.keywords[keyword])
        if call.starred:
            rows, columns, classes = None, None, None
        return Items([_table(call, rows, columns), _labels(call, rows, classes)], True)

    return apply


def split(call: Call) -> Value:
    """``train_test_split(x, y)``: a training part and a held-out part of each array."""
    size = number_of(call.keywords["test_size"]) if "test_size" in call.keywords else 0.25
    if call.starred or "train_size" in call.keywords:
        size = None
    shuffled = truth_of(call.keywords.get("shuffle", Constant(True))) is True
    parts: list[Value] = []
    for value in call.positional:
        if isinstance(value, Tensor):
            parts += _split(call, value, size, shuffled)
        else:
            parts += [
                Tensor("numpy", facts=frozenset({fact}), node=call.node) for fact in ("training-part", "held-out")
            ]
    return UNKNOWN if call.starred or not parts else Items(parts)


def _split(call: Call, array: Tensor, size: float | None, shuffled: bool) -> list[Value]:
    facts = arrays.lasting(array) - ({"sorted-classes"} if shuffled else set())
    rows = array.shape[0] if array.shape else None
    test = (
        size
        if isinstance(size, int)
        else -int(-size * rows // 1)
        if size is not None and math.isfinite(size) and isinstance(rows, int)
        else None
    )
    train = rows - test if isinstance(rows, int) and test is not None else None
    made = {"made_by": call.name, "inputs": (array,), "node": call.node}
    tail = array.shape[1:] if array.shape else None
    return [
        array.with_(shape=None if tail is None else (count, *tail), facts=facts | {fact}, **made)
        for count, fact in ((train, "training-part"), (test, "held-out"))
    ]


def learner(call: Call) -> Value:
    return Other(call.name, dict(call.keywords), call.node)


def fit_transform(call: Call) -> Value:
    """The result carries what it was fitted on; the columns may change, the range is the scaler's."""
    owner, data = call.receiver, call.argument(0, "X")
    kind = owner.kind.rsplit(".", 1)[-1] if isinstance(owner, Other) else ""
    return _transformed(call, kind, data, {f"{FITTED}{kind}"})


def transform(call: Call) -> Value:
    owner, data = call.receiver, call.argument(0, "X")
    kind = owner.kind.rsplit(".", 1)[-1] if isinstance(owner, Other) else ""
    return _transformed(call, kind, data, set())


def _transformed(call: Call, kind: str, data: Value, facts: set[str]) -> Value:
    scaled = kind in SCALERS
    known = data if isinstance(data, Tensor) else Tensor("numpy")
    plain = isinstance(call.receiver, Other) and not call.receiver.arguments
    interval = Interval(0, 1) if kind == "MinMaxScaler" and plain and facts else ANYTHING
    kept = (arrays.lasting(known) | known.facts & {"training-part"}) - {"unscaled-image", "unscaled-table"}
    base = {"library": "numpy", "made_by": call.name, "inputs": (data,), "node": call.node}
    shape = known.shape if scaled else (known.shape[0], None) if known.shape else None
    dtype = known.dtype if known.dtype == "float32" and scaled else "float64" if known.dtype else None
    return known.with_(shape=shape, dtype=dtype, interval=interval, facts=kept | facts, **base)


def fit_learner(call: Call) -> Value:
    return call.receiver


def resample(call: Call) -> Value:
    """``SMOTE().fit_resample(x, y)``."""
    owner = call.receiver
    kind = owner.kind.rsplit(".", 1)[-1] if isinstance(owner, Other) else ""
    facts = frozenset({f"{RESAMPLED}{kind}"})
    parts: list[Value] = []
    for value in (call.argument(0, "X"), call.argument(1, "y")):
        known = value if isinstance(value, Tensor) else Tensor("numpy")
        rest = known.shape[1:] if known.shape else None
        shape = None if rest is None else (None, *rest)
        kept = arrays.lasting(known) | known.facts & {"training-part"}
        parts.append(known.with_(shape=shape, made_by=call.name, inputs=(value,), node=call.node, facts=kept | facts))
    return Items(parts, True)


def encoded(fact: str, dtype: str) -> Meaning:
    """``LabelEncoder().fit_transform(y)`` gives class indices, ``LabelBinarizer`` and ``OneHotEncoder`` rows."""

    def apply(call: Call) -> Value:
        labels = call.argument(0, "y")
        rows = labels.shape[0] if isinstance(labels, Tensor) and labels.shape else None
        shape = (rows,) if fact == "class-ids" else None
        return Tensor("numpy", shape, dtype, Interval(0), call.name, (labels,), call.node, frozenset({fact}))

    return apply


def shuffle(call: Call) -> Value:
    """``sklearn.utils.shuffle(x, y)``: the same order for all."""
    parts: list[Value] = [
        arrays.moved(call, value, library="numpy", facts=arrays.lasting(value) - {"sorted-classes"})
        for value in call.positional
    ]
    return parts[0] if len(parts) == 1 else Items(parts)


SEMANTICS: Semantics = {
    **{f"sklearn.datasets.{row.name}": load(row) for row in datasets_of("sklearn")},
    **{f"sklearn.datasets.{name}": make(name) for name in _MAKERS},
    "sklearn.model_selection.train_test_split": split,
    "sklearn.utils.shuffle": shuffle,
    **{f"sklearn.preprocessing.{name}": learner for name in ("LabelEncoder", "OneHotEncoder")},
    "sklearn.preprocessing.LabelEncoder.fit_transform": encoded("class-ids", "int64"),
    "sklearn.preprocessing.OneHotEncoder.fit_transform": encoded("one-hot", "float64"),
    "pandas.get_dummies": encoded("one-hot", "uint8"),
    "attribute sklearn.Bunch.data": bunch_attribute("data"),
    "attribute sklearn.Bunch.target": bunch_attribute("target"),
    **{f"sklearn.{name}": learner for name in LEARNERS},
    **{f"sklearn.{name}.fit_transform": fit_transform for name in LEARNERS},
    **{f"sklearn.{name}.transform": transform for name in LEARNERS},
    **{f"sklearn.{name}.fit": fit_learner for name in LEARNERS},
    **{f"imblearn.{name}": learner for name in RESAMPLERS},
    **{f"imblearn.{name}.fit_resample": resample for name in RESAMPLERS},
    **{f"imblearn.{name}.fit_sample": resample for name in RESAMPLERS},
}
