"""Arrays in a few numbers: what the Keras probe says of inputs, labels, weights, gradients and outputs.

Everything here takes NumPy arrays and returns plain dictionaries with the fields that an event has. Nothing draws
random numbers and nothing writes to an array. Large arrays are thinned by a fixed stride.
"""

import functools
import sys
from typing import Any

from ..labels import counts_of, label_facts, whole

MOST_VALUES = 1000000
MOST_OUTPUTS = 200000
MOST_FEATURES = 4096
LEAST_ROWS, MOST_TABLE = 20, 200000  # of a table whose columns are checked
EXACT = 1e-4  # what single precision leaves of a mean of 0
MOST_HASHES = 64
FLAT = 1e-3  # a derivative below this carries no gradient worth speaking of


def quietly(function):
    """Numbers that are none are expected here; NumPy need not warn of them in the user's name."""

    @functools.wraps(function)
    def quiet(*arguments, **named):
        with sys.modules["numpy"].errstate(all="ignore"):
            return function(*arguments, **named)

    return quiet


@quietly
def numbers(array, most=MOST_VALUES):
    """The fields of ``Numbers``; for other dtypes only shape and dtype are recorded."""
    numpy = sys.modules["numpy"]
    facts: dict[str, Any] = {"shape": [int(size) for size in array.shape], "dtype": str(array.dtype)}
    if array.dtype.kind not in "biuf" or not array.size:
        return facts
    values = thin(array, most).astype("float64", copy=False)
    finite = values[numpy.isfinite(values)]
    facts["nonfinite"] = int(values.size - finite.size)
    if finite.size:
        facts.update(minimum=float(finite.min()), maximum=float(finite.max()), mean=float(finite.mean()))
        facts.update(std=float(finite.std()), zero_share=float((finite == 0).mean()))
    return facts


def thin(array, most):
    """At most about so many values, spread over the array, as one row."""
    if array.size <= most:
        return array.reshape(-1)
    stride = -(-array.size // most)
    if array.flags.c_contiguous:
        # A stride that shares a factor with the last axis would look at few of its columns only.
        return array.reshape(-1)[:: stride | 1]
    return array[:: min(stride, len(array))].reshape(-1)[:most]


def row_hashes(array):
    """One 64-bit number for each row: equal rows have equal numbers, others hardly ever."""
    numpy = sys.modules["numpy"]
    rows = numpy.ascontiguousarray(array.reshape(len(array), -1))
    raw = rows.view("uint8").reshape(len(rows), -1)
    spare = -raw.shape[1] % 8
    if spare:
        raw = numpy.pad(raw, ((0, 0), (0, spare)), mode="constant")
    words = numpy.ascontiguousarray(raw).view("uint64")
    places = numpy.arange(1, words.shape[1] + 1, dtype="uint64")
    # Odd multipliers from a fixed recurrence; the two rounds keep swapped columns apart.
    factors = places * numpy.uint64(0x9E3779B97F4A7C15) | numpy.uint64(1)
    mixed = (words ^ (words >> numpy.uint64(29))) * factors
    mixed ^= mixed >> numpy.uint64(32)
    return (mixed * factors).sum(axis=1, dtype="uint64")


@quietly
def is_standard(array):
    """Whether each feature of a table has mean 0 and deviation 1, but for rounding: its own statistics were used."""
    if array.ndim != 2 or array.dtype.kind != "f" or not LEAST_ROWS <= len(array) <= MOST_TABLE:
        return False
    columns = array.astype("float64", copy=False)
    deviations = columns.std(axis=0)
    moving = deviations > 0
    exact = abs(deviations - 1) < 1.0 / len(columns)  # either way of dividing, by n or by n - 1
    return bool(moving.any() and abs(columns.mean(axis=0)).max() < EXACT and exact[moving].all())


@quietly
def features(array, hashes=None):
    """The fields of ``Features``; a feature is a position of the last axis."""
    numpy = sys.modules["numpy"]
    if array.dtype.kind not in "biuf" or not array.size:
        return None
    facts: dict[str, Any] = {}
    columns = array.reshape(len(array), -1) if array.ndim < 3 else array.reshape(-1, array.shape[-1])
    columns = columns[:, :MOST_FEATURES]
    columns = columns[:: max(columns.size // (4 * MOST_VALUES), 1)].astype("float64", copy=False)
    deviations = columns.std(axis=0)
    moving = deviations[numpy.isfinite(deviations) & (deviations > 0)]
    facts["constant_share"] = float((deviations == 0).mean())
    facts["scale_spread"] = float(moving.max() / moving.min()) if moving.size else 1.0
    values = thin(array, MOST_VALUES // 10)
    facts["integer_grid"] = bool(array.dtype.kind in "biu" or (values == numpy.round(values)).all())
    if array.dtype.kind in "iu" and array.ndim == 2:
        facts["padding_share"] = float((values == 0).mean())
    if hashes is not None and len(hashes):
        facts["duplicate_share"] = float(1 - len(numpy.unique(hashes)) / len(hashes))
        facts["hashes"] = ["%016x" % int(value) for value in hashes[:MOST_HASHES]]
    return facts


@quietly
def targets(array, hashes=None):
    """The fields of ``Targets``."""
    if array.dtype.kind not in "biuf" or not array.size:
        return {"encoding": ""}
    labels, encoding, classes = labels_of(array)
    facts = {"encoding": encoding, "classes": classes}
    if labels is None:
        return facts
    facts.update(label_facts(labels, hashes) if labels.ndim == 1 else {"counts": counts_of(whole(labels))})
    return facts


def labels_of(array):
    """The class of each sample where there is one, the encoding, and how many classes it provides for."""
    numpy = sys.modules["numpy"]
    width = array.shape[-1] if array.ndim > 1 else 1
    if array.ndim == 2 and width == 1:
        array = array[:, 0]
    elif width > 1:
        two_valued = bool(((array == 0) | (array == 1)).all())
        if two_valued and bool((array.sum(axis=-1) == 1).all()):
            return array.argmax(axis=-1), "one-hot", int(width)
        if two_valued and array.ndim == 2:
            return None, "multi-label", int(width)
    finite = array[numpy.isfinite(array)] if array.dtype.kind == "f" else array
    if not finite.size or not bool((finite == numpy.floor(finite)).all()):
        return None, "real", 0
    different = len(numpy.unique(finite))
    if bool(((finite == 0) | (finite == 1)).all()):
        return finite, "binary", 2
    if array.dtype.kind == "f" and different > max(min(1000, finite.size // 5), 2):
        return None, "real", 0
    if different > 10000:
        return None, "real", 0
    return finite, "index", int(finite.max()) + 1


@quietly
def rms(arrays):
    """Root of the mean square over all values of several arrays."""
    numpy = sys.modules["numpy"]
    total, count = 0.0, 0
    for array in arrays:
        values = thin(array, MOST_VALUES).astype("float64", copy=False)
        total += float(numpy.dot(values, values))
        count += values.size
    return (total / count) ** 0.5 if count else None


def not_finite(arrays):
    numpy = sys.modules["numpy"]
    return sum(
        int(array.size - numpy.isfinite(array).sum()) for array in arrays if getattr(array.dtype, "kind", "") == "f"
    )


@quietly
def weight_numbers(tensors):
    """What ``LayerNumbers`` holds of weights: ``tensors`` are (role, array) with role kernel, bias or other."""
    numpy = sys.modules["numpy"]
    facts = {}
    kernels = [array for role, array in tensors if role == "kernel"] or [
        array for role, array in tensors if role != "bias"
    ]
    biases = [array for role, array in tensors if role == "bias" and array.size]
    if kernels:
        values = numpy.concatenate([thin(array, MOST_VALUES) for array in kernels]).astype("float64")
        facts["weight_rms"] = float(numpy.sqrt((values * values).mean()))
        facts["weight_std"] = float(values.std())
    if biases:
        values = numpy.concatenate([array.reshape(-1) for array in biases]).astype("float64")
        facts["bias_mean"] = float(values.mean())
        facts["bias_maximum"] = float(numpy.abs(values).max())
    facts["weight_nonfinite"] = not_finite([array for _, array in tensors])
    matrices = [array for role, array in tensors if role == "kernel" and array.ndim > 1 and array.shape[-1] > 1]
    if matrices:
        facts["symmetric"] = all(bool((array == array[..., :1]).all()) for array in matrices)
    return facts


@quietly
def update_numbers(before, after):
    """How far one step moved the weights: pairs of (role, array) lists in the same order."""
    pairs = [(role, old, new) for (role, old), (_, new) in zip(before, after) if old.shape == new.shape]
    if not pairs:
        return {}
    facts = {"changed": any(old.tobytes() != new.tobytes() for _, old, new in pairs)}
    chosen = [pair for pair in pairs if pair[0] == "kernel"] or [pair for pair in pairs if pair[0] != "bias"] or pairs
    moved = rms([new.astype("float64") - old.astype("float64") for _, old, new in chosen])
    size = rms([old for _, old, _ in chosen])
    if moved is not None and size:
        facts["update_ratio"] = moved / size
    return facts


@quietly
def gradient_numbers(arrays):
    numpy = sys.modules["numpy"]
    if not arrays:
        return {}
    facts = {"gradient_rms": rms(arrays), "gradient_nonfinite": not_finite(arrays)}
    values = numpy.concatenate([thin(array, MOST_VALUES) for array in arrays])
    facts["gradient_maximum"] = float(numpy.abs(values).max())
    facts["gradient_zero_share"] = float((values == 0).mean())
    return facts


@quietly
def output_numbers(array, activation="", channels_first=False):
    """What ``LayerNumbers`` holds of outputs; units lie on the last axis unless channels come first."""
    numpy = sys.modules["numpy"]
    if array.dtype.kind != "f" or not array.size or array.ndim < 2:
        return {}
    if channels_first and array.ndim > 2:
        array = numpy.moveaxis(array, 1, -1)
    units = array.reshape(array.shape[0], -1, array.shape[-1])
    units = units[:, :: max(units.size // MOST_OUTPUTS, 1)].astype("float64", copy=False)
    finite = units[numpy.isfinite(units)]
    facts: dict[str, Any] = {"output_nonfinite": int(units.size - finite.size)}
    if not finite.size:
        return facts
    facts.update(output_mean=float(finite.mean()), output_std=float(finite.std()))
    facts.update(output_minimum=float(finite.min()), output_maximum=float(finite.max()))
    facts["zero_share"] = float((finite == 0).mean())
    if activation in ("relu", "relu6"):
        facts["dead_share"] = float((units == 0).all(axis=(0, 1)).mean())
    flat = flat_share(finite, activation)
    if flat is not None:
        facts["saturated_share"] = flat
    return facts


def flat_share(values, activation):
    """The share of outputs at which the activation has hardly any derivative left."""
    numpy = sys.modules["numpy"]
    if activation in ("sigmoid", "softmax"):
        return float((values * (1 - values) < FLAT).mean())
    if activation == "tanh":
        return float((1 - values * values < FLAT).mean())
    if activation in ("hard_sigmoid", "hard_tanh"):
        return float(((values >= 1) | (values <= (0 if activation == "hard_sigmoid" else -1))).mean())
    if activation == "softsign":
        return float(((1 - numpy.abs(values)) ** 2 < FLAT).mean())
    return None


@quietly
def spread(outputs):
    """The mean over output units of the standard deviation across the samples."""
    if outputs is None or outputs.dtype.kind != "f" or outputs.ndim < 1 or len(outputs) < 2:
        return None
    rows = outputs.reshape(len(outputs), -1)[:, :MOST_FEATURES].astype("float64", copy=False)
    return float(rows.std(axis=0).mean())


@quietly
def answers(outputs):
    """How often each class is answered: the largest of several outputs, or the side of a half where a single one is."""
    if outputs.ndim < 2 or outputs.shape[-1] == 1:
        flat = outputs.reshape(-1)
        within = bool(((flat >= 0) & (flat <= 1)).all())
        return {"0": int((flat < 0.5).sum()), "1": int((flat >= 0.5).sum())} if within else {}
    if outputs.ndim > 2 or outputs.shape[-1] > 10000:
        return {}
    return counts_of(whole(outputs.argmax(axis=-1)))
