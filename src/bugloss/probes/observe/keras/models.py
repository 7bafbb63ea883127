"""Models, optimizers and losses of any Keras as plain facts, as events contain them.

Only attributes are read: no tensor is made, no name is drawn, nothing is built.
"""

import re

# Plain constructor facts that layers of every era keep under these names.
PLAIN = (
    "units", "filters", "kernel_size", "strides", "padding", "dilation_rate", "pool_size", "data_format", "use_bias",
    "rate", "momentum", "epsilon", "axis", "center", "scale", "input_dim", "output_dim", "mask_zero", "mask_value",
    "return_sequences", "stateful", "go_backwards", "dropout", "recurrent_dropout", "negative_slope", "alpha", "stddev",
    "target_shape", "size", "n", "num_heads", "key_dim", "depth_multiplier", "groups", "trainable",
)  # fmt: skip
QUIET = ("stateful", "go_backwards", "mask_zero")  # told only where they are on
FUNCTIONS = ("activation", "recurrent_activation", "function")
INITIALIZERS = re.compile(r"^\w+_initializer$")
REGULARIZERS = re.compile(r"^\w+_(regularizer|constraint)$")
SCALINGS = {
    (1.0, "fan_avg", "uniform"): "glorot_uniform",
    (1.0, "fan_avg", "normal"): "glorot_normal",
    (2.0, "fan_in", "uniform"): "he_uniform",
    (2.0, "fan_in", "normal"): "he_normal",
    (1.0, "fan_in", "uniform"): "lecun_uniform",
    (1.0, "fan_in", "normal"): "lecun_normal",
}
ACTIVATION_LAYERS = {
    "ReLU": "relu", "LeakyReLU": "leaky_relu", "PReLU": "prelu", "ELU": "elu", "Softmax": "softmax",
    "ThresholdedReLU": "thresholded_relu", "Sigmoid": "sigmoid", "Tanh": "tanh", "Relu": "relu",
}  # fmt: skip
RECURRENT = ("LSTM", "GRU", "SimpleRNN", "RNN", "ConvLSTM2D", "CuDNNLSTM", "CuDNNGRU", "Bidirectional")
# What lies between the last activation and the output without changing what kind of numbers come out.
TRANSPARENT = ("Dropout", "Flatten", "Reshape", "Permute", "InputLayer", "Identity", "RepeatVector", "Cropping2D")
OPTIMIZER_PLAIN = (
    "momentum", "nesterov", "weight_decay", "clipnorm", "clipvalue", "global_clipnorm", "use_ema", "decay", "epsilon",
    "beta_1", "beta_2", "rho", "amsgrad", "centered", "initial_accumulator_value", "gradient_accumulation_steps",
    "loss_scale_factor",
)  # fmt: skip


def of_library(thing):
    """Whether the class of a layer or model is Keras's own."""
    root = (type(thing).__module__ or "").split(".")[0]
    return root in ("keras", "tensorflow", "tensorflow_core", "tf_keras", "keras_hub", "keras_nlp", "keras_cv")


def is_model(thing):
    return hasattr(thing, "fit") and hasattr(thing, "predict") and hasattr(thing, "compile")


def children(layer):
    """The layers directly inside a layer or model, in the order in which they were added."""
    inside = attribute(layer, "layers") if is_model(layer) else None
    if not isinstance(inside, (list, tuple)):
        try:
            inside = list(layer._flatten_layers(recursive=False, include_self=False))
        except Exception:  # Keras 2.3 and older know no inner layers, a model may not be built yet
            inside = attribute(layer, "_layers")
    if not isinstance(inside, (list, tuple)):
        return []
    return [child for child in inside if looks_like_layer(child)]


def leaves(model):
    """(dotted name, layer) of every layer without children, or of Keras's own making, or with weights of its own."""
    found, seen = [], set()

    def walk(layer, path):
        if id(layer) in seen:
            return
        seen.add(id(layer))
        inside = children(layer) if is_model(layer) or not of_library(layer) else []
        if layer is not model and type(layer).__name__ != "InputLayer" and (not inside or own_weights(layer, inside)):
            found.append((path, layer))
        for child in inside:
            walk(child, "%s.%s" % (path, child.name) if path else child.name)

    walk(model, "")
    return found


def repeated(model):
    """(place, layer) where a list of the user's model, or of a layer of theirs, holds one layer several times."""
    for owner in [model] + [part for part in every_layer(model) if not of_library(part)]:
        for name, held in sorted(vars(owner).items()) if not of_library(owner) else ():
            if name.startswith("_") or not isinstance(held, (list, tuple)):
                continue
            known = {}
            for place, layer in enumerate(held):
                if looks_like_layer(layer) and weights_of(layer):
                    known.setdefault(id(layer), []).append(("%s.%d" % (name, place), layer))
            again = [places for places in known.values() if len(places) > 1]
            if again:
                return again[0]
    return []


def every_layer(model):
    """All layers inside a model, at any depth, each once."""
    found = {}
    for child in children(model):
        for layer in [child] + every_layer(child):
            found[id(layer)] = layer
    return list(found.values())


def inner_models(model):
    """The models that are layers of a model, at any depth."""
    found = []
    for child in children(model):
        if is_model(child):
            found.append(child)
        found.extend(inner_models(child) if is_model(child) else [])
    return found


def own_weights(layer, inside):
    """The weights of a layer that none of its children holds."""
    if is_model(layer) and of_library(layer):
        return []
    held = {id(weight) for child in inside for weight in weights_of(child)}
    return [weight for weight in weights_of(layer) if id(weight) not in held]


def weights_of(layer, which="weights"):
    try:
        return list(getattr(layer, which))
    except Exception:  # not built yet, or a property of the user's that fails
        return []


def tensors_of(layer, which="trainable_weights"):
    """(role, variable) of a leaf's weights; the role is kernel, bias, or other."""
    inside = children(layer) if not of_library(layer) else []
    held = {id(weight) for child in inside for weight in weights_of(child)}
    return [(role_of(weight), weight) for weight in weights_of(layer, which) if id(weight) not in held]


def role_of(variable):
    name = short_name(variable)
    if "bias" in name or name == "beta":
        return "bias"
    if "kernel" in name or "embeddings" in name or (name.startswith("w") and len(variable.shape) > 1):
        return "kernel"
    return "kernel" if len(variable.shape) > 1 else "other"


def short_name(variable):
    return str(getattr(variable, "name", "")).split("/")[-1].split(":")[0]


def describe(model, sites, used=None):
    """The fields of ``Model`` that do not depend on the time, and the leaves by name."""
    found = leaves(model)
    layers = [describe_layer(name, layer, sites, used) for name, layer in found]
    return {
        "kind": type(model).__name__,
        "layers": layers,
        "site": sites(model),
        "parameters": sum(layer["parameters"] for layer in layers),
        "trainable": sum(layer["trainable"] for layer in layers),
        "unregistered": unregistered(model),
        "output_activation": output_activation(model, found),
    }


def describe_layer(name, layer, sites, used):
    everything = tensors_of(layer, "weights")
    trainable = tensors_of(layer)
    return {
        "name": name,
        "kind": type(layer).__name__,
        "parameters": sum(size_of(variable) for _, variable in everything),
        "trainable": sum(size_of(variable) for _, variable in trainable),
        "settings": settings_of(layer),
        "site": sites(layer),
        "used": used is None or id(layer) in used,
    }


def size_of(variable):
    size = 1
    for extent in tuple(variable.shape):
        size *= int(getattr(extent, "value", extent) or 0)
    return size


def settings_of(layer):
    facts = {}
    # A wrapper's own settings are few; what it wraps says what it does.
    for source in (getattr(layer, "layer", None), getattr(layer, "forward_layer", None), layer):
        if source is not None:
            facts.update(own_settings(source))
    activation = activation_of(layer)
    if activation:
        facts["activation"] = activation
    inputs = input_width(layer)
    if inputs:
        facts["in_features"] = inputs
    return facts


def own_settings(layer):
    facts = {}
    for name in PLAIN:
        value = plain(attribute(layer, name))
        if value is not None and (value is not False or name not in QUIET):
            facts[name] = value
    for name in FUNCTIONS:
        value = attribute(layer, name)
        if callable(value):
            facts[name] = function_name(value)
    for name in sorted(getattr(layer, "__dict__", {})):
        value = attribute(layer, name)
        if value is not None and INITIALIZERS.match(name):
            facts[name] = initializer_name(value)
        elif value is not None and REGULARIZERS.match(name):
            facts[name] = regularizer_name(value)
    cell = attribute(layer, "cell")
    if cell is not None and hasattr(cell, "units"):
        facts = dict(own_settings(cell), **facts)
    return facts


def attribute(thing, name):
    """An attribute or None; properties of users' classes may raise whatever they like."""
    try:
        return getattr(thing, name, None)
    except Exception:
        return None


def plain(value):
    """A number, word or short list of them; None for everything else."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value
    if isinstance(value, (list, tuple)) and len(value) <= 8 and type(value).__name__ != "ListWrapper":
        parts = [plain(part) for part in value]
        return parts if parts and all(part is not None for part in parts) else None
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        return value.item()
    return None


def activation_of(layer):
    """The activation at the end of a layer, "linear" for a layer with weights that has none, "" where unknown."""
    kind = type(layer).__name__
    if kind in ACTIVATION_LAYERS:
        return ACTIVATION_LAYERS[kind]
    wrapped = attribute(layer, "layer") or attribute(layer, "forward_layer")
    if wrapped is not None and of_library(layer) and hasattr(wrapped, "weights"):
        return activation_of(wrapped)
    function = attribute(layer, "activation")
    return function_name(function) if callable(function) else ""


def function_name(function):
    name = getattr(function, "__name__", None)
    if name:
        return "custom" if name == "<lambda>" else str(name)
    kind = type(function).__name__
    return ACTIVATION_LAYERS.get(kind, snake(kind))


def snake(name):
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def initializer_name(initializer):
    """A short name with its numbers, e.g. ``random_normal(mean=0, stddev=1)``."""
    kind = type(initializer).__name__
    if kind in ("VarianceScaling", "VarianceScalingV2"):
        scaling = (
            float(initializer.scale),
            str(initializer.mode),
            str(initializer.distribution).replace("truncated_normal", "normal"),
        )
        if scaling in SCALINGS:
            return SCALINGS[scaling]
    if kind == "function":
        return function_name(initializer)
    numbers = [
        "%s=%s" % (name, short(attribute(initializer, name)))
        for name in ("value", "mean", "stddev", "minval", "maxval", "gain", "scale", "mode", "distribution")
        if isinstance(attribute(initializer, name), (int, float, str))
    ]
    base = snake(kind[:-2] if kind.endswith("V2") else kind)
    scaled = base.startswith(("glorot", "he_", "lecun"))
    return base if scaled or not numbers else "%s(%s)" % (base, ", ".join(numbers))


def regularizer_name(regularizer):
    numbers = [
        "%s=%s" % (name, short(float(attribute(regularizer, name))))
        for name in ("l1", "l2", "factor", "max_value", "min_value", "rate")
        if attribute(regularizer, name) is not None and float(attribute(regularizer, name))
    ]
    return "%s(%s)" % (snake(type(regularizer).__name__), ", ".join(numbers))


def short(value):
    return "%g" % value if isinstance(value, (int, float)) else str(value)


def input_width(layer):
    for _, variable in tensors_of(layer, "weights")[:1]:
        shape = tuple(variable.shape)
        if short_name(variable).endswith("kernel") and len(shape) > 1:
            return int(shape[-2])
    return None


def output_activation(model, found):
    """The activation that made the model's (first) output; "" where it is not known without running it."""
    last = last_operation(model)
    if last is None and type(model).__name__ == "Sequential" and found:
        last = found[-1][1]
    for _ in range(20):
        if last is None or type(last).__name__ not in TRANSPARENT:
            break
        last = before(last)
    if last is None:
        return ""
    if is_model(last) and last is not model:
        return output_activation(last, leaves(last))
    named = activation_of(last)
    if named:
        return named
    return "linear" if type(last).__name__ in ("Dense", "Conv1D", "Conv2D", "Conv3D", "BatchNormalization") else ""


def last_operation(model):
    outputs = attribute(model, "outputs")
    history = attribute(outputs[0], "_keras_history") if isinstance(outputs, (list, tuple)) and outputs else None
    return history[0] if isinstance(history, tuple) and history else None


def before(layer):
    """The layer whose output a layer takes, where there is exactly one."""
    nodes = attribute(layer, "_inbound_nodes") or attribute(layer, "inbound_nodes") or []
    for node in nodes[:1]:
        tensors = attribute(node, "input_tensors") or attribute(node, "keras_inputs") or []
        tensors = tensors if isinstance(tensors, (list, tuple)) else [tensors]
        histories = [attribute(tensor, "_keras_history") for tensor in tensors]
        if len(histories) == 1 and histories[0]:
            return histories[0][0]
    return None


def unregistered(model):
    """Attributes that hold layers which the model does not know of."""
    if of_library(model):
        return []
    known = {id(layer) for _, layer in leaves(model)} | {id(child) for child in children(model)}
    missing = []
    for name, value in sorted(getattr(model, "__dict__", {}).items()):
        parts = value.values() if isinstance(value, dict) else value
        if name.startswith("_") or not isinstance(value, (list, tuple, set, dict)):
            continue
        if any(looks_like_layer(part) and id(part) not in known for part in parts):
            missing.append(name)
    return missing


def looks_like_layer(thing):
    return hasattr(thing, "weights") and hasattr(thing, "trainable") and hasattr(thing, "call")


def schedule_name(optimizer):
    """The class of a learning-rate schedule, "" for a plain number."""
    for name in ("_learning_rate", "learning_rate", "lr"):
        rate = attribute(optimizer, name)
        if rate is not None and hasattr(rate, "get_config") and callable(rate):
            return type(rate).__name__
        hyper = attribute(optimizer, "_hyper")
        if isinstance(hyper, dict) and callable(hyper.get("learning_rate")):
            return type(hyper["learning_rate"]).__name__
    return ""
