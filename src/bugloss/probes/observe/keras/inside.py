"""Looks inside a Keras model on a fixed batch: what every layer puts out and which gradients reach its weights.

For Keras that runs eagerly (Keras 3 on each backend, tf.keras 2.x). The model is called in inference mode; whatever
such a call could move (random states, seeds, metrics, small counters) is put back bit for bit. Graphs of TensorFlow 1
are looked into by ``graph``.
"""

import contextlib
import copy
import io
import random
import sys
import weakref
from typing import Any

from . import models

SMALL = 65536  # values of a variable that is worth keeping aside
LARGE_GRADIENT = 20000000
KEPT = ("_losses", "_eager_losses", "_loss_ids", "_dropout_mask", "_recurrent_dropout_mask")


class InsideView(object):
    """What one look showed; arrays by the identity of a layer or variable."""

    def __init__(self):
        self.outputs = {}
        self.inputs = {}
        self.order = []
        self.gradients = {}
        self.loss = None
        self.regularization = None
        self.prediction = None


def array_of(tensor):
    """A NumPy copy of a tensor of any backend; None for what is none."""
    numpy = sys.modules["numpy"]
    if hasattr(tensor, "detach"):
        tensor = tensor.detach().cpu()
        return numpy.array(tensor.float() if "bfloat16" in str(tensor.dtype) else tensor)
    if hasattr(tensor, "shape") and (hasattr(tensor, "numpy") or hasattr(tensor, "__array__")):
        found = numpy.asarray(tensor)
        return found.astype("float32") if found.dtype.kind == "V" or "bfloat16" in str(found.dtype) else found
    return None


def first_tensor(value):
    """The first tensor of a layer's answer: recurrent layers and attention may give several."""
    while isinstance(value, (list, tuple)) and value:
        value = value[0]
    if isinstance(value, dict) and value:
        value = first_tensor(list(value.values())[0])
    return value if hasattr(value, "shape") else None


class LayerCalls(object):
    """Notes outputs of layers while it is open, by standing in for ``Layer.__call__``."""

    def __init__(self, edition, convert=array_of):
        self.owner = edition.layer
        self.convert = convert
        self.view = InsideView()
        self.closed = 0

    def __enter__(self):
        original, call = self.owner.__call__, self

        def noted(layer, *arguments, **named):
            # What a layer of Keras's own does inside, step by step of a sequence say, is its own affair.
            if call.closed:
                return original(layer, *arguments, **named)
            closes = models.of_library(layer) and not models.is_model(layer)
            call.closed += closes
            try:
                outputs = original(layer, *arguments, **named)
            finally:
                call.closed -= closes
            call.note(layer, arguments, outputs)
            return outputs

        self.original = original
        self.owner.__call__ = noted
        return self.view

    def __exit__(self, *trouble):
        self.owner.__call__ = self.original
        return False

    def note(self, layer, arguments, outputs):
        view = self.view
        if id(layer) in view.outputs:  # a layer that is used twice is seen at its first use
            return
        view.order.append(id(layer))
        output = first_tensor(outputs)
        if output is not None:
            view.outputs[id(layer)] = self.convert(output)
        if "BatchNorm" in type(layer).__name__ and arguments:
            given = first_tensor(arguments[0])
            view.inputs[id(layer)] = None if given is None else self.convert(given)


class State(object):
    """Everything a call in inference mode could move, and how to put it back."""

    def __init__(self, edition, model):
        self.edition, self.model = edition, model
        self.variables = [(variable, edition.value(variable)) for variable in movable(edition, model)]
        self.restorers = [restore_random()]
        restore = {"tensorflow": restore_tensorflow, "torch": restore_torch}.get(edition.backend)
        if restore is not None:
            self.restorers.append(restore())
        self.restorers.append(restore_seeds(edition))

    def put_back(self):
        for restore in self.restorers:
            restore()
        for variable, value in self.variables:
            if self.edition.value(variable).tobytes() != value.tobytes():
                variable.assign(value)
        known = {id(variable) for variable, _ in self.variables}
        for metric in metrics_of(self.model) if not self.edition.three else ():
            # tf.keras makes the metrics of single outputs when the loss is first computed; they start from nothing.
            if not any(id(variable) in known for variable in getattr(metric, "variables", ())):
                metric.reset_state() if hasattr(metric, "reset_state") else metric.reset_states()


def movable(edition, model):
    """The variables of metrics and seeds, and small ones that are not trained."""
    found, seen = [], set()
    trainable = {id(variable) for variable in model.trainable_variables}
    groups = [getattr(model, "variables", ())]
    groups.extend(getattr(metric, "variables", ()) for metric in metrics_of(model))
    groups.append(getattr(model, "metrics_variables", ()))
    for variable in (variable for group in groups for variable in group):
        size = 1
        for extent in tuple(variable.shape):
            size *= int(extent or 0)
        if id(variable) not in seen and id(variable) not in trainable and size <= SMALL:
            seen.add(id(variable))
            found.append(variable)
    return found


def metrics_of(model):
    """All metrics, and the mean of the loss, which tf.keras does not own up to before the first step."""
    found = list(getattr(model, "metrics", ()))
    compiled = getattr(model, "compiled_loss", None)
    mean = getattr(compiled, "_loss_metric", None)
    return found + ([mean] if mean is not None else [])


def restore_random():
    numpy = sys.modules["numpy"]
    python, array = random.getstate(), numpy.random.get_state()

    def restore():
        random.setstate(python)
        numpy.random.set_state(array)

    return restore


def restore_torch():
    torch = sys.modules["torch"]
    state = torch.random.get_rng_state()
    return lambda: torch.random.set_rng_state(state)


def restore_tensorflow():
    """Draws of ours come from another stream: kernels keep a state for every seed, which could not be put back."""
    undo = []
    holder = sys.modules.get("tensorflow.python.eager.context")
    context: Any = holder.context() if holder is not None else None
    stream = getattr(context, "_rng", None)
    if stream is not None:
        context._rng = random.Random(4207849484)
        undo.append(lambda: setattr(context, "_rng", stream))
    generators = sys.modules.get("tensorflow.python.ops.stateful_random_ops")
    generator = getattr(generators, "global_generator", None)
    if generator is not None:
        state = generator.state.numpy()
        undo.append(lambda: generator.state.assign(state))

    def restore():
        for action in undo:
            action()

    return restore


def restore_seeds(edition):
    """The seeds that Keras itself draws from when a layer has none of its own."""
    undo = []
    backend = sys.modules.get(edition.root + ".backend")
    draws = getattr(getattr(backend, "_SEED_GENERATOR", None), "generator", None)
    if draws is not None:
        state = draws.getstate()
        undo.append(lambda: draws.setstate(state))
    shared = sys.modules.get(edition.root + ".backend.common.global_state")
    generator = shared.get_global_attribute("global_seed_generator") if shared is not None else None
    if generator is not None:
        seed = edition.value(generator.state)
        undo.append(lambda: generator.state.assign(seed))

    def restore():
        for action in undo:
            action()

    return restore


@contextlib.contextmanager
def silence(needed):
    """The user's own layers may print; a look must not say it twice."""
    if not needed:
        yield
        return
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def look(edition, model, batch, gradients=True, quiet=False):
    """A ``InsideView`` of the model on a batch of (inputs, targets, sample weights)."""
    state = State(edition, model)
    kept = put_aside(model)
    try:
        with silence(quiet):
            looks = {"tensorflow": look_tensorflow, "torch": look_torch, "jax": look_jax}
            return looks[edition.backend](edition, model, batch, gradients)
    finally:
        state.put_back()
        put_aside_back(kept)


def put_aside(model):
    """What layers keep of their last call: penalties, which the user may read, and masks of recurrent dropout."""
    kept: list[Any] = []
    flatten = getattr(model, "_flatten_layers", None)
    for layer in list(flatten()) if flatten is not None else []:
        for name in KEPT:
            if name in layer.__dict__:
                held = layer.__dict__[name]
                kept.append((layer, name, held, copy.copy(held) if isinstance(held, (list, set)) else None))
    return kept


def put_aside_back(kept):
    for layer, name, held, content in kept:
        layer.__dict__[name] = held
        if isinstance(held, set):
            held.clear()
            held.update(content)
        elif isinstance(held, list) and (len(held) or content):
            held[:] = content


def loss_of(model, batch, outputs):
    """The user's loss and its penalties; None where the model has no loss of its own."""
    x, y, weights = batch
    if y is None and not getattr(model, "losses", None):
        return None
    if hasattr(model, "compute_loss"):
        return model.compute_loss(x=x, y=y, y_pred=outputs, sample_weight=weights)
    compiled = getattr(model, "compiled_loss", None)
    if compiled is None:
        return None
    return compiled(y, outputs, weights, regularization_losses=model.losses)


def penalty_share(model, loss):
    """The share of the loss that regularizers make up."""
    penalties = [float(array_of(penalty)) for penalty in getattr(model, "losses", ())]
    return sum(penalties) / loss if penalties and loss else None


def call(model, x):
    """In inference mode where the model knows the difference; a model of the user's may not take the argument."""
    try:
        return model(x, training=False)
    except TypeError:
        if getattr(model, "_call_has_training_arg", getattr(model, "_expects_training_arg", True)):
            raise
        return model(x)


def look_tensorflow(edition, model, batch, gradients):
    tensorflow = sys.modules["tensorflow"]
    batch = tuple(mapped(tensorflow.convert_to_tensor, part) for part in batch)
    with tensorflow.GradientTape() as tape:
        with LayerCalls(edition) as view:
            outputs = call(model, batch[0])
        loss = loss_of(model, batch, outputs)
    if judged(view, model, outputs, loss) and gradients:
        wanted = list(model.trainable_variables)
        keep_gradients(view, wanted, tape.gradient(loss, wanted), lambda gradient: dense(tensorflow, gradient))
    return view


def judged(view, model, outputs, loss):
    """Puts what was answered, and its loss, into the view; whether there is a loss."""
    view.prediction = array_of(first_tensor(outputs))
    if loss is None:
        return False
    view.loss = float(array_of(loss))
    view.regularization = penalty_share(model, view.loss)
    return True


def keep_gradients(view, variables, found, convert):
    for variable, gradient in zip(variables, found):
        if gradient is not None:
            view.gradients[id(variable)] = convert(gradient)


def dense(tensorflow, gradient):
    """A gradient of an embedding names the rows it touches; as an array it has them all."""
    if hasattr(gradient, "indices"):
        shape = [int(extent) for extent in gradient.dense_shape]
        if shape[0] * (shape[1] if len(shape) > 1 else 1) > LARGE_GRADIENT:
            return array_of(gradient.values)
        gradient = tensorflow.convert_to_tensor(gradient)
    return array_of(gradient)


def look_torch(edition, model, batch, gradients):
    torch = sys.modules["torch"]
    convert = sys.modules["keras"].ops.convert_to_tensor
    batch = tuple(mapped(convert, part) for part in batch)
    with torch.enable_grad(), LayerCalls(edition) as view:
        outputs = call(model, batch[0])
        loss = loss_of(model, batch, outputs)
    wanted = list(model.trainable_variables) if gradients else []
    if judged(view, model, outputs, loss) and wanted:
        found = torch.autograd.grad(loss, [variable.value for variable in wanted], allow_unused=True)
        keep_gradients(view, wanted, found, array_of)
    return view


def look_jax(edition, model, batch, gradients):
    """One compiled function for everything: JAX compiles operation by operation otherwise, which takes far longer."""
    convert = sys.modules["keras"].ops.convert_to_tensor
    x, y, weights = (mapped(convert, part) for part in batch)
    if not hasattr(model, "compute_loss_and_updates"):
        return InsideView()
    groups = (model.trainable_variables, model.non_trainable_variables, model.metrics_variables)
    states = [[variable.value for variable in group] for group in groups]
    held = edition.compiled.get(id(model))
    if held is None or held[0]() is not model:
        held = edition.compiled[id(model)] = (weakref.ref(model), *compile_jax(edition, model))
    (loss, (outputs, inputs, prediction)), found = held[1](*states, x, y, weights)
    view = InsideView()
    view.order, normed = list(held[2][0]), held[2][1]
    view.outputs = {key: array_of(output) for key, output in zip(view.order, outputs) if output is not None}
    view.inputs = {key: array_of(given) for key, given in zip(normed, inputs) if given is not None}
    view.prediction = array_of(first_tensor(prediction))
    view.loss = float(array_of(loss))
    for variable, gradient in zip(model.trainable_variables, found if gradients else ()):
        view.gradients[id(variable)] = array_of(gradient)
    return view


def compile_jax(edition, model):
    """The function, and the layers in the order in which it gives their outputs (known once it has been traced)."""
    jax = sys.modules["jax"]
    order: Any = [(), ()]

    def loss_at(trainable, others, metrics, x, y, weights):
        with LayerCalls(edition, convert=lambda tensor: tensor) as view:
            given = (trainable, others, metrics, x, y, weights)
            loss, updates = model.compute_loss_and_updates(*given, training=False, optimizer_variables=None)
        order[:] = [list(view.order), list(view.inputs)]
        return loss, ([view.outputs.get(key) for key in view.order], list(view.inputs.values()), updates[1])

    return jax.jit(jax.value_and_grad(loss_at, has_aux=True)), order


def mapped(convert, part):
    """One conversion for an array, or for all in a list or dictionary."""
    if part is None:
        return None
    if isinstance(part, dict):
        return {name: mapped(convert, inner) for name, inner in part.items()}
    if isinstance(part, (list, tuple)):
        return type(part)([mapped(convert, inner) for inner in part])
    return convert(part)
