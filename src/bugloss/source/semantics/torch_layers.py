"""``torch.nn`` modules: how they are made, and what applying them does to a tensor."""

from __future__ import annotations

from collections.abc import Callable

from bugloss.core.network.layer import LayerFamily, family_of
from bugloss.core.network.layer import layer as layer_named
from bugloss.core.network.loss import loss as loss_named
from bugloss.core.network.optimizer import optimizer as optimizer_named
from bugloss.source.follow.call import Call, PassedArguments, Semantics, passed
from bugloss.source.follow.interpreter import FORWARD
from bugloss.source.semantics.activation_ranges import activation_interval
from bugloss.source.semantics.binding import bound, sizes
from bugloss.source.semantics.keras_models import apply_model
from bugloss.source.values.shapes import Mismatch, product, same, show, window
from bugloss.source.values.values import (
    ANYTHING,
    UNKNOWN,
    Constant,
    Dim,
    FunctionValue,
    Items,
    Layer,
    Loss,
    Model,
    Optimizer,
    Shape,
    TableValue,
    Tensor,
    Value,
    number_of,
    truth_of,
)

_OPTIMIZER = ("params", "lr")
_KEEP_THE_SHAPE = {LayerFamily.ACTIVATION, LayerFamily.DROPOUT, LayerFamily.NORMALIZATION, LayerFamily.SAME}

_RETURNS_ITSELF = ("to", "cuda", "cpu", "float", "double", "half", "train", "eval", "requires_grad_", "apply")


def make_module(call: Call) -> Value:
    """What ``torch.nn`` has: a layer or a loss of the tables, or nothing that is known."""
    name = call.name.rsplit(".", 1)[-1]
    known = layer_named(name, "torch")
    if known is not None and known.name == name:
        return Layer("torch", call.name, bound(call, known.parameters), call.node)  # type: ignore[arg-type]
    if loss_named(name, "torch") is None:
        return UNKNOWN
    loss = Loss("torch", name, dict(call.keywords), call.node)
    call.interpreter.losses.append(loss)
    return loss


def make_optimizer(call: Call) -> Value:
    if optimizer_named(call.name) is None:
        return UNKNOWN
    arguments = bound(call, _OPTIMIZER)
    optimizer = Optimizer("torch", call.name, arguments, call.node, arguments.get("params", UNKNOWN))  # type: ignore[arg-type]
    call.interpreter.optimizers.append(optimizer)
    return optimizer


def make_sequential(call: Call) -> Value:
    """``nn.Sequential`` of layers, or of an ordered dict of them."""
    model = Model("torch", "sequential", call.node, complete=not call.starred)
    parts: list[Value] = list(call.positional)
    if len(parts) == 1 and isinstance(parts[0], TableValue):
        parts = list(parts[0].items.values())
    for part in parts:
        add(model, part)
    call.interpreter.models.append(model)
    return model


def add(model: Model, part: Value) -> None:
    """A layer, or all layers of a nested sequence; anything else leaves the model incomplete."""
    if isinstance(part, Layer):
        model.layers.append(part)
    elif isinstance(part, Model) and part.style == "sequential":
        model.layers += part.layers
        model.complete = model.complete and part.complete
    else:
        model.complete = False


def module_list(call: Call) -> Value:
    """``nn.ModuleList`` behaves like the list it was given."""
    items = call.argument(0)
    return items if isinstance(items, Items) else Items([], complete=False)


def apply_sequential(call: Call) -> Value:
    """Calling a network: its layers one after the other, or its own ``forward``."""
    model = call.receiver
    assert isinstance(model, Model)
    if model.class_ is not None:
        for name in FORWARD.get(model.framework, ()):
            method = model.class_.methods.get(name)
            if method is not None:
                function = FunctionValue(method, model.class_.scope, model)
                made = call.interpreter.call_function(
                    function, PassedArguments(call.positional, call.keywords, call.starred)
                )
                model.outputs = [made]
                return made
        return UNKNOWN
    model.facts.add("applied")
    if model.framework == "keras":
        return apply_model(call)
    if model.framework != "torch" or not model.complete:
        return UNKNOWN
    value = call.argument(0)
    for layer in model.layers:
        value = call.interpreter.call(layer, passed(value), layer.node)
    return value


def itself(call: Call) -> Value:
    """``model.to(device)``, ``model.train()``: the same module comes back."""
    framework = getattr(call.receiver, "framework", None)
    return call.receiver if framework == "torch" else UNKNOWN


def wrapped(call: Call) -> Value:
    """A wrapper that computes what the network inside computes."""
    inner = call.argument(0)
    return inner if isinstance(inner, Model) else UNKNOWN


def apply_layer(call: Call) -> Value:
    """What a module makes of its input."""
    layer, tensor = call.receiver, call.argument(0)
    assert isinstance(layer, Layer)
    row = layer_named(layer.name, "torch")
    handler = _APPLY.get((row.like or row.name) if row is not None else layer.name, _unchanged)
    result = handler(call, layer, tensor if isinstance(tensor, Tensor) else Tensor("torch"))
    if isinstance(result, Tensor):
        return result.with_(made_by=f"apply {layer.kind}", inputs=(tensor, layer), node=call.node)
    return result


Handler = Callable[[Call, Layer, Tensor], Value]


def _unchanged(call: Call, layer: Layer, tensor: Tensor) -> Value:
    """Activations, dropout, normalization: the shape stays."""
    family = family_of(layer.name, "torch")
    if family not in _KEEP_THE_SHAPE:
        return Tensor("torch")
    keep = tensor.interval if family is LayerFamily.SAME else ANYTHING
    return tensor.with_(interval=activation_interval(layer.name) or keep, facts=frozenset())


def _linear(call: Call, layer: Layer, tensor: Tensor) -> Value:
    wanted, made = layer.integer("in_features"), layer.integer("out_features")
    if tensor.shape:
        if same(tensor.shape[-1], wanted) is False:
            call.conflict(
                "shape",
                f"Linear expects {wanted} features, but its input has shape {show(tensor.shape)}",
                shapes=(tensor.shape, (wanted, made)),
                layer=layer,
            )
        return Tensor("torch", (*tensor.shape[:-1], made), tensor.dtype)
    return Tensor("torch", None, tensor.dtype)


def _convolution(axes: int) -> Handler:
    def apply(call: Call, layer: Layer, tensor: Tensor) -> Value:
        made = layer.integer("out_channels")
        shape = _spatial(call, layer, tensor, axes, layer.integer("in_channels"))
        if shape is None:
            return Tensor("torch", (None, made, *[None] * axes) if tensor.rank == axes + 2 else None, tensor.dtype)
        kernel, stride = sizes(layer.arguments.get("kernel_size"), axes), sizes(layer.arguments.get("stride"), axes, 1)
        dilation = sizes(layer.arguments.get("dilation"), axes, 1)
        if layer.text("padding") == "same":
            return Tensor("torch", (*shape[:-axes][:-1], made, *shape[-axes:]), tensor.dtype)
        padding = sizes(layer.arguments.get("padding"), axes, 0)
        if layer.text("padding") == "valid":
            padding = [0] * axes
        try:
            spatial = [window(*part) for part in zip(shape[-axes:], kernel, stride, padding, dilation, strict=True)]
        except Mismatch:
            _too_big(call, layer, shape, axes)
            spatial = [None] * axes
        return Tensor("torch", (*shape[: -axes - 1], made, *spatial), tensor.dtype)

    return apply


def _transposed(axes: int) -> Handler:
    def apply(call: Call, layer: Layer, tensor: Tensor) -> Value:
        made = layer.integer("out_channels")
        shape = _spatial(call, layer, tensor, axes, layer.integer("in_channels"))
        if shape is None:
            return Tensor("torch", None, tensor.dtype)
        given = layer.arguments.get
        parts = zip(
            shape[-axes:],
            sizes(given("kernel_size"), axes),
            sizes(given("stride"), axes, 1),
            sizes(given("padding"), axes, 0),
            sizes(given("output_padding"), axes, 0),
            sizes(given("dilation"), axes, 1),
            strict=True,
        )
        spatial: list[Dim] = [
            (size - 1) * s - 2 * p + d * (k - 1) + o + 1
            if isinstance(size, int)
            and k is not None
            and s is not None
            and p is not None
            and o is not None
            and d is not None
            else None
            for size, k, s, p, o, d in parts
        ]
        return Tensor("torch", (*shape[: -axes - 1], made, *spatial), tensor.dtype)

    return apply


def _pool(axes: int) -> Handler:
    def apply(call: Call, layer: Layer, tensor: Tensor) -> Value:
        shape = _spatial(call, layer, tensor, axes, None)
        if shape is None:
            return Tensor("torch", None, tensor.dtype)
        kernel = sizes(layer.arguments.get("kernel_size"), axes)
        stride = sizes(layer.arguments["stride"], axes) if number_of(layer.arguments.get("stride", UNKNOWN)) else kernel
        padding = sizes(layer.arguments.get("padding"), axes, 0)
        if "ceil_mode" in layer.arguments:
            return Tensor("torch", (*shape[:-axes], *[None] * axes), tensor.dtype)
        try:
            spatial = [window(*part) for part in zip(shape[-axes:], kernel, stride, padding, strict=True)]
        except Mismatch:
            _too_big(call, layer, shape, axes)
            spatial = [None] * axes
        return Tensor("torch", (*shape[:-axes], *spatial), tensor.dtype)

    return apply


def _adaptive(axes: int) -> Handler:
    def apply(call: Call, layer: Layer, tensor: Tensor) -> Value:
        if tensor.shape is None or len(tensor.shape) not in {axes + 1, axes + 2}:
            return Tensor("torch", None, tensor.dtype)
        made = sizes(layer.arguments.get("output_size"), axes)
        return Tensor("torch", (*tensor.shape[:-axes], *made), tensor.dtype)

    return apply


def _spatial(call: Call, layer: Layer, tensor: Tensor, axes: int, channels: int | None) -> tuple[Dim, ...] | None:
    """The input's shape when its rank fits; a wrong rank or channel count is a contradiction."""
    shape = tensor.shape
    if shape is None:
        return None
    if len(shape) not in {axes + 1, axes + 2}:
        call.conflict(
            "shape",
            f"{layer.name} expects {axes + 2} dimensions (with the batch), but its input has shape {show(shape)}",
            shapes=(shape,),
            layer=layer,
        )
        return None
    if same(shape[-axes - 1], channels) is False:
        call.conflict(
            "shape",
            f"{layer.name} expects {channels} channels, but its input has shape {show(shape)} with {shape[-axes - 1]}",
            shapes=(shape,),
            layer=layer,
        )
    return shape


def _too_big(call: Call, layer: Layer, shape: tuple[Dim, ...], axes: int) -> None:
    call.conflict(
        "window",
        f"the window of {layer.name} is larger than its input, which has shape {show(shape)}",
        shapes=(shape,),
        layer=layer,
    )


def _batch_norm(rank: tuple[int, ...]) -> Handler:
    def apply(call: Call, layer: Layer, tensor: Tensor) -> Value:
        wanted = layer.integer("num_features")
        if tensor.shape is not None:
            if len(tensor.shape) not in rank:
                ranks = " or ".join(map(str, rank))
                message = f"{layer.name} expects {ranks} dimensions, but its input has shape {show(tensor.shape)}"
                call.conflict("shape", message, shapes=(tensor.shape,), layer=layer)
            elif same(tensor.shape[1], wanted) is False:
                message = f"{layer.name} expects {wanted} channels, but its input has shape {show(tensor.shape)}"
                call.conflict("shape", message, shapes=(tensor.shape,), layer=layer)
        return Tensor("torch", tensor.shape, tensor.dtype)

    return apply


def _flatten(call: Call, layer: Layer, tensor: Tensor) -> Value:
    if tensor.shape is None:
        return Tensor("torch", None, tensor.dtype)
    start = layer.integer("start_dim")
    return tensor.with_(shape=flattened(tensor.shape, 1 if start is None else start, layer.integer("end_dim")))


def flattened(shape: tuple[Dim, ...], start: int, end: int | None) -> tuple[Dim, ...] | None:
    """The shape with the axes from start to end joined."""
    rank = len(shape)
    first, last = start % rank if rank else 0, (rank - 1 if end is None else end % rank)
    if first >= last:
        return shape
    return (*shape[:first], product(shape[first : last + 1]), *shape[last + 1 :])


def _embedding(call: Call, layer: Layer, tensor: Tensor) -> Value:
    made = layer.integer("embedding_dim")
    return Tensor("torch", (*tensor.shape, made) if tensor.shape is not None else None, "float32")


def _recurrent(call: Call, layer: Layer, tensor: Tensor) -> Value:
    wanted, hidden = layer.integer("input_size"), layer.integer("hidden_size")
    shape = tensor.shape
    if shape is not None and len(shape) in {2, 3} and same(shape[-1], wanted) is False:
        message = f"{layer.name} expects {wanted} features, but its input has shape {show(shape)}"
        call.conflict("shape", message, shapes=(shape,), layer=layer)
    double = "bidirectional" in layer.arguments
    width = hidden if not double else None
    output = Tensor("torch", (*shape[:-1], width) if shape is not None else None, tensor.dtype)
    state = Tensor("torch", _state_shape(layer, shape), tensor.dtype)
    inner: Value = Items([state, state], True) if layer.name == "LSTM" else state
    return Items([output, inner], True)


def _state_shape(layer: Layer, shape: Shape | None) -> Shape | None:
    """(layers, batch, width) of the last state, for an input with a batch axis."""
    layers = layer.integer("num_layers") if "num_layers" in layer.arguments else 1
    if shape is None or len(shape) != 3 or layers is None or {"proj_size", "bidirectional"} & layer.arguments.keys():
        return None
    first = truth_of(layer.arguments.get("batch_first", Constant(False)))
    return None if first is None else (layers, shape[0 if first else 1], layer.integer("hidden_size"))


_APPLY: dict[str, Handler] = {
    "Linear": _linear,
    **{f"Conv{n}d": _convolution(n) for n in (1, 2, 3)},
    **{f"ConvTranspose{n}d": _transposed(n) for n in (1, 2, 3)},
    **{f"{kind}Pool{n}d": _pool(n) for kind in ("Max", "Avg") for n in (1, 2, 3)},
    **{f"Adaptive{kind}Pool{n}d": _adaptive(n) for kind in ("Max", "Avg") for n in (1, 2, 3)},
    "BatchNorm1d": _batch_norm((2, 3)),
    "BatchNorm2d": _batch_norm((4,)),
    "BatchNorm3d": _batch_norm((5,)),
    "Flatten": _flatten,
    "Embedding": _embedding,
    **dict.fromkeys(("RNN", "LSTM", "GRU"), _recurrent),
}

SEMANTICS: Semantics = {
    "torch.nn.*": make_module,
    "torch.optim.*": make_optimizer,
    "torch.nn.Sequential": make_sequential,
    "torch.nn.ModuleList": module_list,
    "Model.__call__": apply_sequential,
    **{f"{kind}.{name}": itself for kind in ("Model", "Layer") for name in _RETURNS_ITSELF},
    **dict.fromkeys(("torch.compile", "torch.nn.DataParallel"), wrapped),
    "torch.nn.parallel.DistributedDataParallel": wrapped,
}
