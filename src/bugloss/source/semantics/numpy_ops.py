"""NumPy: making arrays, random numbers, and the functions and methods that compute with them."""

from __future__ import annotations

import math
from collections.abc import Callable

from bugloss.source.follow.call import Call, Semantics
from bugloss.source.semantics import array_ops as arrays
from bugloss.source.semantics import array_shapes, ranges
from bugloss.source.semantics.dtypes import dtype_of
from bugloss.source.semantics.literals import literal_numbers, literal_shape
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Constant,
    Interval,
    Items,
    Other,
    Tensor,
    Value,
    integers_of,
    number_of,
)

Meaning = Callable[[Call], Value]
RANDOM = frozenset({"random"})
GENERATOR = "numpy.random.Generator"


def filled(call: Call) -> Value:
    """``np.zeros(shape)``: arrays that are made to be filled, so nothing is said of their range."""
    given = call.argument(2 if call.name.endswith("full") else 1, "dtype")
    written = call.given(2 if call.name.endswith("full") else 1, "dtype")
    default = None if call.name.endswith("full") else "float64"
    dtype = dtype_of(given) if written else default
    return Tensor("numpy", arrays.written_shape(call.argument(0, "shape")), dtype, ANYTHING, call.name, (), call.node)


def array(call: Call) -> Value:
    """``np.array(data)``: literal data are read, arrays keep what they have."""
    data = call.argument(0, "object")
    wanted = dtype_of(call.argument(1, "dtype")) if call.given(1, "dtype") else None
    if isinstance(data, Tensor):
        kept = data.dtype if not call.given(1, "dtype") else wanted
        library = {"library": "numpy", "made_by": call.name, "inputs": (data,), "node": call.node}
        return data.with_(dtype=kept, facts=arrays.lasting(data), **library)
    numbers = literal_numbers(data)
    interval = Interval(min(numbers), max(numbers)) if numbers else ANYTHING
    if numbers and not call.given(1, "dtype"):
        wanted = "float64" if any(isinstance(number, float) for number in numbers) else "int64"
    return Tensor("numpy", literal_shape(data), wanted, interval, call.name, (data,), call.node)


def arange(call: Call) -> Value:
    numbers = [number_of(value) for value in call.positional[:3]]
    dtype = dtype_of(call.keywords.get("dtype"))
    if not numbers or None in numbers or call.starred:
        return Tensor("numpy", (None,), dtype, ANYTHING, call.name, (), call.node)
    low, high = (0, numbers[0]) if len(numbers) == 1 else (numbers[0], numbers[1])
    step = numbers[2] if len(numbers) > 2 else 1
    assert low is not None and high is not None
    count = max(0, math.ceil((high - low) / step)) if step else None
    interval = Interval(low, max(low, high - step)) if step and step > 0 else ANYTHING
    whole = all(isinstance(number, int) for number in numbers)
    dtype = dtype or (None if "dtype" in call.keywords else "int64" if whole else "float64")
    return Tensor("numpy", (count,), dtype, interval, call.name, (), call.node)


def linspace(call: Call) -> Value:
    low, high = number_of(call.argument(0, "start")), number_of(call.argument(1, "stop"))
    count = number_of(call.argument(2, "num")) if call.given(2, "num") else 50
    interval = Interval(min(low, high), max(low, high)) if low is not None and high is not None else ANYTHING
    size = count if isinstance(count, int) else None
    dtype = "float64" if "dtype" not in call.keywords else dtype_of(call.keywords["dtype"])
    return Tensor("numpy", (size,), dtype, interval, call.name, (), call.node)


def identity(call: Call) -> Value:
    size = number_of(call.argument(0, "N"))
    dtype = dtype_of(call.keywords["dtype"]) if "dtype" in call.keywords else "float64"
    rows = size if isinstance(size, int) else None
    shape = (rows, rows) if len(call.positional) == 1 else None
    return Tensor("numpy", shape, dtype, ranges.UNIT, call.name, (), call.node, frozenset({"identity"}))


# ── random numbers ──────────────────────────────────────────────────────────────────────────────────────────


def drawn(position: int, interval: Interval, dtype: str = "float64") -> Meaning:
    """A distribution whose ``size`` is at a position; without a size it is a single number."""

    def apply(call: Call) -> Value:
        given = call.given(position, "size")
        shape = arrays.written_shape(call.argument(position, "size")) if given else () if not call.positional else None
        if shape == ():  # a Python number, which takes on the type of what it meets
            return Tensor("numpy", (), None, interval, call.name, (), call.node, RANDOM)
        known = dtype_of(call.keywords["dtype"]) if "dtype" in call.keywords else dtype
        return Tensor("numpy", shape, known, interval, call.name, (), call.node, RANDOM)

    return apply


def drawn_with_sizes(interval: Interval) -> Meaning:
    """``np.random.rand(2, 3)`` takes the sizes as arguments of their own."""

    def apply(call: Call) -> Value:
        shape = None if call.starred else integers_of(Items(call.positional))
        dtype = "float64" if shape != () else None
        return Tensor("numpy", shape, dtype, interval, call.name, (), call.node, RANDOM)

    return apply


def uniform(call: Call) -> Value:
    return drawn(2, arrays.drawn_range(call, 0, "low", "high"))(call)


def integers(call: Call) -> Value:
    low, high = number_of(call.argument(0, "low")), number_of(call.argument(1, "high"))
    if not call.given(1, "high"):
        low, high = 0, low
    interval = Interval(low, high - 1) if low is not None and high is not None else ANYTHING
    return drawn(2, interval, "int64")(call)


def permutation(call: Call) -> Value:
    base = call.argument(0)
    if isinstance(base, Tensor):
        return arrays.moved(call, base, facts=arrays.lasting(base) - {"sorted-classes"})
    count = number_of(base)
    size = count if isinstance(count, int) else None
    return Tensor("numpy", (size,), "int64", Interval(0.0), call.name, (), call.node, RANDOM)


def generator(call: Call) -> Value:
    return Other(GENERATOR, {}, call.node)


_RANDOM: dict[str, Meaning] = {
    "rand": drawn_with_sizes(ranges.UNIT),
    "randn": drawn_with_sizes(ANYTHING),
    "random": drawn(0, ranges.UNIT),
    "random_sample": drawn(0, ranges.UNIT),
    "normal": drawn(2, ANYTHING),
    "standard_normal": drawn(0, ANYTHING),
    "uniform": uniform,
    "randint": integers,
    "integers": integers,
    "binomial": drawn(2, ranges.NOT_NEGATIVE, "int64"),
    "poisson": drawn(1, ranges.NOT_NEGATIVE, "int64"),
    "permutation": permutation,
}

# ── other makers ────────────────────────────────────────────────────────────────────────────────────────────


def repeated(call: Call) -> Value:
    """``np.repeat([0, 1, 2], 50)`` without an axis: one axis, in blocks."""
    base = arrays.subject(call)
    times = number_of(arrays.option(call, 0, "repeats") or UNKNOWN)
    if arrays.option(call, 1, "axis") is not None:
        return arrays.moved(call, base, shape=None)
    length = base.shape[0] if isinstance(base, Tensor) and base.shape and len(base.shape) == 1 else None
    size = length * times if isinstance(length, int) and isinstance(times, int) else None
    facts = frozenset({"sorted-classes"}) if _counts_up(base) else frozenset()
    return arrays.moved(call, base, shape=(size,), facts=facts)


def _counts_up(value: Value) -> bool:
    """Whether the value is 0, 1, 2 …: repeated in blocks it gives labels sorted by class."""
    if isinstance(value, Tensor):
        return value.made_by == "numpy.arange"
    numbers = literal_numbers(value)
    return len(numbers) > 1 and numbers == sorted(numbers)


def loaded_text(call: Call) -> Value:
    dtype = dtype_of(call.argument(1, "dtype")) if call.given(1, "dtype") else "float64"
    return Tensor("numpy", None, dtype, ANYTHING, call.name, (), call.node)


def size_attribute(call: Call) -> Value:
    from bugloss.source.values.shapes import product

    tensor = call.receiver
    count = product(tensor.shape) if isinstance(tensor, Tensor) and tensor.shape is not None else None
    return UNKNOWN if count is None else Constant(count)


def rank_attribute(call: Call) -> Value:
    tensor = call.receiver
    rank = tensor.rank if isinstance(tensor, Tensor) else None
    return UNKNOWN if rank is None else Constant(rank)


_FUNCTIONS: dict[str, Meaning] = {
    "exp": arrays.floating(ranges.exponential),
    "expm1": arrays.floating(ranges.shifted_exponential),
    "log": arrays.floating(ranges.logarithm),
    "log2": arrays.floating(ranges.logarithm),
    "log10": arrays.floating(ranges.logarithm),
    "log1p": arrays.floating(ranges.logarithm_of_one_plus),
    "sqrt": arrays.floating(ranges.square_root),
    "abs": arrays.elementwise(ranges.absolute),
    "absolute": arrays.elementwise(ranges.absolute),
    "fabs": arrays.elementwise(ranges.absolute),
    "square": arrays.elementwise(ranges.square),
    "sin": arrays.floating(ranges.always(Interval(-1, 1))),
    "cos": arrays.floating(ranges.always(Interval(-1, 1))),
    "tanh": arrays.floating(ranges.always(Interval(-1, 1))),
    "sign": arrays.elementwise(ranges.always(Interval(-1, 1))),
    "round": arrays.elementwise(ranges.always(ANYTHING)),
    "floor": arrays.elementwise(ranges.always(ANYTHING)),
    "ceil": arrays.elementwise(ranges.always(ANYTHING)),
    "negative": arrays.elementwise(lambda i: Interval(-i.high, -i.low)),
    "nan_to_num": arrays.elementwise(ranges.always(ANYTHING)),
    "reciprocal": arrays.floating(ranges.always(ANYTHING)),
    "clip": arrays.clip,
    "maximum": arrays.extremes(True),
    "minimum": arrays.extremes(False),
    "where": arrays.where,
    "sum": arrays.reduction(arrays.summed),
    "mean": arrays.reduction(arrays.kept),
    "average": arrays.reduction(arrays.kept),
    "median": arrays.reduction(arrays.kept),
    "max": arrays.reduction(arrays.kept),
    "amax": arrays.reduction(arrays.kept),
    "min": arrays.reduction(arrays.kept),
    "amin": arrays.reduction(arrays.kept),
    "std": arrays.reduction(ranges.always(ranges.NOT_NEGATIVE)),
    "var": arrays.reduction(ranges.always(ranges.NOT_NEGATIVE)),
    "prod": arrays.reduction(ranges.always(ANYTHING)),
    "all": arrays.reduction(ranges.always(ranges.UNIT), "bool"),
    "any": arrays.reduction(ranges.always(ranges.UNIT), "bool"),
    "argmax": arrays.index_of_extreme,
    "argmin": arrays.index_of_extreme,
    "reshape": array_shapes.reshaped,
    "transpose": array_shapes.transposed,
    "expand_dims": array_shapes.expanded,
    "squeeze": array_shapes.squeezed,
    "ravel": array_shapes.flattened_whole,
    "flatten": array_shapes.flattened_whole,
    "dot": array_shapes.matrix_product,
    "matmul": array_shapes.matrix_product,
    "copy": arrays.unchanged,
    "astype": arrays.cast,
    "repeat": repeated,
    "ascontiguousarray": arrays.unchanged,
    "flip": arrays.unchanged,
    "fliplr": arrays.unchanged,
    "flipud": arrays.unchanged,
}

SEMANTICS: Semantics = {
    **{f"numpy.{name}": meaning for name, meaning in _FUNCTIONS.items()},
    **{f"numpy.Tensor.{name}": meaning for name, meaning in _FUNCTIONS.items()},
    **{f"numpy.random.{name}": meaning for name, meaning in _RANDOM.items()},
    **{f"{GENERATOR}.{name}": meaning for name, meaning in _RANDOM.items()},
    **{f"numpy.{name}": filled for name in ("zeros", "ones", "empty", "full")},
    **{f"numpy.{name}_like": arrays.like(ANYTHING) for name in ("zeros", "ones", "empty", "full")},
    **{f"numpy.{name}": array for name in ("array", "asarray", "asanyarray")},
    **{f"numpy.{name}": arrays.operator(kind) for name, kind in
       {"add": "add", "subtract": "sub", "multiply": "mult", "divide": "div", "power": "pow"}.items()},
    "numpy.arange": arange,
    "numpy.linspace": linspace,
    "numpy.eye": identity,
    "numpy.identity": identity,
    "numpy.concatenate": array_shapes.joined,
    "numpy.vstack": array_shapes.stacked_along(0, 0),
    "numpy.hstack": array_shapes.stacked_along(1, 0),
    "numpy.stack": array_shapes.stacked,
    "numpy.loadtxt": loaded_text,
    "numpy.genfromtxt": loaded_text,
    "numpy.linalg.norm": arrays.reduction(ranges.always(ranges.NOT_NEGATIVE)),
    "numpy.random.RandomState": generator,
    "numpy.random.default_rng": generator,
    "attribute numpy.size": size_attribute,
    "attribute numpy.ndim": rank_attribute,
    "constant numpy.pi": lambda _: Constant(math.pi),
    "constant numpy.e": lambda _: Constant(math.e),
    "constant numpy.newaxis": lambda _: Constant(None),
    "compare": arrays.comparison,
}  # fmt: skip
