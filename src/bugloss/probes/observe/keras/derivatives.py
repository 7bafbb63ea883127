"""Outputs in either mode, losses of given outputs, and gradients by inputs, outputs and weights of a copied model.

``EagerMath`` works on TensorFlow 2; ``GraphMath`` on graphs of TensorFlow 1, as far as Keras offers it there. Both work
with NumPy arrays, and ``Untold`` says what cannot be had.
"""

import sys

from ..relation import Untold
from . import copies, inside
from . import data as sources

SAME = 1e-4  # of a loss: what rounding may change
NEAR = 1e-2  # a step along the gradient: shorter ones are lost in single precision


def math_of(copy):
    if copy.edition.in_graph:
        return GraphMath(copy)
    if copy.edition.backend != "tensorflow" or not hasattr(sys.modules["tensorflow"], "GradientTape"):
        raise Untold("gradients of the %s backend are not followed" % copy.edition.backend)
    return EagerMath(copy)


class EagerMath(object):
    """By gradient tapes."""

    def __init__(self, copy):
        self.copy, self.model = copy, copy.model
        self.tensorflow = sys.modules["tensorflow"]

    def tensors(self, part):
        return inside.mapped(self.tensorflow.convert_to_tensor, part)

    def training_outputs(self, x):
        outputs = self.model(self.tensors(x), **copies.training_mode(self.model))
        return inside.array_of(inside.first_tensor(outputs))

    def by_inputs(self, x, weights=None):
        """Gradients of a weighted sum of the outputs (at random where not given), an array or None an input."""
        numpy, given = sys.modules["numpy"], self.tensors(x)
        parts = list_of(given)
        with self.tensorflow.GradientTape() as tape:
            floating = [part for part in parts if part.dtype.is_floating]
            for part in floating:
                tape.watch(part)
            output = inside.first_tensor(inside.call(self.model, given))
            if weights is None:
                weights = numpy.random.standard_normal(output.shape)
            total = self.tensorflow.reduce_sum(output * weights.astype(output.dtype.as_numpy_dtype))
        found = iter(tape.gradient(total, floating))
        gradients = [next(found) if part.dtype.is_floating else None for part in parts]
        return [
            None if not part.dtype.is_floating
            else numpy.zeros(part.shape) if gradient is None else inside.dense(self.tensorflow, gradient)
            for part, gradient in zip(parts, gradients)
        ]  # fmt: skip

    def loss_at(self, batch, outputs):
        x, y, weights = (self.tensors(part) for part in batch)
        return float(inside.loss_of(self.model, (x, y, weights), self.tensorflow.convert_to_tensor(outputs)))

    def by_outputs(self, batch, outputs):
        x, y, weights = (self.tensors(part) for part in batch)
        given = self.tensorflow.convert_to_tensor(outputs)
        with self.tensorflow.GradientTape() as tape:
            tape.watch(given)
            loss = inside.loss_of(self.model, (x, y, weights), given)
        gradient = tape.gradient(loss, given)
        if gradient is None:
            raise Untold("the loss does not depend on the first output")
        return inside.array_of(gradient)

    def whole_loss(self, batch):
        x, y, weights = (self.tensors(part) for part in batch)
        return inside.loss_of(self.model, (x, y, weights), inside.call(self.model, x))

    def finds_logits(self, batch):
        """Whether Keras takes the loss of what went into the last activation: the outputs alone have another loss."""
        x, y, weights = (self.tensors(part) for part in batch)
        alone = float(inside.loss_of(self.model, (x, y, weights), self.tensorflow.identity(inside.call(self.model, x))))
        whole = float(self.copy.compiled(self.whole_loss)(batch))
        return abs(whole - alone) > SAME * (1 + abs(alone))

    def by_weights(self, batch):
        """The loss in evaluation mode, and its gradient by each weight."""
        wanted = list(self.model.trainable_weights)
        with self.tensorflow.GradientTape() as tape:
            loss = self.whole_loss(batch)
        return float(loss), [self.dense(one) for one in tape.gradient(loss, wanted)]

    def dense(self, gradient):
        return None if gradient is None else inside.dense(self.tensorflow, gradient)

    def terms(self, batch):
        """(name, value, norm of the gradient or None) of the compiled loss and of each added one."""
        x, y, weights = (self.tensors(part) for part in batch)
        wanted = list(self.model.trainable_weights)
        with self.tensorflow.GradientTape(persistent=True) as tape:
            outputs = inside.call(self.model, x)
            added = list(self.model.losses)
            whole = inside.loss_of(self.model, (x, y, weights), outputs)
            main = whole - sum(added) if added else whole
        values = [("loss", main)] + [("add_loss", one) for one in added]
        return [(name, float(value), norm_of(map(self.dense, tape.gradient(value, wanted)))) for name, value in values]

    def slope(self, batch):
        """The norm of the gradient, and how much the loss changes along it."""
        _, gradients = self.by_weights(batch)
        norm = norm_of(gradients)
        if not norm:
            raise Untold("there is no gradient")
        values = []
        for distance in (NEAR, -2 * NEAR):
            for weight, gradient in zip(self.model.trainable_weights, gradients):
                if gradient is not None:
                    weight.assign_add(distance / norm * gradient)
            values.append(float(self.whole_loss(batch)))
        return norm, (values[0] - values[1]) / (2 * NEAR)


class GraphMath(object):
    """By the functions of Keras on a graph."""

    def __init__(self, copy):
        self.copy, self.model = copy, copy.model
        self.backend = copy.edition.backend_module

    def fetch(self, inputs, outputs, given):
        return self.backend.function(inputs, outputs)(given)

    def training_outputs(self, x):
        phase = self.backend.learning_phase()
        inputs = list(self.model.inputs) + ([phase] if not isinstance(phase, int) else [])
        given = list(sources.parts_of(x)) + ([1] if not isinstance(phase, int) else [])
        return self.fetch(inputs, [self.model.outputs[0]], given)[0]

    def by_inputs(self, x, weights=None):
        numpy, backend, given = sys.modules["numpy"], self.backend, sources.parts_of(x)
        output = self.model.outputs[0]
        if weights is None:
            weights = numpy.random.standard_normal(self.copy.answer(x).shape)
        found = backend.gradients(backend.sum(output * backend.constant(weights)), list(self.model.inputs))
        known = [one for one in found if one is not None]
        values = iter(self.fetch(list(self.model.inputs), known, given) if known else ())
        return [next(values) if one is not None else None for one in found]

    def judged(self, batch, outputs):
        _, y, weights = batch
        loss = self.copy.memory.loss
        targets = sources.parts_of(y)
        if weights is not None or len(targets) != 1 or isinstance(loss, (list, dict)):
            raise Untold("the loss has weights or several outputs")
        losses = self.copy.edition.find(("losses", "get"))
        given = self.backend.placeholder(shape=outputs.shape)
        return given, self.backend.mean(losses(loss)(self.backend.constant(as_fitted(targets[0])), given))

    def loss_at(self, batch, outputs):
        given, value = self.judged(batch, outputs)
        return float(self.fetch([given], [value], [outputs])[0])

    def by_outputs(self, batch, outputs):
        given, value = self.judged(batch, outputs)
        found = self.backend.gradients(value, [given])
        if found[0] is None:
            raise Untold("the loss does not depend on the first output")
        return self.fetch([given], found, [outputs])[0]

    def by_weights(self, batch):
        raise Untold("gradients of weights are not asked for in a graph")

    terms = slope = finds_logits = by_weights


def as_fitted(target):
    """What a loss is given of targets: ``fit`` makes a column of a plain row of numbers, in every release."""
    return target[:, None] if target.ndim == 1 else target


def list_of(part):
    """The tensors of an input, in the order of ``data.parts_of``."""
    if isinstance(part, dict):
        return [part[name] for name in part]
    return list(part) if isinstance(part, (list, tuple)) else [part]


def norm_of(gradients):
    """The norm over all gradients that are there; None where there is none."""
    found = [gradient for gradient in gradients if gradient is not None]
    return float(sum((one.astype("float64") ** 2).sum() for one in found) ** 0.5) if found else None


def cosine(pairs):
    """The cosine between gradients and the moves that were made."""
    sides = [[side.astype("float64").ravel() for side in sides] for sides in zip(*pairs)]
    sizes = [norm_of(side) for side in sides]
    if not sides or not all(sizes):
        raise Untold("the step changed nothing, or there is no gradient")
    return float(sum((one * other).sum() for one, other in zip(*sides)) / (sizes[0] * sizes[1]))
