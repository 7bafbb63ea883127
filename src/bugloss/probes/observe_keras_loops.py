"""Training loops that a program writes itself on TensorFlow 2: gradient tapes, optimizers, and functions of both.

In eager loops every application of gradients is a step, with the loss that the tape differentiated; on sampled steps
the layers' outputs are noted as the program itself computes them. Inside a ``tf.function`` nothing is touched: each
call of a function that was seen to train is a step, and its first number is taken for the loss.
"""

import functools
import sys
import time
import weakref
from typing import Any

import observe_keras_compiled as compiled  # type: ignore[import-not-found]
import observe_keras_data as sources  # type: ignore[import-not-found]
import observe_keras_fit as fits  # type: ignore[import-not-found]
import observe_keras_inside as inside  # type: ignore[import-not-found]
import observe_keras_models as models  # type: ignore[import-not-found]
import observe_patches as patches  # type: ignore[import-not-found]


class Loops(object):
    """Follows hand-written loops of one process."""

    def __init__(self, watch):
        self.watch, self.recorder = watch, watch.recorder
        self.patches = patches.Patches()
        self.losses = {}  # identity of the first variable -> (loss, how often it was differentiated)
        self.noted = None  # what the forward pass of a sampled step showed
        self.asked = False  # whether the governor was asked about the step that is under way
        self.sampled = False
        self.ended = None
        self.functions = {}  # functions that train: identity -> (weak reference, optimizer, variables)
        self.tracing = []

    def install(self, tensorflow):
        # Wrappers bear the module of what they wrap: AutoGraph, which rewrites what a function calls, passes them by.
        self.patches.wrap(tensorflow.GradientTape, "__enter__", self.entering)
        self.patches.wrap(tensorflow.GradientTape, "gradient", self.differentiating)
        self.patches.wrap(type(tensorflow.function(lambda: None)), "__call__", self.calling)

    def watch_optimizer(self, kind):
        if "apply" in kind.__dict__ and hasattr(kind, "update_step"):
            self.patches.wrap(kind, "apply", functools.partial(self.applying, True))
        elif "apply_gradients" in kind.__dict__:
            self.patches.wrap(kind, "apply_gradients", functools.partial(self.applying, False))

    @property
    def following(self):
        """Whether calls are the program's own, made eagerly."""
        return self.watch.watching and sys.modules["tensorflow"].executing_eagerly()

    # -- forward and backward ------------------------------------------------------------------------------------------

    def entering(self, original):
        def __enter__(tape):  # noqa: N807 (Python's own name)
            if self.following and not self.asked:
                with self.recorder.guard("the beginning of a step"):
                    self.begin()
            return original(tape)

        return __enter__

    def begin(self):
        self.asked = True
        self.sampled = self.recorder.clock.due(self.recorder.step)
        if self.sampled and self.noted is None and self.watch.editions:
            self.noted = Noted(self.watch)
            self.noted.open()

    def differentiating(self, original):
        def gradient(tape, target, sources, *arguments, **named):
            if not self.following:
                return original(tape, target, sources, *arguments, **named)
            if self.noted is not None:
                self.noted.close()
            found = original(tape, target, sources, *arguments, **named)
            with self.recorder.guard("a gradient"):
                first = first_of(sources)
                if first is not None:
                    _, count = self.losses.get(key_of(first), (None, 0))
                    self.losses[key_of(first)] = (first_of(target), count + 1)
            return found

        return gradient

    # -- steps ---------------------------------------------------------------------------------------------------------

    def applying(self, apart, original):
        """``apart``: gradients and variables are two arguments; else they come in pairs."""

        def apply(optimizer, given, *arguments, **named):
            if not self.following:
                with self.recorder.guard("a function that trains"):
                    self.note_function(optimizer, apart, given, arguments, named)
                return original(optimizer, given, *arguments, **named)
            given = list(given)
            step = None
            with self.recorder.clock.work(), self.recorder.guard("the beginning of a step"):
                step = Step(self, optimizer, *pairs_of(optimizer, apart, given, arguments, named))
                step.begin()
            with self.watch.inside():
                answer = original(optimizer, given, *arguments, **named)
            with self.recorder.clock.work(), self.recorder.guard("the end of a step"):
                if step is not None:
                    step.end()
            self.watch.after_step()
            return answer

        return apply

    def calling(self, original):
        def __call__(function, *arguments, **named):  # noqa: N807 (Python's own name)
            if not self.following or self.tracing:
                return original(function, *arguments, **named)
            known = self.functions.get(id(function))
            if known is None or known[0]() is not function:
                return self.first_call(original, function, arguments, named)
            return self.further_call(original, function, known, arguments, named)

        return __call__

    def first_call(self, original, function, arguments, named):
        """A function that applies gradients while it is traced is one that trains."""
        self.tracing.append(function)
        try:
            answer = original(function, *arguments, **named)
        finally:
            self.tracing.pop()
        known = self.functions.get(id(function))
        if known is not None:
            with self.recorder.clock.work(), self.recorder.guard("the end of a step"):
                self.recorder.limit("the training step is a tf.function, whose gradients are out of sight")
                self.recorder.clock.begin()
                step = Step(self, known[1], (), known[2])
                step.introduce()
                step.tell(first_number(answer))
        return answer

    def further_call(self, original, function, known, arguments, named):
        step = None
        with self.recorder.clock.work(), self.recorder.guard("the beginning of a step"):
            step = Step(self, known[1], (), known[2])
            step.begin_call(arguments)
        with self.watch.inside():
            answer = original(function, *arguments, **named)
        with self.recorder.clock.work(), self.recorder.guard("the end of a step"):
            if step is not None:
                step.end(first_number(answer))
        self.watch.after_step()
        return answer

    def note_function(self, optimizer, apart, given, arguments, named):
        if self.tracing and not self.watch.depth and apart:
            function = self.tracing[-1]
            _, variables = pairs_of(optimizer, apart, list(given), arguments, named)
            self.functions[id(function)] = (weakref.ref(function), optimizer, variables)
        elif self.tracing and not self.watch.depth:
            # The pairs may be an iterator that can be read only once: the models say what is trained.
            function = self.tracing[-1]
            self.functions[id(function)] = (weakref.ref(function), optimizer, ())

    def close(self):
        if self.noted is not None:
            self.noted.close()
            self.noted = None


class Noted(object):
    """The forward pass of a sampled step: outputs of layers, the root's inputs, and what losses were given."""

    def __init__(self, watch):
        self.watch = watch
        self.views = []
        self.calls = []
        self.losses = []
        self.root = None  # (model, inputs, outputs) of the outermost model that was called
        self.undo = []

    def open(self):
        for edition in self.watch.editions:
            if edition.layer is None or edition.in_graph:
                continue
            call = Rooted(edition, self)
            self.calls.append(call)
            self.views.append(call.__enter__())
            loss = edition.loss
            if loss is not None:
                self.undo.append(self.note_losses(loss))

    def note_losses(self, kind):
        original = kind.__call__

        def __call__(loss, y_true, y_pred, *arguments, **named):  # noqa: N807 (Python's own name)
            if len(self.losses) < 4:
                self.losses.append((loss, y_true, y_pred))
            return original(loss, y_true, y_pred, *arguments, **named)

        kind.__call__ = __call__
        return lambda: setattr(kind, "__call__", original)

    def close(self):
        for call in self.calls:
            call.__exit__()
        for undo in self.undo:
            undo()
        self.calls, self.undo = [], []

    def view(self):
        """All that was seen, as one view."""
        whole = inside.View()
        for view in self.views:
            whole.outputs.update(view.outputs)
            whole.inputs.update(view.inputs)
            whole.order.extend(view.order)
        return whole


class Rooted(inside.Call):  # type: ignore[misc]
    """Keeps tensors as they are: they are turned into arrays only once it is known that the step was one."""

    def __init__(self, edition, noted):
        super(Rooted, self).__init__(edition, convert=lambda tensor: tensor)
        self.noted = noted

    def note(self, layer, arguments, outputs):
        if not hasattr(inside.first_tensor(outputs), "numpy"):
            return  # symbolic: a model is being built or a function traced
        super(Rooted, self).note(layer, arguments, outputs)
        # Calls end from the inside out: the last model noted is the outermost.
        if models.is_model(layer):
            self.noted.root = (layer, arguments[0] if arguments else None, outputs)


class Step(object):
    """One application of gradients."""

    def __init__(self, loops, optimizer, gradients, variables):
        self.loops, self.watch, self.recorder = loops, loops.watch, loops.recorder
        self.optimizer, self.gradients, self.variables = optimizer, gradients, variables
        self.name = "optimizer-0"
        self.subject: Any = None
        self.sampled = False
        self.began = time.time()

    def introduce(self):
        self.subject = self.watch.owner_of(self.variables)
        self.name, new = self.watch.optimizer_name(self.optimizer)
        if new:
            self.tell_optimizer()
        if self.subject is not None and not self.subject.described:
            self.subject.introduce()

    def tell_optimizer(self):
        inner = models.attribute(self.optimizer, "inner_optimizer") or self.optimizer
        self.recorder.emit(
            "optimizer",
            optimizer=self.name,
            kind=type(inner).__name__,
            settings=compiled.optimizer_settings(inner),
            site=self.watch.site_of(inner),
            parameters=len(self.variables),
            missing=self.missing(),
            scheduler=models.schedule_name(inner),
        )

    def missing(self):
        """Trainable weights of the model that were not among those given to the optimizer."""
        if self.subject is None or not self.variables:
            return []
        given = {key_of(variable) for variable in self.variables}
        trainable = models.weights_of(self.subject.model, "trainable_weights")
        return [str(weight.name) for weight in trainable if key_of(weight) not in given][: compiled.MOST_NAMES]

    def begin(self):
        loops = self.loops
        if not loops.asked:
            loops.begin()
        self.sampled = loops.sampled
        self.introduce()
        if self.subject is None or not self.sampled:
            return
        self.subject.view = self.seen()
        self.subject.before = self.subject.read()
        self.subject.remember_good()

    def seen(self):
        """The forward pass as the program ran it, and the gradients it is about to apply."""
        noted = self.loops.noted
        view = noted.view() if noted is not None else inside.View()
        view.outputs = {key: inside.array_of(value) for key, value in view.outputs.items() if value is not None}
        view.inputs = {key: inside.array_of(value) for key, value in view.inputs.items() if value is not None}
        tensorflow = sys.modules["tensorflow"]
        for variable, gradient in zip(self.variables, self.gradients):
            if gradient is not None:
                for key in {id(variable), key_of(variable)}:
                    view.gradients[key] = inside.dense(tensorflow, gradient)
        if noted is not None and noted.root is not None:
            self.take_batch(noted, view)
        if view.order and self.subject.order is None:
            self.subject.order = list(view.order)
        return view

    def take_batch(self, noted, view):
        _, x, outputs = noted.root
        target = noted.losses[0][1] if noted.losses else None
        view.prediction = inside.array_of(inside.first_tensor(outputs))
        self.subject.batch = tuple(self.subject.prepared(plain_arrays(part)) for part in (x, target, None))
        self.subject.batch_told = None
        for loss, y_true, y_pred in noted.losses:
            self.tell_loss(loss, y_true, y_pred)

    def tell_loss(self, loss, y_true, y_pred):
        facts = models.loss_facts(loss)
        output, target = inside.first_tensor(y_pred), inside.first_tensor(y_true)
        if ("loss", facts["name"]) in self.subject.told or output is None or target is None:
            return
        self.subject.told.add(("loss", facts["name"]))
        shapes = [[int(size) for size in tensor.shape] for tensor in (output, target)]
        facts.update(output_shape=shapes[0], target_shape=shapes[1], target_dtype=dtype_of(target))
        if facts["kind"] in models.ELEMENTWISE:
            facts["broadcast"] = compiled.stretched(*shapes)
        self.recorder.emit("loss-function", site=self.watch.site_of(loss), **facts)

    def begin_call(self, arguments):
        """Before a call of a function that trains: weights, and layers on the batch that is passed in."""
        self.introduce()
        self.sampled = self.recorder.clock.due(self.recorder.step)
        if self.subject is None or not self.sampled:
            return
        x = next((part for part in arguments if fits_model(self.subject.model, part)), None)
        if x is not None:
            arrays = sources.Arrays(plain_arrays(x))
            self.subject.give_arrays(arrays)
        self.subject.before = self.subject.read()
        self.subject.look(gradients=False)
        self.subject.remember_good()

    def end(self, loss=None):
        loops = self.loops
        key = key_of(self.variables[0]) if len(self.variables) else None
        target, count = loops.losses.pop(key, (None, None))
        if loss is None and target is not None:
            loss = mean_of(target)
        norm = None
        if self.sampled and self.subject is not None:
            norm = self.subject.end_sample(self.recorder.step)
            self.watch.tell_memory(self.recorder.step)
        self.tell(loss, norm, count)
        loops.asked = False
        loops.close()

    def tell(self, loss, norm=None, backwards=None):
        loops, step = self.loops, self.recorder.step
        now = time.time()
        facts = {"loss": loss, "optimizer": self.name, "gradient_norm": norm, "backwards": backwards}
        facts["seconds"] = now - (loops.ended or self.began)
        loops.ended = now
        facts["batch"] = len(self.subject.batch_rows()) or None if self.subject is not None and self.sampled else None
        edition = self.watch.editions[0] if self.watch.editions else None
        with self.recorder.guard("the learning rate"):
            if self.sampled or not models.schedule_name(self.optimizer):
                facts["learning_rate"] = fits.rate_of(edition, self.optimizer)
        self.recorder.emit("step", step=step, **facts)
        self.recorder.step = step + 1
        bad = loss is not None and (loss != loss or abs(loss) == float("inf"))
        if bad and self.subject is not None and not self.subject.troubled:
            self.subject.troubled = True
            self.watch.locate(self.subject, step)


def pairs_of(optimizer, apart, given, arguments, named):
    """Gradients and variables, however they were passed."""
    if not apart:
        return [pair[0] for pair in given], [pair[1] for pair in given]
    variables = arguments[0] if arguments else named.get("trainable_variables")
    if variables is None:
        variables = models.attribute(optimizer, "_trainable_variables") or ()
    return given, list(variables)


def key_of(variable):
    """Keras 3 wraps TensorFlow's variables: both names of one mean the same."""
    return id(getattr(variable, "_value", None) if getattr(variable, "_value", None) is not None else variable)


def first_of(structure):
    while isinstance(structure, (list, tuple)) and structure:
        structure = structure[0]
    if isinstance(structure, dict):
        return first_of(list(structure.values()))
    return structure if hasattr(structure, "shape") else None


def mean_of(tensor):
    array = inside.array_of(tensor)
    return float(array.mean()) if array is not None and array.size else None


def first_number(answer):
    """The first float in what a function returned: of a training step that is its loss."""
    parts = answer.values() if isinstance(answer, dict) else answer
    for part in parts if isinstance(parts, (list, tuple)) or isinstance(answer, dict) else [answer]:
        if hasattr(part, "numpy") and "float" in dtype_of(part):
            return mean_of(part)
        if isinstance(part, float):
            return part
    return None


def dtype_of(tensor):
    return str(getattr(tensor.dtype, "name", tensor.dtype))


def plain_arrays(part):
    """Tensors as arrays, in the same lists and dictionaries."""
    return inside.mapped(inside.array_of, part)


def fits_model(model, part):
    """Whether an argument has the shape of the model's inputs."""
    shape = models.attribute(model, "input_shape")
    given = getattr(part, "shape", None)
    if not isinstance(shape, tuple) or given is None or not hasattr(part, "numpy"):
        return False
    return tuple(given)[1:] == tuple(shape)[1:]
