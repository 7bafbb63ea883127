"""``keras.layers``: how layers are made, whatever release spelled them, and what applying them gives."""

from __future__ import annotations

import ast

from bugloss.core.network.layer import layer as layer_named
from bugloss.source.follow.call import Call, Semantics, passed
from bugloss.source.semantics.activation_ranges import activation_interval
from bugloss.source.semantics.keras_shapes import HANDLERS, MERGES
from bugloss.source.values.values import (
    UNKNOWN,
    Constant,
    Items,
    Layer,
    Reference,
    Tensor,
    Value,
    integer_of,
    number_of,
    text_of,
)

_OLD = {
    "nb_filter": "filters", "filter_length": "kernel_size", "border_mode": "padding", "subsample": "strides",
    "subsample_length": "strides", "init": "kernel_initializer", "bias": "use_bias", "p": "rate",
    "pool_length": "pool_size", "stride": "strides", "W_regularizer": "kernel_regularizer",
    "inner_activation": "recurrent_activation", "kernel_dim": "kernel_size",
}  # fmt: skip
_FORMAT = "<image data format>"  # no name of a program: where the global setting is kept
_ORDERINGS = {"tf": "channels_last", "th": "channels_first"}
OLD_SPELLINGS = frozenset({*_OLD, "nb_row", "nb_col", "dim_ordering", "nb_epoch", "output_dim"}) - {"p", "bias", "init"}


def make_layer(call: Call) -> Value:
    """A layer with its arguments under the names of Keras 2 and 3."""
    name = call.name.rsplit(".", 1)[-1]
    if not name[:1].isupper():
        return merge_function(call)
    known = layer_named(name, "keras")
    arguments = dict(zip(known.parameters if known is not None else (), call.positional, strict=False))
    arguments |= {_spelled(name, key): value for key, value in call.keywords.items()}
    _window_of_keras_1(call, name, arguments)
    default = call.interpreter.scope.variables.get(_FORMAT)
    if default is not None:
        arguments.setdefault("data_format", default)
    return Layer("keras", call.name, arguments, call.node)  # type: ignore[arg-type]


def _spelled(layer: str, key: str) -> str:
    if key == "output_dim" and layer != "Embedding":
        return "units"
    return _OLD.get(key, key)


def _window_of_keras_1(call: Call, name: str, arguments: dict[str, Value]) -> None:
    """``Convolution2D(32, 3, 3)``: rows and columns in Keras 1, but kernel and stride in every release since."""
    if "nb_row" in arguments and "nb_col" in arguments:
        arguments["kernel_size"] = Items([arguments["nb_row"], arguments["nb_col"]], True)
    if "dim_ordering" in arguments:
        ordering = _ORDERINGS.get(text_of(arguments.pop("dim_ordering")) or "")
        arguments["data_format"] = Constant(ordering) if ordering else UNKNOWN
    flat_window = len(call.positional) >= 3 and integer_of(call.positional[2]) is not None
    if not name.startswith(("Conv2D", "SeparableConv2D")) or not flat_window or _is_modern(call):
        return
    rows, columns = call.positional[1], call.positional[2]
    if OLD_SPELLINGS & set(call.keywords):
        arguments["kernel_size"] = Items([rows, columns], True)
        arguments["strides"] = call.keywords.get("subsample", Constant(1))
    else:  # either release is possible
        same_size = number_of(rows) == number_of(columns)
        arguments["kernel_size"] = Items([rows, columns], True) if same_size else UNKNOWN
        arguments["strides"] = UNKNOWN


def _is_modern(call: Call) -> bool:
    """TensorFlow's Keras never took rows and columns as separate numbers."""
    written = call.interpreter.names.raw(call.node.func) if isinstance(call.node, ast.Call) else None
    return (written or "").startswith(("tensorflow", "tf_keras"))


def apply_layer(call: Call) -> Value:
    """What a layer makes of its input; the result remembers the layer and the input."""
    layer = call.receiver
    if not isinstance(layer, Layer) or layer.framework != "keras":
        return UNKNOWN
    given = call.argument(0, "inputs")
    inputs = given.items if isinstance(given, Items) else [given]
    tensors = [value if isinstance(value, Tensor) else Tensor("keras") for value in inputs]
    known = layer_named(layer.name, "keras")
    handler = HANDLERS.get((known.like or known.name) if known is not None else layer.name)
    result = Tensor("keras") if handler is None or not tensors else handler(call, layer, tensors)
    activation = activation_interval(activation_of(layer))
    return result.with_(
        library="keras",
        interval=activation if activation is not None else result.interval,
        made_by=f"apply {layer.kind}",
        inputs=(given, layer),
        node=call.node,
        facts=result.facts - {"non-contiguous"},
    )


def activation_of(layer: Layer) -> str | None:
    """The short name of a layer's activation: ``linear`` when there is none, None when it cannot be known."""
    if layer.name in {"Softmax", "ReLU"}:
        return layer.name.lower()
    value = layer.arguments.get("activation")
    if value is None:
        return "linear"
    return activation_name(value)


def activation_name(value: Value) -> str | None:
    """How an activation argument is called: a text, a function of the library, a layer, or None for none."""
    if isinstance(value, Constant):
        return "linear" if value.value is None else text_of(value)
    if isinstance(value, Reference):
        name = value.name.rsplit(".", 1)[-1]
        known = value.name.startswith(("keras.", "tensorflow.", "jax.nn."))
        return name.lower() if known else None
    if isinstance(value, Layer):
        return value.name.lower()
    return None


def merge_function(call: Call) -> Value:
    """``keras.layers.concatenate([a, b])`` and similar functions: the layer made and applied at once."""
    kind = {name.lower(): name for name in MERGES}.get(call.name.rsplit(".", 1)[-1])
    if kind is None or not isinstance(call.node, ast.Call):
        return UNKNOWN
    arguments = dict(call.keywords)
    if len(call.positional) > 1:
        arguments["axis"] = call.positional[1]
    layer = Layer("keras", f"keras.layers.{kind}", arguments, call.node)
    given = call.argument(0, "inputs")
    if not call.positional and "inputs" not in call.keywords:
        return UNKNOWN
    return call.interpreter.call(layer, passed(given), call.node)


def apply_activation(call: Call) -> Value:
    """``keras.activations.relu(x)``: the shape stays, the range is known."""
    given = call.argument(0, "x")
    if not isinstance(given, Tensor):
        return Tensor("keras", made_by=call.name, inputs=(given,), node=call.node)
    interval = activation_interval(call.name.rsplit(".", 1)[-1])
    known = given.interval if interval is None else interval
    return given.with_(interval=known, made_by=call.name, inputs=(given,), node=call.node, facts=frozenset())


def set_image_format(call: Call) -> Value:
    """``set_image_data_format``: the default of all layers that are made afterwards."""
    given = text_of(call.argument(0)) or ""
    call.interpreter.scope.variables[_FORMAT] = Constant(_ORDERINGS.get(given, given)) if given else UNKNOWN
    return Constant(None)


def image_format(call: Call) -> Value:
    return call.interpreter.scope.variables.get(_FORMAT, Constant("channels_last"))


SEMANTICS: Semantics = {
    "keras.layers.*": make_layer,
    "keras.layers.experimental.preprocessing.*": make_layer,
    **{f"keras.{module}.set_image_data_format": set_image_format for module in ("backend", "config")},
    "keras.backend.set_image_dim_ordering": set_image_format,
    **{f"keras.{module}.image_data_format": image_format for module in ("backend", "config")},
    "keras.activations.*": apply_activation,
}
