"""A Keras model to try relations on: a copy as it was at first, a batch, and how it was compiled."""

import contextlib
import sys

from ..properties import SHORT_STEPS, explain
from ..relation import NO_TIME, Subject, Term, Untold, Where, relates
from . import copies, derivatives, inside, models
from . import data as sources
from .layer_trace import traced
from .losses import loss_facts

LEAST_PASSES, MOST_PASSES = 12, 240
SETTLED = 0.1  # how much of its first value a running statistic may still hold
LOGIT_LOSSES = {"cross-entropy": "cross_entropy", "binary-cross-entropy": "binary_cross_entropy_with_logits"}
OVER_CLASSES = ("cross-entropy",)  # probabilities of which add up to one
TIME_TO_SETTLE = 0.5  # of all the time there is: slow models are left something for the other questions


class KerasSubject(Subject):
    """The copy and the batch; what ``shared`` asks for. Made when the first question comes."""

    def __init__(self, memory):
        self.memory, self.rate = memory, memory.rate
        self.lesson = None
        self.listed = {}  # layers that were found in lists, by the name of their place
        self.known = None
        self.refused = None

    def prepared(self):
        """The copy; without one, every question gets the same reason."""
        if self.refused is not None:
            raise Untold(self.refused)
        if self.known is None:
            try:
                self.prepare()
            except Exception as error:
                self.refused = str(error) if isinstance(error, Untold) else explain(error)
                raise
        return self.known

    def prepare(self):
        memory = self.memory
        memory.check()
        self.x, self.y, self.weights = memory.checked_batch()
        self.rows = len(sources.parts_of(self.x)[0])
        self.known = copy = copies.copy_of(memory, self.x)
        if memory.prediction is not None and memory.batch is not None:
            with copy.entered():
                copy.check(memory.batch, memory.prediction)

    @property
    def size(self):
        self.prepared()
        return self.rows

    def batch(self, inputs=None, target=None):
        x, y, weights = self.x if inputs is None else inputs, self.y if target is None else target, self.weights
        longer = len(sources.parts_of(x)[0]) > self.size
        return x, y, double(weights) if longer and weights is not None else weights

    @contextlib.contextmanager
    def copy(self, *fresh):
        """The copy as it was at first, in the context in which it lives."""
        copy = self.prepared()
        with copy.entered():
            copy.fresh(*fresh)
            yield copy

    def changed(self, change):
        self.prepared()
        return inside.mapped(change, self.x)

    def blank(self):
        return self.changed(sys.modules["numpy"].zeros_like)

    def dealt(self, number):
        self.prepared()
        if not sources.parts_of(self.y):
            raise Untold("the model has no targets")
        order = sys.modules["numpy"].random.RandomState(number).permutation(self.size)
        dealt = inside.mapped(lambda array: array[order], self.y)
        pairs = zip(sources.parts_of(dealt), sources.parts_of(self.y))
        return dealt, all(bool((left == right).all()) for left, right in pairs)

    def parts(self):
        self.prepared()
        return list(sources.parts_of(self.x))

    def links_samples(self):
        return any(relates(part.shape, str(part.dtype), self.size) for part in self.parts())

    def given(self, parts):
        others = iter(parts)
        return self.changed(lambda array: next(others))

    # -- outputs -------------------------------------------------------------------------------------------------------

    def answers(self, inputs=None):
        with self.copy() as copy:
            return copy.answer(self.x if inputs is None else inputs)

    def restless(self):
        """Whether outputs are drawn at random: a state that is carried over is put back in between, seeds are not."""
        with self.copy() as copy:
            first = copy.answer(self.x)
            copy.assign([pair for pair in zip(copy.variables, copy.first) if "seed" not in pair[0].name])
            return bool(abs(first - copy.answer(self.x)).max() > 1e-6)

    @contextlib.contextmanager
    def trained(self):
        """The copy with the weights of the model as it is at the end."""
        values = self.memory.edition.values(list(self.memory.model.weights))
        with self.copy() as copy:
            copy.assign(list(zip(copy.variables, values)))
            yield copy

    def trained_answers(self, inputs=None):
        with self.trained() as copy:
            return copy.answer(self.x if inputs is None else inputs)

    def trained_pull(self, weights):
        with self.trained() as copy:
            return derivatives.math_of(copy).by_inputs(self.x, weights)

    def two_answers(self, first=None):
        with self.copy() as copy:
            return copy.answer(self.x if first is None else first), copy.answer(self.x)

    def training_answers(self):
        with self.math() as maths:
            return maths.training_outputs(self.x), maths.training_outputs(self.x)

    def influence(self):
        with self.math() as maths:
            return maths.by_inputs(self.x)

    @contextlib.contextmanager
    def math(self):
        with self.copy() as copy:
            yield derivatives.math_of(copy)

    # -- layers and places ---------------------------------------------------------------------------------------------

    def trace(self, inputs=None):
        memory = self.memory
        with self.copy() as copy:
            x = self.x if inputs is None else inputs
            return traced(memory.edition, copy.model, x, memory.subject.recorder.frames)

    def where(self, operation, layer, place=None):
        watch = self.memory.subject.watch
        original = self.original(layer)
        made = watch.site_of(original) if original is not None else None
        return Where(operation, getattr(original, "name", layer), watch.recorder.site_of(place), made)

    def original(self, name):
        """The user's layer, or operation of a functional model, that one of the copy was made from."""
        own, copied = (named_parts(model) for model in (self.memory.model, self.prepared().model))
        return next((one for one, other in zip(own, copied) if other.name == name), self.listed.get(name))

    def layers(self):
        found = models.leaves(self.prepared().model)
        return [(layer.name, type(layer).__name__, settings_of(layer)) for _, layer in found]

    def shared_layers(self):
        self.prepared()
        self.listed = dict(models.repeated(self.memory.model))
        return sorted(self.listed)

    def kept_rows(self):
        return [weight.name for weight in models.weights_of(self.prepared().model, "non_trainable_weights")
                if len(weight.shape) > 1 and weight.shape[0] == self.size]  # fmt: skip

    def state_changes(self):
        with self.copy() as copy:
            kept = [one for one in copy.variables if "seed" not in one.name]
            before = copy.edition.values(kept)
            copy.answer(self.x)
            after = copy.edition.values(kept)
        pairs = zip(kept, before, after)
        return [str(getattr(one, "path", one.name)).replace("/", ".") for one, old, new in pairs if (old != new).any()]

    # -- the loss ------------------------------------------------------------------------------------------------------

    def target(self):
        self.prepared()
        targets = sources.parts_of(self.y)
        if not targets:
            raise Untold("the model has no targets")
        return targets[0]

    def judge_doubled(self):
        self.prepared()
        return self.judge(double(self.x), double(self.y))

    def judge_outputs(self, outputs, target=None):
        self.one_output()
        with self.math() as maths:
            return maths.loss_at(self.batch(None, target), outputs)

    def output_gradient(self, outputs=None):
        self.one_output()
        given = self.answers() if outputs is None else outputs
        with self.math() as maths:
            return maths.by_outputs(self.batch(), given)

    def one_output(self):
        if len(sources.parts_of(self.prepared() and self.y) or []) != 1:
            raise Untold("the model has several outputs, or none that is judged")

    def gradient_size(self, inputs=None):
        with self.math() as maths:
            loss, gradients = maths.by_weights(self.batch(inputs))
            return loss, derivatives.norm_of(gradients)

    def loss_functions(self):
        """Names of the functions that a loss of the user's own calls."""
        self.prepared()
        loss = self.memory.loss
        if not callable(loss) or models.of_library(loss):
            return []
        code = getattr(loss, "__code__", None) or getattr(getattr(type(loss), "call", None), "__code__", None)
        return list(code.co_names) if code is not None else []

    def loss_inputs(self, inputs=None):
        """What a loss that takes logits is given, classes on the second axis as PyTorch has them."""
        self.one_output()
        facts = loss_facts(self.memory.loss)
        if not facts.get("from_logits") or facts["kind"] not in LOGIT_LOSSES:
            return []
        if facts["kind"] not in OVER_CLASSES and not any(part.dtype.kind == "f" for part in self.parts()):
            raise Untold("inputs cannot be scaled, and logits may lie between 0 and 1 by chance")
        with self.math() as maths:
            if inputs is None and maths.finds_logits(self.batch()):
                raise Untold("Keras finds the logits of the last activation by itself, and warns")
        outputs = self.answers(inputs)
        moved = sys.modules["numpy"].moveaxis(outputs, -1, 1) if outputs.ndim > 2 else outputs
        return [(LOGIT_LOSSES[facts["kind"]], moved, Where(facts["name"]))]

    def terms(self, doubled=False):
        self.prepared()
        batch = (double(self.x), double(self.y), self.weights) if doubled else self.batch()
        with self.math() as maths:
            found = maths.terms(batch)
            other = maths.terms(self.batch(self.blank())) if not doubled else found
        # A penalty on weights is the same whatever the inputs are.
        return [
            Term(name, value, gradient, Where(name), name == "loss" or value != elsewhere or doubled)
            for (name, value, gradient), (_, elsewhere, _) in zip(found, other)
        ]

    def unreached(self):
        with self.math() as maths:
            _, gradients = maths.by_weights(self.batch())
        return len(gradients), sum(1 for one in gradients if one is None), None

    def descent(self):
        memory = self.memory
        if memory.after is None:
            raise Untold("the first update is seen by itself in hand-written training loops only")
        with self.math() as maths:
            _, gradients = maths.by_weights(self.batch() if memory.batch is None else memory.batch)
            places = {id(weight): place for place, weight in enumerate(maths.copy.variables)}
            trained = [places[id(weight)] for weight in maths.model.trainable_weights]
        moves = [memory.after[place] - memory.values[id(memory.weights[place])] for place in trained]
        return derivatives.cosine([pair for pair in zip(gradients, moves) if pair[0] is not None])

    def pairing(self):
        return None

    def slope(self):
        if self.restless():
            raise Untold("the outputs are drawn at random")
        with self.math() as maths:
            return maths.slope(self.batch())

    # -- lessons -------------------------------------------------------------------------------------------------------

    def judge(self, inputs=None, target=None):
        with self.copy() as copy:
            return copy.judge(self.batch(inputs, target))

    def both_modes(self, allowance):
        with self.copy("adam", 0.0) as copy:
            train, passes = [], self.passes(copy.model)
            share = TIME_TO_SETTLE if passes > LEAST_PASSES else 1.0
            while len(train) < passes:
                if train and allowance.spent_part(share):
                    raise Untold(NO_TIME["why"])
                train.append(copy.train(self.batch()))
            return train[-LEAST_PASSES:], copy.judge(self.batch())

    def passes(self, model):
        """How often the batch must pass until running statistics know it, slow ones excepted."""
        momenta = [models.attribute(layer, "momentum") for _, layer in models.leaves(model) if is_norm(layer)]
        slowest = max([momentum for momentum in momenta if isinstance(momentum, float)] or [0.0])
        count = LEAST_PASSES
        while slowest**count > SETTLED and count < MOST_PASSES:
            count += 1
        return count

    def learn(self, steps, allowance, inputs=None, target=None):
        losses = []
        with self.copy("adam") as copy:
            batch = self.batch(inputs, target)
            while len(losses) < steps and not (losses and allowance.spent):
                losses.append(copy.train(batch))
        return losses

    def short_training(self, rate):
        with self.copy("own", max(rate, 1e-12)) as copy:
            return [copy.train(self.batch()) for _ in range(SHORT_STEPS)][-1]


def named_parts(model):
    """Layers, and operations of a functional model, in order."""
    return [layer for _, layer in models.leaves(model)] + list(models.attribute(model, "operations") or ())


def settings_of(layer):
    """The settings of a layer that relations ask about."""
    return {"padding_idx": 0} if models.attribute(layer, "mask_zero") else {}


def is_norm(layer):
    return "BatchNorm" in type(layer).__name__


def double(part):
    numpy = sys.modules["numpy"]
    return inside.mapped(lambda array: numpy.concatenate([array, array]), part)
