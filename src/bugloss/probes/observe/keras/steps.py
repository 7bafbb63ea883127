"""One step of a hand-written loop: what is recorded of it, and of the model whose weights it changes."""

import sys
import time
from typing import Any

from . import compiled, inside, models
from . import data as sources
from . import fit as fits
from .losses import ELEMENTWISE, loss_facts


class AppliedGradients(object):
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
            self.record_optimizer()
        if self.subject is not None and not self.subject.described:
            self.subject.introduce()

    def record_optimizer(self):
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
        for edition, model in self.loops.noted.called if self.loops.noted is not None else ():
            self.watch.followers.used(edition, model, trains=model is self.subject.model)
        self.subject.before = self.subject.read()
        self.subject.remember_good()

    def seen(self):
        """The forward pass as the program ran it, and the gradients it is about to apply."""
        noted = self.loops.noted
        view = noted.view() if noted is not None else inside.InsideView()
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
        self.subject.batch_facts = None
        for loss, y_true, y_pred in noted.losses:
            self.record_loss(loss, y_true, y_pred)
        if noted.losses and self.recorder.step == 0 and self.watch.properties is not None:
            self.remember(noted)

    def remember(self, noted):
        """A model whose own outputs a loss of Keras's judges, where nothing else is added to what is differentiated."""
        loss, y_true, y_pred = noted.losses[0]
        model, _, outputs = noted.root
        with self.recorder.guard("a copy for property probes"):
            key = key_of(self.variables[0]) if len(self.variables) else None
            whole = mean_of(self.loops.losses.get(key, (None, None))[0])
            alone = mean_of(loss(y_true, y_pred))
            same = whole is not None and alone is not None and abs(whole - alone) <= 1e-5 * (1 + abs(alone))
            if model is self.subject.model and y_pred is outputs and same and len(noted.losses) == 1:
                self.watch.remember(self.subject, loss, self.optimizer)

    def record_loss(self, loss, y_true, y_pred):
        facts = loss_facts(loss)
        output, target = inside.first_tensor(y_pred), inside.first_tensor(y_true)
        if ("loss", facts["name"]) in self.subject.reported or output is None or target is None:
            return
        self.subject.reported.add(("loss", facts["name"]))
        shapes = [[int(size) for size in tensor.shape] for tensor in (output, target)]
        facts.update(output_shape=shapes[0], target_shape=shapes[1], target_dtype=dtype_of(target))
        if facts["kind"] in ELEMENTWISE:
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
            self.recorder.read_memory(self.recorder.step)
            if self.watch.properties is not None:
                self.watch.properties.stepped(self.subject)
        self.tell(loss, norm, count)
        loops.asked = False
        loops.close()

    def tell(self, loss, norm=None, backwards=None):
        loops, step = self.loops, self.recorder.step
        now = time.time()
        loops.note_loss(loss)
        facts = {"loss": loss, "optimizer": self.name, "gradient_norm": norm, "backwards": backwards}
        facts["epoch"] = loops.epoch
        if self.sampled and loops.noted is not None:
            facts["accuracy"] = accuracy_of(loops.noted.losses)
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


def accuracy_of(losses):
    """The share of right answers in what a loss over classes was given."""
    for loss, y_true, y_pred in losses:
        target, output = inside.array_of(first_of(y_true)), inside.array_of(first_of(y_pred))
        if loss_facts(loss)["kind"] != "cross-entropy" or target is None or output is None or output.ndim < 2:
            continue
        answers = output.argmax(axis=-1)
        wanted = target.argmax(axis=-1) if target.ndim == output.ndim and target.shape[-1] > 1 else target
        if wanted.size == answers.size:
            return float((answers.reshape(-1) == wanted.reshape(-1)).mean())
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
