"""TensorFlow 1 and 2: constants, variables, placeholders, and the functions that compute with them."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.source.follow.call import Call, Semantics, passed
from bugloss.source.semantics import array_ops as arrays
from bugloss.source.semantics import array_shapes, ranges
from bugloss.source.semantics.dtypes import tensorflow_dtype as dtype_of
from bugloss.source.semantics.literals import literal_numbers, literal_shape
from bugloss.source.values.shapes import same, show
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Constant,
    Dim,
    FunctionValue,
    Interval,
    Items,
    Other,
    Tensor,
    Value,
    integers_of,
    number_of,
    truth_of,
)

Meaning = Callable[[Call], Value]
SYMBOLIC = frozenset({"symbolic"})  # a placeholder stands for a value that is fed later


def constant(call: Call) -> Value:
    """``tf.constant(data)`` and ``tf.convert_to_tensor``."""
    data = call.argument(0, "value")
    given = call.given(1, "dtype")
    dtype = dtype_of(call.argument(1, "dtype")) if given else None
    base = {"made_by": call.name, "inputs": (data,), "node": call.node, "library": "tensorflow"}
    if isinstance(data, Tensor):
        return data.with_(dtype=dtype if given else data.dtype, facts=arrays.lasting(data), **base)
    numbers = literal_numbers(data)
    if numbers and not given:
        dtype = "float32" if any(isinstance(number, float) for number in numbers) else "int32"
    shape = integers_of(call.keywords["shape"]) if "shape" in call.keywords else literal_shape(data)
    interval = Interval(min(numbers), max(numbers)) if numbers else ANYTHING
    return Tensor("tensorflow", shape, dtype, interval, call.name, (data,), call.node)


def variable(call: Call) -> Value:
    """``tf.Variable(initial)``: shape and dtype of what it starts from; training may give it any value."""
    initial = call.argument(0, "initial_value")
    dtype = dtype_of(call.keywords["dtype"]) if "dtype" in call.keywords else None
    if isinstance(initial, Tensor):
        shape, dtype = initial.shape, dtype or initial.dtype
    else:
        numbers = literal_numbers(initial)
        shape = literal_shape(initial)
        if dtype is None and numbers:
            dtype = "float32" if any(isinstance(number, float) for number in numbers) else "int32"
    return Tensor("tensorflow", shape, dtype, ANYTHING, call.name, (initial,), call.node)


def get_variable(call: Call) -> Value:
    shape = arrays.written_shape(call.argument(1, "shape"))
    dtype = dtype_of(call.argument(2, "dtype")) if call.given(2, "dtype") else "float32"
    return Tensor("tensorflow", shape, dtype, ANYTHING, call.name, (), call.node)


def placeholder(call: Call) -> Value:
    dtype = dtype_of(call.argument(0, "dtype"))
    written = integers_of(call.argument(1, "shape"))
    # The first unknown axis is the batch, as everywhere.
    shape = None if written is None else tuple("batch" if d is None and i == 0 else d for i, d in enumerate(written))
    return Tensor("tensorflow", shape, dtype, ANYTHING, call.name, (), call.node, SYMBOLIC)


def feed(call: Call) -> Value:
    """An entry of ``feed_dict``: the array must have the shape that its placeholder declares."""
    declared, given = call.positional
    if (
        not isinstance(declared, Tensor)
        or not isinstance(given, Tensor)
        or declared.made_by != "tensorflow.placeholder"
    ):
        return UNKNOWN
    if declared.shape is not None and given.shape is not None:
        pairs = zip(declared.shape[::-1], given.shape[::-1], strict=False)
        if len(declared.shape) != len(given.shape) or any(same(one, other) is False for one, other in pairs):
            message = (
                f"the placeholder has shape {show(declared.shape)}, but is fed an array of shape {show(given.shape)}"
            )
            call.conflict("shape", message, shapes=(declared.shape, given.shape))
    return UNKNOWN


def created(interval: Interval, dtype_at: int, facts: frozenset[str] = frozenset()) -> Meaning:
    """``tf.zeros(shape)``, ``tf.random.normal(shape)`` …"""

    def apply(call: Call) -> Value:
        given = call.given(dtype_at, "dtype")
        dtype = dtype_of(call.argument(dtype_at, "dtype")) if given else "float32"
        shape = arrays.written_shape(call.argument(0, "shape"))
        return Tensor("tensorflow", shape, dtype, interval, call.name, (), call.node, facts)

    return apply


def uniform(call: Call) -> Value:
    return created(arrays.drawn_range(call, 1, "minval", "maxval"), 3, frozenset({"random"}))(call)


def filled(call: Call) -> Value:
    number = number_of(call.argument(1, "value"))
    interval = Interval(number, number) if number is not None else ANYTHING
    return Tensor(
        "tensorflow", arrays.written_shape(call.argument(0, "dims")), None, interval, call.name, (), call.node
    )


def sequence(call: Call) -> Value:
    """``tf.range``."""
    return Tensor("tensorflow", (None,), dtype_of(call.keywords.get("dtype")), ANYTHING, call.name, (), call.node)


def one_hot(call: Call) -> Value:
    base = arrays.subject(call)
    if isinstance(call.keywords.get("indices"), Tensor):
        base = call.keywords["indices"]
    depth = number_of(arrays.option(call, 0, "depth") or UNKNOWN)
    size: Dim = depth if isinstance(depth, int) else None
    shape = arrays.shape_of(base)
    dtype = dtype_of(call.keywords["dtype"]) if "dtype" in call.keywords else "float32"
    whole = None if shape is None else (*shape, size)
    return arrays.made(call, base, shape=whole, dtype=dtype, interval=ranges.UNIT, facts=frozenset({"one-hot"}))


def cast(call: Call) -> Value:
    """``tf.cast``."""
    base = arrays.subject(call)
    return arrays.moved(call, base, dtype=dtype_of(arrays.option(call, 0, "dtype")))


def labels_and_logits(call: Call) -> Value:
    """``softmax_cross_entropy_with_logits``: one number per row; both sides must have the same shape."""
    labels, logits = call.keywords.get("labels", UNKNOWN), call.keywords.get("logits", UNKNOWN)
    first, second = arrays.shape_of(labels), arrays.shape_of(logits)
    sparse = "sparse" in call.name
    if first is not None and second is not None:
        expected = second[:-1] if sparse else second
        clash = len(first) != len(expected) or any(
            same(a, b) is False and 1 not in (a, b) for a, b in zip(first, expected, strict=True)
        )
        if clash:
            name = call.name.rsplit(".", 1)[-1]
            message = f"{name}: labels of shape {show(first)} do not match logits of shape {show(second)}"
            call.conflict("shape", message, shapes=(first, second))
    elementwise = "sigmoid" in call.name
    shape = second if elementwise else second[:-1] if second else None
    interval = ranges.NOT_NEGATIVE
    return Tensor("tensorflow", shape, "float32", interval, call.name, (labels, logits), call.node)


def dense(call: Call) -> Value:
    """``tf.layers.dense(x, units)``."""
    base = arrays.subject(call)
    units = number_of(arrays.option(call, 0, "units") or UNKNOWN)
    shape = arrays.shape_of(base)
    width: Dim = units if isinstance(units, int) else None
    return arrays.made(call, base, shape=None if not shape else (*shape[:-1], width), interval=ANYTHING)


def pieces(call: Call) -> Value:
    """``tf.split(x, 3, axis)``: a list of parts; those of a known number are equal."""
    base = arrays.subject(call)
    count = number_of(arrays.option(call, 0, "num_or_size_splits") or UNKNOWN)
    if not isinstance(count, int) or not 0 < count <= 64:
        return Items([], complete=False)
    return Items([arrays.moved(call, base, shape=None) for _ in range(count)])


def dynamic_rnn(call: Call) -> Value:
    """``tf.nn.dynamic_rnn(cell, inputs)`` wants one tensor of three axes, not a list of steps."""
    steps = call.argument(1, "inputs")
    if isinstance(steps, Items) and not steps.is_tuple:
        call.conflict("shape", "dynamic_rnn takes one tensor (batch, time, features), but its input is a list of steps")
    elif isinstance(steps, Tensor) and steps.rank is not None and steps.rank != 3:
        message = f"dynamic_rnn takes a tensor (batch, time, features), but its input has shape {show(steps.shape)}"
        call.conflict("shape", message, shapes=(steps.shape,))
    return UNKNOWN


def tape(call: Call) -> Value:
    return Other("tensorflow.GradientTape", {}, call.node)


def gradient(call: Call) -> Value:
    """``tape.gradient(y, x)`` has the shape of ``x``."""
    source = call.argument(1, "sources")
    if not isinstance(source, Tensor):
        return UNKNOWN
    return source.with_(interval=ANYTHING, made_by=call.name, inputs=(source,), node=call.node, facts=frozenset())


# ── tf.data ─────────────────────────────────────────────────────────────────────────────────────────────────


def slices(call: Call) -> Value:
    """``tf.data.Dataset.from_tensor_slices``: elements without their first axis."""
    data = call.argument(0, "tensors")
    parts = data.items if isinstance(data, Items) and data.is_tuple else [data]
    elements = [_element(part) for part in parts]
    whole: Value = Items(elements, True) if len(parts) > 1 or data is not parts[0] else elements[0]
    return Other("tensorflow.data.Dataset", {"element": whole, "from": data}, call.node)


def _element(value: Value) -> Value:
    if not isinstance(value, Tensor):
        return UNKNOWN
    shape = value.shape[1:] if value.shape else None
    return value.with_(library="tensorflow", shape=shape, made_by="getitem", inputs=(value,))


def dataset_kept(call: Call) -> Value:
    """``shuffle``, ``repeat``, ``prefetch`` …: the elements stay as they are."""
    dataset = call.receiver
    if not isinstance(dataset, Other):
        return UNKNOWN
    return Other(dataset.kind, {**dataset.arguments, call.name.rsplit(".", 1)[-1]: Constant(True)}, call.node)


def dataset_batched(call: Call) -> Value:
    dataset = call.receiver
    if not isinstance(dataset, Other):
        return UNKNOWN
    size = number_of(call.argument(0, "batch_size"))
    fixed = truth_of(call.argument(1, "drop_remainder")) is True
    batch: Dim = size if fixed and isinstance(size, int) else "batch"
    element = _with_batch(dataset.arguments.get("element", UNKNOWN), batch)
    return Other(dataset.kind, {**dataset.arguments, "element": element, "batch": Constant(size)}, call.node)


def _with_batch(value: Value, batch: Dim) -> Value:
    if isinstance(value, Items):
        return Items([_with_batch(item, batch) for item in value.items], value.is_tuple)
    if isinstance(value, Tensor):
        return value.with_(shape=None if value.shape is None else (batch, *value.shape))
    return UNKNOWN


def dataset_mapped(call: Call) -> Value:
    """``map(function)``: what a function of the file makes of an element."""
    dataset, function = call.receiver, call.argument(0, "map_func")
    element = dataset.arguments.get("element", UNKNOWN) if isinstance(dataset, Other) else UNKNOWN
    if not isinstance(function, FunctionValue) or element is UNKNOWN:
        return dataset_changed(call)
    parts = list(element.items) if isinstance(element, Items) and element.is_tuple else [element]
    return Other(
        call.name.rsplit(".", 1)[0], {"element": call.interpreter.call_function(function, passed(*parts))}, call.node
    )


def dataset_changed(call: Call) -> Value:
    """``filter``, ``interleave`` …: elements that are not followed."""
    return Other("tensorflow.data.Dataset", {}, call.node)


_ELEMENTWISE: dict[str, ranges.Ranged] = {
    "exp": ranges.exponential,
    "expm1": ranges.shifted_exponential,
    "log": ranges.logarithm,
    "log1p": ranges.logarithm_of_one_plus,
    "sqrt": ranges.square_root,
    "rsqrt": ranges.always(ranges.POSITIVE),
    "abs": ranges.absolute,
    "square": ranges.square,
    "sigmoid": ranges.always(ranges.UNIT),
    "tanh": ranges.always(Interval(-1, 1)),
    "sin": ranges.always(Interval(-1, 1)),
    "cos": ranges.always(Interval(-1, 1)),
    "softplus": ranges.always(ranges.POSITIVE),
    "negative": lambda interval: Interval(-interval.high, -interval.low),
    "round": ranges.always(ANYTHING),
    "floor": ranges.always(ANYTHING),
    "reciprocal": ranges.always(ANYTHING),
    "relu": ranges.rectified,
    "relu6": ranges.always(Interval(0, 6)),
    "elu": ranges.always(Interval(-1.0)),
    "leaky_relu": ranges.always(ANYTHING),
    "gelu": ranges.always(ANYTHING),
    "softmax": ranges.always(ranges.UNIT),
    "log_softmax": ranges.always(Interval(high=0.0)),
    "log_sigmoid": ranges.always(Interval(high=0.0)),
}
_REDUCTIONS: dict[str, Meaning] = {
    "reduce_sum": arrays.reduction(arrays.summed),
    "reduce_mean": arrays.reduction(arrays.kept),
    "reduce_max": arrays.reduction(arrays.kept),
    "reduce_min": arrays.reduction(arrays.kept),
    "reduce_prod": arrays.reduction(ranges.always(ANYTHING)),
    "reduce_std": arrays.reduction(ranges.always(ranges.NOT_NEGATIVE)),
    "reduce_variance": arrays.reduction(ranges.always(ranges.NOT_NEGATIVE)),
    "reduce_all": arrays.reduction(ranges.always(ranges.UNIT), "bool"),
    "reduce_any": arrays.reduction(ranges.always(ranges.UNIT), "bool"),
    "argmax": arrays.index_of_extreme,
    "argmin": arrays.index_of_extreme,
    "maximum": arrays.extremes(True),
    "minimum": arrays.extremes(False),
}
_OPERATORS = {"add": "add", "subtract": "sub", "multiply": "mult", "divide": "div", "truediv": "div", "pow": "pow"}
_SPACES = ("tensorflow.", "tensorflow.math.", "tensorflow.nn.", "keras.ops.", "keras.backend.")
_CROSS_ENTROPIES = (
    "softmax_cross_entropy_with_logits",
    "softmax_cross_entropy_with_logits_v2",
    "sparse_softmax_cross_entropy_with_logits",
    "sigmoid_cross_entropy_with_logits",
)
_KEPT = ("shuffle", "repeat", "prefetch", "cache", "take", "skip")

SEMANTICS: Semantics = {
    **{f"{space}{name}": arrays.elementwise(ranged) for space in _SPACES for name, ranged in _ELEMENTWISE.items()},
    **{f"{space}{name}": meaning for space in _SPACES[:2] for name, meaning in _REDUCTIONS.items()},
    **{f"{space}{name}": arrays.operator(kind) for space in _SPACES[:2] for name, kind in _OPERATORS.items()},
    **{f"tensorflow.nn.{name}": labels_and_logits for name in _CROSS_ENTROPIES},
    **{f"tensorflow.data.Dataset.{name}": dataset_kept for name in _KEPT},
    **{f"tensorflow.data.Dataset.{name}": dataset_changed for name in ("filter", "flat_map", "interleave")},
    "tensorflow.data.Dataset.map": dataset_mapped,
    "feed": feed,
    "tensorflow.data.Dataset.batch": dataset_batched,
    "tensorflow.data.Dataset.from_tensor_slices": slices,
    "tensorflow.data.Dataset.from_generator": dataset_changed,
    "tensorflow.constant": constant,
    "tensorflow.convert_to_tensor": constant,
    "tensorflow.Variable": variable,
    "tensorflow.get_variable": get_variable,
    "tensorflow.placeholder": placeholder,
    "tensorflow.zeros": created(Interval(0, 0), 1),
    "tensorflow.ones": created(Interval(1, 1), 1),
    "tensorflow.zeros_like": arrays.like(Interval(0, 0)),
    "tensorflow.ones_like": arrays.like(Interval(1, 1)),
    "tensorflow.fill": filled,
    "tensorflow.range": sequence,
    **{f"tensorflow.{name}": created(ANYTHING, 3, frozenset({"random"})) for name in
       ("random.normal", "random_normal", "random.truncated_normal", "truncated_normal")},
    "tensorflow.random.uniform": uniform,
    "tensorflow.random_uniform": uniform,
    "tensorflow.one_hot": one_hot,
    "tensorflow.cast": cast,
    "tensorflow.clip_by_value": arrays.clip,
    "tensorflow.where": arrays.where,
    "tensorflow.reshape": array_shapes.reshaped,
    "tensorflow.transpose": array_shapes.transposed,
    "tensorflow.expand_dims": array_shapes.expanded,
    "tensorflow.squeeze": array_shapes.squeezed,
    "tensorflow.concat": array_shapes.joined,
    "tensorflow.stack": array_shapes.stacked,
    "tensorflow.matmul": array_shapes.matrix_product,
    "tensorflow.identity": arrays.unchanged,
    "tensorflow.stop_gradient": arrays.unchanged,
    "tensorflow.nn.dropout": arrays.unchanged,
    "tensorflow.split": pieces,
    "tensorflow.unstack": lambda call: Items([], complete=False),
    "tensorflow.nn.dynamic_rnn": dynamic_rnn,
    "tensorflow.GradientTape": tape,
    "tensorflow.GradientTape.gradient": gradient,
    "tensorflow.layers.dense": dense,
    "tensorflow.norm": arrays.reduction(ranges.always(ranges.NOT_NEGATIVE)),
    "tensorflow.linalg.norm": arrays.reduction(ranges.always(ranges.NOT_NEGATIVE)),
    "constant tensorflow.newaxis": lambda _: Constant(None),
}  # fmt: skip
