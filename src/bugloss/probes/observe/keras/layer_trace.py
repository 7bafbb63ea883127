"""One forward pass of a copied Keras model, layer by layer, with the operations that the user's own code calls between.

Eagerly, ``Layer.__call__`` and the functions of ``keras.ops`` and TensorFlow are watched while the pass lasts; in a
graph of TensorFlow 1 the outputs of all layers are fetched at once.
"""

import sys

from ..relation import Traced, Untold
from . import data as sources
from . import inside, models

MOST_VALUES = 20000000
FUNCTIONS = (
    "reshape", "transpose", "matmul", "softmax", "log_softmax", "reduce_mean", "reduce_sum", "reduce_max", "mean",
    "sum", "max", "concat", "concatenate", "stack", "einsum", "gather", "take", "cast", "squeeze",
    "expand_dims", "flip", "reverse", "cumsum", "multiply", "add", "subtract", "divide", "roll", "tile",
    "repeat", "where", "l2_normalize", "normalize", "dot", "swapaxes", "moveaxis", "sort", "batch_dot",
    "permute_dimensions", "dropout", "embedding_lookup",
)  # fmt: skip
MODULES = ("keras.ops", "keras.ops.nn", "tensorflow", "tensorflow.math", "tensorflow.nn", "tensorflow.linalg",
           "keras.backend", "tensorflow.keras.backend")  # fmt: skip
STOP = "bugloss_trace_begins"


def traced(edition, model, x, frames):
    """The steps of a pass in evaluation mode."""
    if edition.in_graph:
        return graph_steps(edition, model, x)
    if edition.backend == "jax":
        raise Untold("passes of the jax backend are not followed layer by layer")
    watch = LayerWatch(edition, frames)
    bugloss_trace_begins(watch, model, x, edition)
    return watch.steps


def bugloss_trace_begins(watch, model, x, edition):
    """Frames above this one are not the pass's; it is known by its name."""
    convert = sys.modules["tensorflow"].convert_to_tensor if edition.backend == "tensorflow" else None
    convert = convert or sys.modules["keras"].ops.convert_to_tensor
    given = inside.mapped(convert, x)
    with watch:
        inside.call(model, given)


class LayerWatch(object):
    """Replaces layers and functions while it is open."""

    def __init__(self, edition, frames):
        self.edition, self.frames = edition, frames
        self.steps, self.layers, self.undo, self.values, self.closed = [], [], [], 0, 0

    def __enter__(self):
        self.replace(self.edition.layer, "__call__", self.layer_call)
        operation = getattr(sys.modules.get("keras.src.ops.operation"), "Operation", None)
        if operation is not None:
            self.replace(operation, "__call__", self.operation_call)
        for module in [sys.modules.get(name) for name in MODULES]:
            for name in FUNCTIONS if module is not None else ():
                if callable(getattr(module, name, None)):
                    self.replace(module, name, lambda original, name=name: self.function_call(name, original))
        return self

    def replace(self, owner, name, make):
        original = getattr(owner, name)
        setattr(owner, name, make(original))
        self.undo.append((owner, name, original))

    def __exit__(self, *trouble):
        for owner, name, original in reversed(self.undo):
            setattr(owner, name, original)
        return False

    def layer_call(self, original):
        watch = self

        def noted(layer, *arguments, **named):
            inner = models.of_library(layer) and not models.is_model(layer)
            watch.closed += inner
            watch.layers.append(layer.name)
            try:
                outputs = original(layer, *arguments, **named)
            finally:
                watch.layers.pop()
                watch.closed -= inner
            if not watch.closed and not models.is_model(layer):
                watch.note(type(layer).__name__, layer.name, arguments, named, outputs, None)
            return outputs

        return noted

    def operation_call(self, original):
        watch = self

        def noted(operation, *arguments, **named):
            outputs = original(operation, *arguments, **named)
            if not isinstance(operation, watch.edition.layer) and not watch.closed:
                watch.note(type(operation).__name__, operation.name, arguments, named, outputs, None)
            return outputs

        return noted

    def function_call(self, name, original):
        watch = self

        def noted(*arguments, **named):
            result = original(*arguments, **named)
            if watch.frames.owns(sys._getframe(1).f_code.co_filename):
                layer = watch.layers[-1] if watch.layers else ""
                watch.note(name, layer, arguments, named, result, watch.place())
            return result

        return noted

    def place(self):
        frame = sys._getframe(1)
        while frame is not None and frame.f_code is not bugloss_trace_begins.__code__:
            if self.frames.owns(frame.f_code.co_filename):
                return frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name
            frame = frame.f_back
        return None

    def note(self, name, layer, arguments, named, outputs, place):
        output = array_of(inside.first_tensor(outputs))
        if output is None:
            return
        self.values += output.size
        if self.values > MOST_VALUES:
            raise Untold("the model is too large to be followed layer by layer")
        given = [array_of(one) for argument in arguments[:4] for one in tensors_in(argument)]
        settings = ([one for one in arguments if not hasattr(one, "dtype")], named)
        self.steps.append(Traced(name, layer, output, [one for one in given if one is not None], settings, place))


def tensors_in(value):
    if isinstance(value, (list, tuple)):
        return [one for one in value[:4] if hasattr(one, "dtype")]
    return [value] if hasattr(value, "dtype") else []


def array_of(tensor):
    """An array, or None for what has no values (yet)."""
    if tensor is None:
        return None
    try:
        return inside.array_of(tensor)
    except Exception:
        return None


def graph_steps(edition, model, x):
    """All layers of a graph of layers, each with its inputs."""
    layers = [layer for layer in model.layers if type(layer).__name__ != "InputLayer"]
    pairs = [(layer, first(layer.input), first(layer.output)) for layer in layers]
    fed = list(sources.parts_of(x))
    values = {id(tensor): value for tensor, value in zip(model.inputs, fed)}  # a session does not fetch what it is fed
    wanted = [tensor for _, given, output in pairs for tensor in (given, output) if id(tensor) not in values]
    function = edition.backend_module.function(list(model.inputs), wanted)
    values.update((id(tensor), value) for tensor, value in zip(wanted, function(fed)))
    return [
        Traced(type(layer).__name__, layer.name, values[id(output)], [values[id(given)]], ([], {}), None)
        for layer, given, output in pairs
    ]


def first(tensors):
    return tensors[0] if isinstance(tensors, (list, tuple)) else tensors
