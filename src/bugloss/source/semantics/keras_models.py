"""Keras networks: Sequential as layers are added, the functional API, and what compile and fit say about them."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.source.follow.call import Call, Evaluator, Semantics, passed
from bugloss.source.values.shapes import same, show
from bugloss.source.values.values import (
    UNKNOWN,
    Constant,
    Dim,
    Interval,
    Items,
    Layer,
    Model,
    Other,
    Shape,
    TableValue,
    Tensor,
    Value,
    integer_of,
    integers_of,
    text_of,
)

_SOMETIMES = ("branch", "loop")


def make_input(call: Call) -> Value:
    """``keras.Input(shape=…)``: a symbolic tensor whose first dimension is the batch."""
    dtype = call.argument(-1, "dtype")
    return Tensor(
        "keras",
        _declared(dict(call.keywords) | ({"shape": call.positional[0]} if call.positional else {})),
        text_of(dtype) or (None if "dtype" in call.keywords else "float32"),
        made_by="keras.Input",
        node=call.node,
    )


def make_input_layer(call: Call) -> Value:
    arguments = dict(call.keywords) | ({"shape": call.positional[0]} if call.positional else {})
    return Layer("keras", "keras.layers.InputLayer", arguments, call.node)  # type: ignore[arg-type]


def _declared(arguments: dict[str, Value]) -> Shape | None:
    """The input shape that a first layer or Input declares, with the batch in front."""
    for key in ("batch_input_shape", "batch_shape"):
        if key in arguments:
            whole = integers_of(arguments[key])
            return None if whole is None else ("batch" if whole[0] is None else whole[0], *whole[1:])
    for key in ("input_shape", "shape"):
        if key in arguments:
            inner = integers_of(arguments[key])
            number = integer_of(arguments[key])
            return ("batch", number) if number is not None else None if inner is None else ("batch", *inner)
    return None


def _declared_by_layer(layer: Layer) -> Shape | None:
    """``input_shape``, ``batch_input_shape``, ``input_dim`` and ``input_length`` of a first layer."""
    if layer.name in {"Bidirectional", "TimeDistributed"} and not {"input_shape", "batch_input_shape"} & set(
        layer.arguments
    ):
        inner = layer.arguments.get("layer")
        return _declared_by_layer(inner) if layer.name == "Bidirectional" and isinstance(inner, Layer) else None
    shape = _declared(layer.arguments)
    if shape is not None:
        return shape
    if layer.name == "Embedding":
        return ("batch", layer.integer("input_length")) if "input_length" in layer.arguments else ("batch", None)
    width = layer.integer("input_dim")
    if width is None:
        return None
    sequence = layer.name in {"LSTM", "GRU", "SimpleRNN", "CuDNNLSTM", "CuDNNGRU", "Conv1D"}
    return ("batch", layer.integer("input_length"), width) if sequence else ("batch", width)


def make_sequential(call: Call) -> Value:
    given = call.argument(0, "layers")
    model = Model("keras", "sequential", call.node, born_inside=call.inside)
    call.interpreter.models.append(model)
    if isinstance(given, Items):
        for part in given.items:
            _add(call.interpreter, model, part, call.node)
        model.complete = model.complete and given.complete
    elif call.given(0, "layers") and not call.is_none(0, "layers"):
        model.complete = False
        model.outputs = [Tensor("keras")]
    _sync(model)
    return model


def add_layer(call: Call) -> Value:
    """``model.add(layer)``; one that may come never or often leaves the model incomplete."""
    model = call.receiver
    if isinstance(model, Model) and model.framework == "keras":
        sometimes = [word for word in call.inside[len(model.born_inside) :] if word in _SOMETIMES]
        if sometimes:
            model.complete = False
            model.outputs = [Tensor("keras")]
        _add(call.interpreter, model, call.argument(0, "layer"), call.node)
        if "branch" in sometimes:
            model.outputs = [Tensor("keras")]
        _sync(model)
    return Constant(None)


def _add(interpreter: Evaluator, model: Model, part: Value, node: ast.AST) -> None:
    if not model.outputs and not model.layers:
        start = _start(part)
        model.inputs, model.outputs = [start], [start]
        model.input_shape = start.shape
        if isinstance(part, Tensor) or (isinstance(part, Layer) and part.name == "InputLayer"):
            return
    before = model.outputs[0] if model.outputs else Tensor("keras")
    if isinstance(part, Layer):
        model.layers.append(part)
        model.outputs = [interpreter.call(part, passed(before), part.node)]
    elif isinstance(part, Model):
        model.layers += part.layers or [_placeholder(part.node)]
        model.complete = model.complete and part.complete and part.style == "sequential"
        made = interpreter.call(part, passed(before), part.node) if isinstance(part.node, ast.Call) else UNKNOWN
        model.outputs = [made if isinstance(made, Tensor) else Tensor("keras", inputs=(before,), made_by="unknown")]
    else:
        model.layers.append(_placeholder(node))
        model.complete = False
        model.outputs = [Tensor("keras", inputs=(before,), made_by="unknown")]


def _placeholder(node: ast.AST) -> Layer:
    """Stands for a layer that could not be followed, so that its neighbours are not taken for each other's."""
    return Layer("keras", "unknown", {}, node)  # type: ignore[arg-type]


def _start(part: Value) -> Tensor:
    """What enters a Sequential model, as its first part declares it."""
    if isinstance(part, Tensor):
        return part
    if isinstance(part, Layer):
        shape = _declared(part.arguments) if part.name == "InputLayer" else _declared_by_layer(part)
        return Tensor("keras", shape, None, made_by="keras.Input", node=part.node)
    if isinstance(part, Model) and part.inputs:
        return part.inputs[0]
    return Tensor("keras", made_by="keras.Input")


def _sync(model: Model) -> None:
    """``model.output``, ``model.input`` and ``model.layers`` read as attributes."""
    if model.outputs:
        model.attributes["output"] = model.outputs[0] if len(model.outputs) == 1 else Items(list(model.outputs))
        model.attributes["outputs"] = Items(list(model.outputs))
    if model.inputs:
        model.attributes["input"] = model.inputs[0] if len(model.inputs) == 1 else Items(list(model.inputs))
        model.attributes["inputs"] = Items(list(model.inputs))
    if model.complete:
        model.attributes["layers"] = Items(list(model.layers))
    else:
        model.attributes.pop("layers", None)


def pop_layer(call: Call) -> Value:
    model = call.receiver
    if isinstance(model, Model) and model.layers:
        model.layers.pop()
        model.outputs = [Tensor("keras")]
        model.complete = False
        _sync(model)
    return Constant(None)


def make_functional(call: Call) -> Value:
    """``keras.Model(inputs, outputs)``: its layers are those on the way back from the outputs."""
    key = {"inputs": "input", "outputs": "output"}
    given = [
        call.keywords.get(key[name], call.argument(place, name)) for place, name in enumerate(("inputs", "outputs"))
    ]
    model = Model("keras", "functional", call.node, born_inside=call.inside)
    model.inputs = [value for value in flat(given[0]) if isinstance(value, Tensor)]
    model.outputs = list(flat(given[1]))
    model.layers = layers_behind(model.outputs)
    model.complete = bool(model.outputs) and all(isinstance(value, Tensor) for value in model.outputs)
    model.input_shape = model.inputs[0].shape if len(model.inputs) == 1 else None
    call.interpreter.models.append(model)
    _sync(model)
    return model


def flat(value: Value) -> Iterator[Value]:
    """A value, or the values in a list, tuple or dict."""
    if isinstance(value, Items):
        for item in value.items:
            yield from flat(item)
    elif isinstance(value, TableValue):
        for item in value.items.values():
            yield from flat(item)
    else:
        yield value


def layers_behind(outputs: list[Value]) -> list[Layer]:
    """Every layer on the way from the inputs to these tensors, in an order in which they can be computed."""
    found: dict[int, Layer] = {}
    seen: set[int] = set()
    waiting = list(outputs)
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Layer):
            found[id(value)] = value
        elif isinstance(value, Tensor):
            waiting += value.inputs
        elif isinstance(value, Items):
            waiting += value.items
    return list(reversed(found.values()))


def apply_model(call: Call) -> Value:
    """Calling a Keras network on a tensor: layer by layer, or as a whole with the shape of its outputs."""
    model, given = call.receiver, call.argument(0, "inputs")
    assert isinstance(model, Model)
    if model.style == "sequential" and model.complete:
        value = given
        for layer in model.layers:
            value = call.interpreter.call(layer, passed(value), layer.node)
        return value
    if len(model.outputs) != 1 or not isinstance(model.outputs[0], Tensor):
        return Tensor("keras", made_by="apply model", inputs=(given, model), node=call.node)
    made = model.outputs[0]
    return made.with_(made_by="apply model", inputs=(given, model), node=call.node)


def compile_model(call: Call) -> Value:
    if isinstance(call.receiver, Model):
        call.receiver.compiled.append(call)
    return Constant(None)


def fit_model(call: Call) -> Value:
    """``model.fit(x, y)``: the data must suit the declared input; without one it is the data that declares it."""
    model, data = call.receiver, call.argument(0, "x")
    if isinstance(model, Model):
        model.fitted.append(call)
        data = fed_data(data)[0]
        if model.framework == "keras" and isinstance(data, Tensor) and data.shape:
            _feed(call, model, ("batch", *data.shape[1:]), data.interval)
    return Other("History", {}, call.node)


def fed_data(data: Value) -> tuple[Value, Value]:
    """Inputs and targets of a data set or generator that is given to ``fit``; an array is its own inputs."""
    if not isinstance(data, Other):
        return data, UNKNOWN
    element = data.arguments.get("element", UNKNOWN)
    parts = element.items if isinstance(element, Items) and element.is_tuple else [element]
    return parts[0] if parts else UNKNOWN, parts[1] if len(parts) > 1 else UNKNOWN


def _feed(call: Call, model: Model, shape: Shape, interval: Interval) -> None:
    if model.input_shape is not None:
        if len(model.inputs) == 1 and _unlike(shape, model.input_shape):
            given, declared = show(shape[1:]), show(model.input_shape[1:])
            message = f"fit gets samples of shape {given}, but the model expects {declared}"
            call.conflict("shape", message, shapes=(shape, model.input_shape))
    elif model.style == "sequential" and model.complete and model.layers:
        value: Value = Tensor("keras", shape, interval=interval, made_by="keras.Input")
        for layer in model.layers:
            value = call.interpreter.call(layer, passed(value), layer.node)
        model.outputs, model.input_shape = [value], shape


def _unlike(shape: Shape, declared: Shape) -> bool:
    """Whether data cannot enter; a last axis of one is added or dropped by Keras itself."""
    if len(shape) + 1 == len(declared) and declared[-1] in {1, None}:
        declared = declared[:-1]
    elif len(shape) == len(declared) + 1 and shape[-1] in {1, None}:
        shape = shape[:-1]
    if len(shape) != len(declared):
        return True
    return any(_clash(given, wanted) for given, wanted in zip(shape[1:], declared[1:], strict=True))


def _clash(given: Dim, wanted: Dim) -> bool:
    return same(given, wanted) is False


def predict(call: Call) -> Value:
    """A numpy array of the model's outputs."""
    model = call.receiver
    made = model.outputs[0] if isinstance(model, Model) and len(model.outputs) == 1 else UNKNOWN
    if not isinstance(made, Tensor):
        return Tensor("numpy", made_by="Model.predict", node=call.node)
    shape = None if made.shape is None else (None, *made.shape[1:])
    return Tensor("numpy", shape, "float32", made.interval, "Model.predict", (made,), call.node)


_APPLICATIONS = {
    "vgg16": ("VGG16",),
    "vgg19": ("VGG19",),
    "resnet50": ("ResNet50",),
    "resnet": ("ResNet50", "ResNet101", "ResNet152"),
    "resnet_v2": ("ResNet50V2", "ResNet101V2", "ResNet152V2"),
    "inception_v3": ("InceptionV3",),
    "inception_resnet_v2": ("InceptionResNetV2",),
    "xception": ("Xception",),
    "mobilenet": ("MobileNet",),
    "mobilenet_v2": ("MobileNetV2",),
    "densenet": ("DenseNet121", "DenseNet169", "DenseNet201"),
    "efficientnet": tuple(f"EfficientNetB{number}" for number in range(8)),
    "nasnet": ("NASNetMobile", "NASNetLarge"),
}


def pretrained(call: Call) -> Value:
    """``keras.applications.…``: with its head a softmax over the classes, without it a map or a vector of features."""
    top, pooled = call.argument(0, "include_top"), call.argument(-1, "pooling")
    model = Model("keras", "functional", call.node, complete=False, born_inside=call.inside, facts={"pretrained"})
    shape: Shape | None = None
    if isinstance(top, Constant) and not top.value and (text_of(pooled) or not call.given(-1, "pooling")):
        shape = ("batch", None) if text_of(pooled) else ("batch", None, None, None)
    made = Tensor("keras", shape, "float32", made_by="pretrained", node=call.node)
    declared = _declared(call.keywords)
    model.inputs = [Tensor("keras", declared, "float32", made_by="keras.Input", node=call.node)]
    model.outputs, model.input_shape = [made], declared
    call.interpreter.models.append(model)
    _sync(model)
    return model


SEMANTICS: Semantics = {
    "keras.Input": make_input,
    "keras.InputLayer": make_input_layer,
    "keras.Sequential": make_sequential,
    "keras.Model": make_functional,
    "Model.add": add_layer,
    "Model.pop": pop_layer,
    "Model.compile": compile_model,
    "Model.fit": fit_model,
    "Model.fit_generator": fit_model,
    "Model.predict": predict,
    **{f"keras.applications.{name}": pretrained for names in _APPLICATIONS.values() for name in names},
    **{f"keras.applications.{module}.{name}": pretrained for module, names in _APPLICATIONS.items() for name in names},
}
