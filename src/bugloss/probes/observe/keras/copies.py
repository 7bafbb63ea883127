"""A second model like one of the user's, with weights of its own: rebuilt from its configuration, trained and
evaluated.

``ModelCopy`` works with every Keras by ``train_on_batch`` and its like. ``TapeCopy`` does the same on TensorFlow 2 by
functions of its own, many times as fast. ``GraphCopy`` lives in a graph and a session of its own: what belongs to the
user's is not even read. Whatever keeps a model from being copied is raised as ``Untold``.
"""

import contextlib
import inspect
import sys

from ..properties import LEARNING_RATE, explain
from ..relation import Untold, largest
from . import calls, inside, models
from . import data as sources
from .edition import without_rewriting

ADAMS = ("optimizers.adam", "optimizers.optimizer_v2.adam", "optimizer_v2.adam", "optimizers")
CLONERS = (("models.cloning", "clone_model"), ("models", "clone_model"))


def copy_of(memory, x):
    """A copy of the model that a ``Memory`` is of, by the means that suit it."""
    edition, model = memory.edition, memory.model
    if edition.in_graph:
        return GraphCopy(memory, x)
    own = not of_keras(getattr(type(model), "train_step", None))
    if edition.backend == "tensorflow" and not own and hasattr(sys.modules["tensorflow"], "GradientTape"):
        return TapeCopy(memory, x)
    return ModelCopy(memory, x)


def of_keras(function):
    return str(getattr(function, "__module__", "")).split(".")[0] in ("keras", "tensorflow", "tf_keras")


class ModelCopy(object):
    """A rebuilt model, its first weights, and an optimizer that can be set back."""

    def __init__(self, memory, x):
        self.memory, self.edition = memory, memory.edition
        with self.entered():
            self.model = self.made(memory.model, x)
            self.variables = list(self.model.weights)
            self.first = self.first_values()
            self.compile(self.adam())
        self.teacher = None  # "adam" or "own": whose optimizer the model is compiled with
        self.state = []

    def entered(self):
        """The context in which the copy lives."""
        return contextlib.ExitStack()

    # -- making --------------------------------------------------------------------------------------------------------

    def made(self, model, x):
        try:
            copy = self.duplicate(model)
        except Exception as error:
            raise Untold("the model cannot be rebuilt: %s" % explain(error)) from None
        if type(copy) is not type(model) and not models.of_library(model):
            raise Untold("the model cannot be rebuilt: its class %s is not available" % type(model).__name__)
        if len(models.weights_of(copy)) != len(model.weights):
            self.build(copy, x)
        return copy

    def duplicate(self, model):
        if not (getattr(model, "_is_graph_network", False) or self.is_network(model)):
            return rebuilt(model)
        clone = self.edition.find(*CLONERS)
        if "clone_function" not in inspect.signature(clone).parameters:
            return clone(model)
        with uncompiled(model) if self.edition.three else contextlib.ExitStack():
            return clone(model, clone_function=self.rebuilt_layer)

    def is_network(self, model):
        places = ("models.sequential", "Sequential"), ("engine.sequential", "Sequential")
        kinds = [self.edition.find(*places), self.edition.find(("models.functional", "Functional"))]
        return any(kind is not None and isinstance(model, kind) for kind in kinds)

    def rebuilt_layer(self, layer):
        return self.duplicate(layer) if models.is_model(layer) else rebuilt(layer)

    def build(self, copy, x):
        inside.call(copy, x)

    def first_values(self):
        """The remembered values in the order of the copy's weights."""
        theirs, known = list(self.memory.model.weights), self.memory.values
        if [tuple(weight.shape) for weight in theirs] != [tuple(weight.shape) for weight in self.variables]:
            raise Untold("the weights of a copy are not those of the model")
        if not all(id(weight) in known for weight in theirs):
            raise Untold("the weights of the model have been replaced since its first step")
        return [known[id(weight)] for weight in theirs]

    def compile(self, optimizer):
        facts = {"loss": self.memory.loss, "loss_weights": self.memory.loss_weights}
        if self.memory.weight_mode:
            facts["sample_weight_mode"] = self.memory.weight_mode
        if self.edition.three and self.edition.backend == "tensorflow":
            facts["jit_compile"] = False  # takes longer than all our steps
        self.model.compile(optimizer=optimizer, **facts)

    # -- optimizers ----------------------------------------------------------------------------------------------------

    def adam(self):
        kind = self.edition.find(*[(name, "Adam") for name in ADAMS])
        return kind(LEARNING_RATE)

    def own(self):
        """An optimizer of the user's kind, with the user's settings."""
        kind, settings = self.memory.optimizer
        if kind is None:
            raise Untold("the optimizer cannot be rebuilt")
        name = "learning_rate" if "learning_rate" in settings else "lr"
        return kind.from_config(dict(settings, **{name: LEARNING_RATE}))

    def choose(self, teacher):
        """The optimizer that teaches from here on."""
        if self.teacher != teacher:
            self.teacher = None
            self.compile(self.adam() if teacher == "adam" else self.own())
            self.prepare(self.model.optimizer)
            self.teacher = teacher

    def prepare(self, optimizer):
        """Makes the optimizer's variables, and notes what they start from."""
        wanted = list(self.model.trainable_weights)
        if not wanted:
            raise Untold("the model has no trainable weights")
        if hasattr(optimizer, "build"):
            optimizer.build(wanted)
        elif hasattr(optimizer, "_create_all_weights"):
            optimizer._create_all_weights(wanted)
        found = getattr(optimizer, "variables", None)
        kept = list(found() if callable(found) else found if found is not None else optimizer.weights)
        self.state = [(variable, value) for variable, value in zip(kept, self.edition.values(kept))]

    def set_rate(self, rate):
        self.model.optimizer.learning_rate = rate

    # -- use -----------------------------------------------------------------------------------------------------------

    def fresh(self, teacher=None, rate=LEARNING_RATE):
        """Weights and optimizer as they were at first."""
        if teacher is not None:
            self.choose(teacher)
        self.assign(list(zip(self.variables, self.first)) + (self.state if teacher is not None else []))
        if teacher is not None:
            self.set_rate(rate)

    def assign(self, pairs):
        for variable, value in pairs:
            variable.assign(value)

    def train(self, batch):
        """One step; the loss before it."""
        return self.loss_in(self.model.train_on_batch, batch)

    def judge(self, batch):
        return self.loss_in(self.model.test_on_batch, batch)

    def loss_in(self, method, batch):
        if hasattr(self.model, "reset_metrics"):
            self.model.reset_metrics()
        x, y, weights = batch
        return calls.named_values(self.model, method(x, y, sample_weight=weights))["loss"]

    def answer(self, x):
        return inside.array_of(inside.first_tensor(self.model.predict_on_batch(x)))

    def check(self, batch, prediction):
        """A copy that does not answer as its model did says nothing about it."""
        self.fresh()
        first, second = self.answer(batch[0]), self.answer(batch[0])
        if largest(first - second) <= 1e-6 * (1 + largest(first)):
            if first.shape != prediction.shape or not largest(first - prediction) <= 1e-3 * (1 + largest(prediction)):
                raise Untold("the outputs of a copy differ from those of the model")


class TapeCopy(ModelCopy):
    """On TensorFlow 2: gradients are compiled once, and updates once for each optimizer."""

    def __init__(self, memory, x):
        super(TapeCopy, self).__init__(memory, x)
        self.tensorflow = sys.modules["tensorflow"]
        # A model that its user runs eagerly may not bear to be compiled.
        eager = models.attribute(memory.model, "run_eagerly")
        self.compiled = (lambda function, kinds=None: function) if eager else self.tensorflow.function
        self.gradients = self.compiled(self.loss_and_gradients)
        # A few calls are not worth compiling, except of layers that else compile themselves on each.
        recurrent = any(type(layer).__name__ in models.RECURRENT for _, layer in models.leaves(self.model))
        self.outputs = self.compiled(self.evaluated, [self.kinds(x)]) if recurrent else self.evaluated
        self.usual = self.shapes(x)
        self.teachers = {}  # optimizer, first state and compiled update, by name
        self.optimizer, self.update = None, None

    def choose(self, teacher):
        if teacher not in self.teachers:
            optimizer = self.adam() if teacher == "adam" else self.own()
            self.prepare(optimizer)
            self.teachers[teacher] = optimizer, self.state, self.compiled(self.updating(optimizer))
        self.optimizer, self.state, self.update = self.teachers[teacher]

    def set_rate(self, rate):
        self.optimizer.learning_rate = rate

    def loss_and_gradients(self, x, y, weights):
        with self.tensorflow.GradientTape() as tape:
            outputs = self.model(x, **training_mode(self.model))
            loss = inside.loss_of(self.model, (x, y, weights), outputs)
        return loss, tape.gradient(loss, list(self.model.trainable_weights))

    def updating(self, optimizer):
        def update(gradients):
            pairs = zip(gradients, self.model.trainable_weights)
            optimizer.apply_gradients([pair for pair in pairs if pair[0] is not None])

        return update

    def tensors(self, part):
        return inside.mapped(self.tensorflow.convert_to_tensor, part)

    def train(self, batch):
        loss, gradients = self.gradients(*[self.tensors(part) for part in batch])
        self.update(gradients)
        return float(loss)

    def kinds(self, x):
        """Inputs like these, of any number."""
        specify = self.tensorflow.TensorSpec
        return inside.mapped(lambda tensor: specify((None,) + tuple(tensor.shape[1:]), tensor.dtype), self.tensors(x))

    def evaluated(self, x):
        return inside.call(self.model, x)

    def judge(self, batch):
        x, y, weights = (self.tensors(part) for part in batch)
        return float(inside.loss_of(self.model, (x, y, weights), self.outputs(x)))

    def answer(self, x):
        outputs = self.outputs if self.shapes(x) == self.usual else self.evaluated
        return inside.array_of(inside.first_tensor(outputs(self.tensors(x))))

    def shapes(self, x):
        """Extents of the inputs without that of samples."""
        return [part.shape[1:] for part in sources.parts_of(x)]


class GraphCopy(ModelCopy):
    """Keras 2 on TensorFlow 1, or tf.keras without eager execution."""

    def __init__(self, memory, x):
        tensorflow = sys.modules["tensorflow"]
        self.compat = getattr(tensorflow.compat, "v1", tensorflow)
        self.graph = self.compat.Graph()
        config = self.compat.ConfigProto(allow_soft_placement=True, device_count={"GPU": 0})
        without_rewriting(config)
        self.session = self.compat.Session(graph=self.graph, config=config)
        super(GraphCopy, self).__init__(memory, x)

    @contextlib.contextmanager
    def entered(self):
        with self.graph.as_default(), self.session.as_default():
            yield

    def made(self, model, x):
        backend = self.edition.backend_module
        self.compat.set_random_seed(0)
        if self.memory.phase is not None:  # the program has fixed the mode of its own graph
            backend.set_learning_phase(self.memory.phase)
        return super(GraphCopy, self).made(model, x)

    def build(self, copy, x):
        if isinstance(x, (list, tuple, dict)):
            raise Untold("the model has several inputs and is not a graph of layers")
        copy.build((None,) + tuple(x.shape[1:]))

    def prepare(self, optimizer):
        self.model._make_train_function()
        kept = list(optimizer.weights)
        self.state = list(zip(kept, self.edition.backend_module.batch_get_value(kept)))

    def set_rate(self, rate):
        optimizer = self.model.optimizer
        known = getattr(optimizer, "learning_rate", None)
        self.edition.backend_module.set_value(optimizer.lr if known is None else known, rate)

    def assign(self, pairs):
        self.edition.backend_module.batch_set_value(pairs)


def rebuilt(thing):
    """A layer or model of the same class and settings."""
    kind = type(thing)
    if kind.__name__ == "Lambda" and models.of_library(thing):
        shape = models.attribute(thing, "_output_shape")
        return kind(thing.function, shape, thing.mask, dict(thing.arguments or {}), name=thing.name)
    wanted = [
        one for one in list(inspect.signature(kind.__init__).parameters.values())[1:] if one.kind != one.VAR_KEYWORD
    ]
    if not wanted and not models.of_library(thing):  # nothing could have been said to it that we do not know
        return kind()
    return kind.from_config(thing.get_config())


@contextlib.contextmanager
def uncompiled(model):
    """Keras 3 compiles clones of compiled models, and looks for losses of the user's by name, in vain."""
    known = model.compiled
    model.compiled = False
    try:
        yield
    finally:
        model.compiled = known


def training_mode(model):
    """A model of the user's may not take the argument."""
    takes = getattr(model, "_call_has_training_arg", getattr(model, "_expects_training_arg", True))
    return {"training": True} if takes else {}
