"""Functions of ``torch`` and ``torch.nn.functional``, and methods of tensors."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.source.follow.call import Call, Semantics
from bugloss.source.semantics import array_ops as arrays
from bugloss.source.semantics import array_shapes, ranges
from bugloss.source.semantics.dtypes import SPELLINGS, dtype_of
from bugloss.source.semantics.literals import literal_numbers, literal_shape
from bugloss.source.semantics.torch_layers import flattened
from bugloss.source.values.shapes import Mismatch, matmul, positive_axis, reshape, same, show, window
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Constant,
    Interval,
    Items,
    Reference,
    Shape,
    Tensor,
    Value,
    dimension_value,
    integer_of,
    integers_of,
    number_of,
    truth_of,
)


def tensor_argument(call: Call) -> Tensor | None:
    """The tensor an operation works on: the receiver of a method, or the first argument."""
    value = call.receiver if isinstance(call.receiver, Tensor) else call.argument(0, "input")
    return value if isinstance(value, Tensor) else None


def _option(call: Call, position: int, *names: str) -> Value:
    rest = arrays.rest(call)
    for name in names:
        if name in call.keywords:
            return call.keywords[name]
    return rest[position] if position < len(rest) else UNKNOWN


def _made(call: Call, tensor: Tensor | None, **changes: object) -> Tensor:
    base = tensor or Tensor("torch")
    return base.with_(**{"made_by": call.name, "inputs": (base,), "node": call.node, "facts": frozenset(), **changes})


# ── making tensors ──────────────────────────────────────────────────────────────────────────────────────────


def create(interval: Interval, default: str = "float32") -> Callable[[Call], Value]:
    def make(call: Call) -> Value:
        shape = _written_shape(call)
        dtype = dtype_of(call.keywords["dtype"]) if "dtype" in call.keywords else default
        return Tensor("torch", shape, dtype, interval, call.name, (), call.node)

    return make


def _written_shape(call: Call) -> Shape | None:
    if call.starred:
        return None
    if "size" in call.keywords:
        return integers_of(call.keywords["size"])
    if len(call.positional) == 1 and isinstance(call.positional[0], Items):
        return integers_of(call.positional[0])
    if call.positional and all(not isinstance(value, Items) for value in call.positional):
        numbers = [number_of(value) for value in call.positional]
        return tuple(number if isinstance(number, int) else None for number in numbers)
    return None


def randint(call: Call) -> Value:
    """``torch.randint(low, high, size)`` or ``torch.randint(high, size)``."""
    sizes = [index for index, value in enumerate(call.positional) if isinstance(value, Items)]
    written = call.keywords.get("size", call.positional[sizes[0]] if sizes else UNKNOWN)
    bounds = [number_of(value) for value in call.positional[: sizes[0] if sizes else 2]]
    low, high = (0.0, bounds[0]) if len(bounds) == 1 else (bounds[0], bounds[1]) if len(bounds) == 2 else (None, None)
    interval = Interval(low, high - 1) if low is not None and high is not None else ANYTHING
    return Tensor("torch", integers_of(written), "int64", interval, call.name, (), call.node)


def from_data(call: Call) -> Value:
    """``torch.tensor([...])``: shape, dtype and range of literal data; of a NumPy array what it has."""
    data = call.argument(0, "data")
    if call.name == "torch.Tensor" and number_of(data) is not None:  # sizes, not data
        return Tensor("torch", _written_shape(call), "float32", ANYTHING, call.name, (), call.node)
    dtype = dtype_of(call.keywords["dtype"]) if "dtype" in call.keywords else None
    if isinstance(data, Tensor):
        forced = "float32" if call.name.endswith(("Tensor", "FloatTensor")) else data.dtype
        return Tensor("torch", data.shape, dtype or forced, data.interval, call.name, (data,), call.node)
    numbers = literal_numbers(data)
    interval = Interval(min(numbers), max(numbers)) if numbers else ANYTHING
    if dtype is None and numbers and "dtype" not in call.keywords:
        dtype = "float32" if call.name.endswith("Tensor") or any(isinstance(n, float) for n in numbers) else "int64"
    return Tensor("torch", literal_shape(data), dtype, interval, call.name, (data,), call.node)


def like(interval: Interval) -> Callable[[Call], Value]:
    def make(call: Call) -> Value:
        tensor = tensor_argument(call)
        return _made(call, tensor, interval=interval, inputs=())

    return make


def from_numpy(call: Call) -> Value:
    array = call.argument(0)
    if isinstance(array, Tensor):
        return Tensor("torch", array.shape, array.dtype, array.interval, call.name, (array,), call.node)
    return Tensor("torch", made_by=call.name, inputs=(array,), node=call.node)


# ── shapes ──────────────────────────────────────────────────────────────────────────────────────────────────


def view(call: Call) -> Value:
    tensor = tensor_argument(call)
    rest = arrays.rest(call)
    written = call.keywords.get("shape") or (rest[0] if len(rest) == 1 and isinstance(rest[0], Items) else Items(rest))
    if any(isinstance(value, Reference) for value in rest):  # x.view(torch.int32)
        return _made(call, tensor)
    wanted = None if call.starred else integers_of(written)
    shape = tensor.shape if tensor else None
    try:
        return _made(call, tensor, shape=reshape(shape, wanted))
    except Mismatch:
        call.conflict(
            "shape",
            f"{show(shape)} cannot be viewed as {show(wanted)}: the numbers of elements differ",
            shapes=(shape, wanted),
        )
        return _made(call, tensor, shape=None)


def flatten(call: Call) -> Value:
    tensor = tensor_argument(call)
    start = integer_of(_option(call, 0, "start_dim"))
    if tensor is None or tensor.shape is None:
        return _made(call, tensor, shape=None)
    end = integer_of(_option(call, 1, "end_dim"))
    shape = flattened(tensor.shape, start or 0, end)
    return _made(call, tensor, shape=shape)


def squeeze(call: Call) -> Value:
    tensor = tensor_argument(call)
    axis = integer_of(_option(call, 0, "dim"))
    if tensor is None or tensor.shape is None:
        return _made(call, tensor, shape=None)
    if axis is None:
        given = bool(arrays.rest(call)) or "dim" in call.keywords
        known = all(isinstance(dim, int) for dim in tensor.shape)
        return _made(call, tensor, shape=tuple(d for d in tensor.shape if d != 1) if known and not given else None)
    position = positive_axis(axis, len(tensor.shape))
    if position is None:
        return _made(call, tensor, shape=None)
    if tensor.shape[position] == 1:
        return _made(call, tensor, shape=tensor.shape[:position] + tensor.shape[position + 1 :])
    return _made(call, tensor, shape=tensor.shape if isinstance(tensor.shape[position], int) else None)


def unsqueeze(call: Call) -> Value:
    tensor = tensor_argument(call)
    axis = integer_of(_option(call, 0, "dim"))
    if tensor is None or tensor.shape is None or axis is None:
        return _made(call, tensor, shape=None)
    position = positive_axis(axis, len(tensor.shape) + 1)
    return _made(
        call, tensor, shape=None if position is None else (*tensor.shape[:position], 1, *tensor.shape[position:])
    )


def permute(call: Call) -> Value:
    tensor = tensor_argument(call)
    rest = arrays.rest(call)
    order = integers_of(rest[0] if len(rest) == 1 and isinstance(rest[0], Items) else Items(rest))
    if tensor is None or tensor.shape is None or order is None or not all(isinstance(axis, int) for axis in order):
        return _made(call, tensor, shape=None, facts=frozenset({"non-contiguous"}))
    rank = len(tensor.shape)
    if sorted(axis % rank for axis in order if isinstance(axis, int)) != list(range(rank)):
        message = f"permute{show(order)} does not name each of the {rank} axes of {show(tensor.shape)} once"
        call.conflict("shape", message, shapes=(tensor.shape,))
        return _made(call, tensor, shape=None)
    shape = tuple(tensor.shape[axis] for axis in order if isinstance(axis, int))
    return _made(call, tensor, shape=shape, facts=frozenset({"non-contiguous"}))


def transpose(call: Call) -> Value:
    tensor = tensor_argument(call)
    axes = [integer_of(_option(call, i, f"dim{i}")) for i in (0, 1)] if not call.name.endswith(".t") else [0, 1]
    unordered = frozenset({"non-contiguous"})
    if tensor is None or tensor.shape is None or None in axes:
        return _made(call, tensor, shape=None, facts=unordered)
    rank = len(tensor.shape)
    first, second = (positive_axis(axis, rank) for axis in axes if axis is not None)
    if first is None or second is None:
        return _made(call, tensor, shape=None, facts=unordered)
    shape = list(tensor.shape)
    shape[first], shape[second] = shape[second], shape[first]
    return _made(call, tensor, shape=tuple(shape), facts=unordered)


def product_of_matrices(call: Call) -> Value:
    first = tensor_argument(call)
    second = _option(call, 0, "other", "mat2")
    shapes = (first.shape if first else None, second.shape if isinstance(second, Tensor) else None)
    try:
        shape = matmul(*shapes)
    except Mismatch:
        call.conflict(
            "shape", f"{show(shapes[0])} and {show(shapes[1])} cannot be multiplied as matrices", shapes=shapes
        )
        shape = None
    return _made(call, first, shape=shape, interval=ANYTHING, inputs=(first or UNKNOWN, second))


def pool2d(call: Call) -> Value:
    """``F.max_pool2d(x, 2)``."""
    tensor = tensor_argument(call)
    axes = int(call.name[-2])
    if tensor is None or tensor.shape is None or len(tensor.shape) not in {axes + 1, axes + 2}:
        return _made(call, tensor, shape=None)
    from bugloss.source.semantics.binding import sizes

    kernel = sizes(_option(call, 0, "kernel_size"), axes)
    given = _option(call, 1, "stride")
    stride = sizes(given, axes) if number_of(given) is not None or isinstance(given, Items) else kernel
    padding_value = _option(call, 2, "padding")
    padding = sizes(padding_value, axes) if len(arrays.rest(call)) > 2 or "padding" in call.keywords else [0] * axes
    try:
        spatial = [window(*part) for part in zip(tensor.shape[-axes:], kernel, stride, padding, strict=True)]
    except Mismatch:
        call.conflict(
            "window",
            f"the window of {call.name.rsplit('.', 1)[-1]} is larger than its input of shape {show(tensor.shape)}",
            shapes=(tensor.shape,),
        )
        spatial = [None] * axes
    return _made(call, tensor, shape=(*tensor.shape[:-axes], *spatial))


def linear(call: Call) -> Value:
    tensor = tensor_argument(call)
    weight = call.argument(1, "weight")
    if tensor is None or tensor.shape is None or not isinstance(weight, Tensor) or weight.shape is None:
        return _made(call, tensor, shape=None, interval=ANYTHING)
    if len(weight.shape) == 2 and same(tensor.shape[-1], weight.shape[1]) is False:
        call.conflict(
            "shape",
            f"linear: input {show(tensor.shape)} does not fit weight {show(weight.shape)}",
            shapes=(tensor.shape, weight.shape),
        )
    return _made(call, tensor, shape=(*tensor.shape[:-1], weight.shape[0]), interval=ANYTHING)


# ── element-wise, with ranges ───────────────────────────────────────────────────────────────────────────────


def elementwise(ranged: Callable[[Interval], Interval]) -> Callable[[Call], Value]:
    def apply(call: Call) -> Value:
        tensor = tensor_argument(call)
        if tensor is None:
            value = call.argument(0, "input")
            return Tensor("torch", interval=ranged(ANYTHING), made_by=call.name, inputs=(value,), node=call.node)
        return _made(call, tensor, interval=ranged(tensor.interval))

    return apply


def clamp(call: Call) -> Value:
    tensor = tensor_argument(call)
    bounds = [_option(call, 0, "min"), _option(call, 1, "max")]
    given = ["min" in call.keywords or len(arrays.rest(call)) > 0, "max" in call.keywords or len(arrays.rest(call)) > 1]
    for value, is_given in zip(bounds, given, strict=True):
        if is_given and not isinstance(value, Constant):  # it may be an epsilon, or anything else
            return _made(call, tensor, interval=ANYTHING)
    before = tensor.interval if tensor else ANYTHING
    return _made(call, tensor, interval=ranges.clipped(before, *map(number_of, bounds)))


def reduce(keeps_range: bool, interval: Interval | None = None) -> Callable[[Call], Value]:
    def apply(call: Call) -> Value:
        tensor = tensor_argument(call)
        axis = _option(call, 0, "dim", "axis")
        keep = truth_of(_option(call, 1, "keepdim", "keepdims")) or False
        shape = _reduced(
            tensor.shape if tensor else None,
            axis,
            bool(arrays.rest(call)) or "dim" in call.keywords or "axis" in call.keywords,
            keep,
        )
        before = tensor.interval if tensor else ANYTHING
        spread = before if keeps_range else arrays.summed(before)
        counted = "int64" if tensor and tensor.dtype == "bool" else tensor.dtype if tensor else None
        return _made(call, tensor, shape=shape, interval=interval or spread, dtype=counted)

    return apply


def _reduced(shape: Shape | None, axis: Value, given: bool, keep: bool) -> Shape | None:
    if not given:
        return ()
    number = integer_of(axis)
    if shape is None or number is None:
        return None
    position = positive_axis(number, len(shape))
    if position is None:
        return None
    return (*shape[:position], *((1,) if keep else ()), *shape[position + 1 :])


def extreme(call: Call) -> Value:
    """``max``/``min``: with an axis a pair of values and indices."""
    tensor = tensor_argument(call)
    rest = arrays.rest(call)
    if not rest and "dim" not in call.keywords:
        return _made(call, tensor, shape=())
    if rest and isinstance(rest[0], Tensor):
        return _made(call, tensor)
    shape = _reduced(
        tensor.shape if tensor else None,
        _option(call, 0, "dim"),
        True,
        bool(truth_of(_option(call, 1, "keepdim", "keepdims"))),
    )
    return Items(
        [_made(call, tensor, shape=shape), _made(call, tensor, shape=shape, dtype="int64", interval=Interval(0.0))],
        True,
    )


def argmax(call: Call) -> Value:
    tensor = tensor_argument(call)
    given = bool(arrays.rest(call)) or "dim" in call.keywords
    shape = _reduced(
        tensor.shape if tensor else None,
        _option(call, 0, "dim"),
        given,
        bool(truth_of(_option(call, 1, "keepdim", "keepdims"))),
    )
    return _made(call, tensor, shape=shape, dtype="int64", interval=Interval(0.0))


# ── types and devices ───────────────────────────────────────────────────────────────────────────────────────


def cast(dtype: str) -> Callable[[Call], Value]:
    def apply(call: Call) -> Value:
        tensor = tensor_argument(call)
        return _made(call, tensor, dtype=dtype, facts=arrays.lasting(tensor or UNKNOWN))

    return apply


def to(call: Call) -> Value:
    tensor = tensor_argument(call)
    named = [
        dtype_of(value)
        for value in (*call.positional, call.keywords.get("dtype", UNKNOWN))
        if isinstance(value, Reference)
    ]
    dtype = next((name for name in named if name), tensor.dtype if tensor else None)
    return _made(call, tensor, dtype=dtype, facts=arrays.lasting(tensor or UNKNOWN))


def same_tensor(call: Call) -> Value:
    tensor = tensor_argument(call)
    return _made(call, tensor, facts=arrays.lasting(tensor or UNKNOWN))


def contiguous(call: Call) -> Value:
    return _made(call, tensor_argument(call))


def shape_attribute(call: Call) -> Value:
    tensor = call.receiver
    if isinstance(tensor, Tensor) and tensor.shape is not None:
        return Items([dimension_value(dim) for dim in tensor.shape], True)
    return UNKNOWN


def size_method(call: Call) -> Value:
    sizes = shape_attribute(call)
    axis = integer_of(call.argument(0, "dim"))
    if isinstance(sizes, Items) and isinstance(axis, int):
        return sizes.items[axis] if -len(sizes.items) <= axis < len(sizes.items) else UNKNOWN
    return sizes if not call.positional else UNKNOWN


def transposed_attribute(call: Call) -> Value:
    tensor = call.receiver
    assert isinstance(tensor, Tensor)
    return tensor.with_(
        shape=tuple(reversed(tensor.shape)) if tensor.shape is not None else None,
        made_by="T",
        inputs=(tensor,),
        facts=frozenset({"non-contiguous"}),
    )


def data_attribute(call: Call) -> Value:
    tensor = call.receiver
    assert isinstance(tensor, Tensor)
    return tensor.with_(made_by="data", inputs=(tensor,), node=call.node)


def to_numpy(call: Call) -> Value:
    tensor = tensor_argument(call)
    return _made(call, tensor, library="numpy") if tensor else Tensor("numpy", made_by=call.name, node=call.node)


_FUNCTIONS: dict[str, Callable[[Call], Value]] = {
    "flatten": flatten,
    "squeeze": squeeze,
    "unsqueeze": unsqueeze,
    "permute": permute,
    "transpose": transpose,
    "t": transpose,
    "swapaxes": transpose,
    "reshape": view,
    "matmul": product_of_matrices,
    "mm": product_of_matrices,
    "bmm": product_of_matrices,
    "exp": elementwise(ranges.exponential),
    "log": elementwise(ranges.logarithm),
    "log2": elementwise(ranges.logarithm),
    "log10": elementwise(ranges.logarithm),
    "log1p": elementwise(ranges.logarithm_of_one_plus),
    "sqrt": elementwise(ranges.square_root),
    "abs": elementwise(ranges.absolute),
    "square": elementwise(ranges.square),
    "relu": elementwise(ranges.rectified),
    "sigmoid": elementwise(lambda i: Interval(0, 1)),
    "tanh": elementwise(lambda i: Interval(-1, 1)),
    "softmax": elementwise(lambda i: Interval(0, 1)),
    "log_softmax": elementwise(lambda i: Interval(high=0)),
    "softplus": elementwise(ranges.always(ranges.POSITIVE)),
    "clamp": clamp,
    "clip": clamp,
    "clamp_min": clamp,
    "clamp_": clamp,
    "sum": reduce(False),
    "mean": reduce(True),
    "prod": reduce(False),
    "var": reduce(False, Interval(0)),
    "std": reduce(False, Interval(0)),
    "norm": reduce(False, Interval(0)),
    "max": extreme,
    "min": extreme,
    "argmax": argmax,
    "argmin": argmax,
    "dropout": same_tensor,
    "detach": same_tensor,
    "clone": contiguous,
    "zeros_like": like(ANYTHING),
    "ones_like": like(ANYTHING),
    "rand_like": like(Interval(0, 1)),
    "randn_like": like(ANYTHING),
    "max_pool2d": pool2d,
    "avg_pool2d": pool2d,
    "max_pool1d": pool2d,
    "leaky_relu": elementwise(lambda i: ANYTHING),
    "gelu": elementwise(lambda i: ANYTHING),
    "elu": elementwise(lambda i: Interval(-1)),
    "linear": linear,
}

SEMANTICS: Semantics = {
    **{f"torch.{name}": function for name, function in _FUNCTIONS.items()},
    **{f"torch.nn.functional.{name}": function for name, function in _FUNCTIONS.items()},
    **{f"Tensor.{name}": function for name, function in _FUNCTIONS.items()},
    **{f"Tensor.{name}": cast(dtype) for name, dtype in SPELLINGS.items()},
    "Tensor.view": view,
    "Tensor.to": to,
    "Tensor.cuda": same_tensor,
    "Tensor.cpu": same_tensor,
    "Tensor.contiguous": contiguous,
    "Tensor.requires_grad_": same_tensor,
    "Tensor.numpy": to_numpy,
    "Tensor.size": size_method,
    "Tensor.dim": lambda call: (
        Constant(call.receiver.rank)
        if isinstance(call.receiver, Tensor) and call.receiver.rank is not None
        else UNKNOWN
    ),
    "attribute shape": shape_attribute,
    "attribute T": transposed_attribute,
    "attribute data": data_attribute,
    "torch.randn": create(ANYTHING),
    "torch.rand": create(Interval(0, 1)),
    "torch.zeros": create(ANYTHING),
    "torch.ones": create(ANYTHING),
    "torch.empty": create(ANYTHING),
    "torch.randint": randint,
    "torch.tensor": from_data,
    "torch.as_tensor": from_data,
    "torch.Tensor": from_data,
    "torch.FloatTensor": from_data,
    "torch.from_numpy": from_numpy,
    "torch.cat": array_shapes.joined,
    "torch.concat": array_shapes.joined,
}
