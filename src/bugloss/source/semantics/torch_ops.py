"""Functions of ``torch`` and ``torch.nn.functional``, and methods of tensors: ranges, reductions, types; the table."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.source.follow.call import Call, Semantics
from bugloss.source.semantics import array_ops as arrays
from bugloss.source.semantics import array_shapes, ranges
from bugloss.source.semantics.array_ops import rest
from bugloss.source.semantics.dtypes import SPELLINGS, dtype_of
from bugloss.source.semantics.torch_creation import create, from_data, from_numpy, like, randint
from bugloss.source.semantics.torch_operands import made, option, tensor_argument
from bugloss.source.semantics.torch_shapes import (
    flatten,
    linear,
    permute,
    pool2d,
    product_of_matrices,
    squeeze,
    transpose,
    unsqueeze,
    view,
)
from bugloss.source.values.shapes import positive_axis
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
    number_of,
    truth_of,
)

# ── element-wise, with ranges ───────────────────────────────────────────────────────────────────────────────


def elementwise(ranged: Callable[[Interval], Interval]) -> Callable[[Call], Value]:
    def apply(call: Call) -> Value:
        tensor = tensor_argument(call)
        if tensor is None:
            value = call.argument(0, "input")
            return Tensor("torch", interval=ranged(ANYTHING), made_by=call.name, inputs=(value,), node=call.node)
        return made(call, tensor, interval=ranged(tensor.interval))

    return apply


def clamp(call: Call) -> Value:
    tensor = tensor_argument(call)
    bounds = [option(call, 0, "min"), option(call, 1, "max")]
    given = ["min" in call.keywords or len(rest(call)) > 0, "max" in call.keywords or len(rest(call)) > 1]
    for value, is_given in zip(bounds, given, strict=True):
        if is_given and not isinstance(value, Constant):  # it may be an epsilon, or anything else
            return made(call, tensor, interval=ANYTHING)
    before = tensor.interval if tensor else ANYTHING
    return made(call, tensor, interval=ranges.clipped(before, *map(number_of, bounds)))


def reduce(keeps_range: bool, interval: Interval | None = None) -> Callable[[Call], Value]:
    def apply(call: Call) -> Value:
        tensor = tensor_argument(call)
        axis = option(call, 0, "dim", "axis")
        keep = truth_of(option(call, 1, "keepdim", "keepdims")) or False
        shape = _reduced(
            tensor.shape if tensor else None,
            axis,
            bool(rest(call)) or "dim" in call.keywords or "axis" in call.keywords,
            keep,
        )
        before = tensor.interval if tensor else ANYTHING
        spread = before if keeps_range else arrays.summed(before)
        counted = "int64" if tensor and tensor.dtype == "bool" else tensor.dtype if tensor else None
        return made(call, tensor, shape=shape, interval=interval or spread, dtype=counted)

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
    given = rest(call)
    if not given and "dim" not in call.keywords:
        return made(call, tensor, shape=())
    if given and isinstance(given[0], Tensor):
        return made(call, tensor)
    shape = _reduced(
        tensor.shape if tensor else None,
        option(call, 0, "dim"),
        True,
        bool(truth_of(option(call, 1, "keepdim", "keepdims"))),
    )
    return Items(
        [made(call, tensor, shape=shape), made(call, tensor, shape=shape, dtype="int64", interval=Interval(0.0))],
        True,
    )


def argmax(call: Call) -> Value:
    tensor = tensor_argument(call)
    given = bool(rest(call)) or "dim" in call.keywords
    shape = _reduced(
        tensor.shape if tensor else None,
        option(call, 0, "dim"),
        given,
        bool(truth_of(option(call, 1, "keepdim", "keepdims"))),
    )
    return made(call, tensor, shape=shape, dtype="int64", interval=Interval(0.0))


# ── types and devices ───────────────────────────────────────────────────────────────────────────────────────


def cast(dtype: str) -> Callable[[Call], Value]:
    def apply(call: Call) -> Value:
        tensor = tensor_argument(call)
        return made(call, tensor, dtype=dtype, facts=arrays.lasting(tensor or UNKNOWN))

    return apply


def to(call: Call) -> Value:
    tensor = tensor_argument(call)
    named = [
        dtype_of(value)
        for value in (*call.positional, call.keywords.get("dtype", UNKNOWN))
        if isinstance(value, Reference)
    ]
    dtype = next((name for name in named if name), tensor.dtype if tensor else None)
    return made(call, tensor, dtype=dtype, facts=arrays.lasting(tensor or UNKNOWN))


def same_tensor(call: Call) -> Value:
    tensor = tensor_argument(call)
    return made(call, tensor, facts=arrays.lasting(tensor or UNKNOWN))


def contiguous(call: Call) -> Value:
    return made(call, tensor_argument(call))


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
    return made(call, tensor, library="numpy") if tensor else Tensor("numpy", made_by=call.name, node=call.node)


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
