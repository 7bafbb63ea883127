"""Sessions of TensorFlow 1 that a program runs itself: a run that fetches a training operation is a step.

``compute_gradients`` and ``apply_gradients`` of the optimizers are noted, so that a run is known for a step and its
loss is known among what is fetched. The user's runs fetch exactly what they fetch without us.
"""

import sys
import time
from typing import Any

from . import compiled, models
from . import data as sources
from . import graph as graphs
from . import numbers as figures
from . import scope as scopes

RATES = ("_lr", "_learning_rate")
SETTINGS = {
    "_momentum": "momentum", "_epsilon": "epsilon", "_beta1": "beta_1", "_beta2": "beta_2", "_decay": "rho",
    "_rho": "rho", "_use_nesterov": "nesterov",
}  # fmt: skip


class Trainer(object):
    """A training operation: the optimizer, its pairs of gradient and variable, and the loss they come from."""

    def __init__(self, optimizer, pairs, loss, place):
        self.optimizer, self.pairs, self.loss, self.place = optimizer, pairs, loss, place


class Sessions(object):
    """Follows sessions of one process."""

    def __init__(self, watch):
        self.watch, self.recorder = watch, watch.recorder
        self.losses = {}  # (graph, name of a variable) -> loss
        self.trainers = {}  # (graph, name of an operation) -> Trainer, or None where it is none
        self.courses = {}
        self.found = False

    def install(self, tensorflow):
        compat = getattr(tensorflow.compat, "v1", tensorflow)
        optimizer = compat.train.Optimizer
        self.watch.patches.wrap(optimizer, "compute_gradients", self.computing)
        self.watch.patches.wrap(optimizer, "apply_gradients", self.applying)
        session = next(kind for kind in compat.Session.__mro__ if "run" in kind.__dict__)
        self.watch.patches.wrap(session, "run", self.running)

    def computing(self, original):
        def compute_gradients(optimizer, loss, *arguments, **named):
            pairs = original(optimizer, loss, *arguments, **named)
            with self.recorder.guard("noting gradients"):
                if hasattr(loss, "graph"):
                    for _, variable in pairs:
                        self.losses[(id(loss.graph), variable.name)] = loss
                    kept = [pair for pair in pairs if pair[0] is not None]
                    self.watch.gradients.note(loss, [pair[1] for pair in kept], [pair[0] for pair in kept])
            return pairs

        return compute_gradients

    def applying(self, original):
        def apply_gradients(optimizer, grads_and_vars, *arguments, **named):
            pairs = list(grads_and_vars)
            operation = original(optimizer, pairs, *arguments, **named)
            with self.recorder.guard("noting a training operation"):
                if hasattr(operation, "graph") and pairs and not self.watch.depth:
                    key = id(operation.graph)
                    loss = self.losses.get((key, pairs[0][1].name))
                    self.trainers[(key, operation.name)] = Trainer(optimizer, pairs, loss, self.recorder.place(1))
                    self.found = True
            return operation

        return apply_gradients

    def running(self, original):
        def run(session, fetches, *arguments, **named):
            if not self.found or not self.watch.watching:
                return original(session, fetches, *arguments, **named)
            trainer = None
            with self.recorder.guard("looking for a step"):
                trainer = self.trainer_in(session, fetches)
            if trainer is None:
                return original(session, fetches, *arguments, **named)
            feed = arguments[0] if arguments else named.get("feed_dict")
            return self.step(original, session, fetches, trainer, feed, arguments, named)

        return run

    def trainer_in(self, session, fetches):
        for fetch in flat(fetches):
            operation = getattr(fetch, "op", fetch)
            name = getattr(operation, "name", None)
            if name is None or not hasattr(operation, "control_inputs"):
                continue
            key = (id(session.graph), name)
            if key not in self.trainers:
                # A group of operations waits for those in it.
                inner = [self.trainers.get((key[0], other.name)) for other in operation.control_inputs]
                self.trainers[key] = next((trainer for trainer in inner if trainer is not None), None)
            if self.trainers[key] is not None:
                return self.trainers[key]
        return None

    def step(self, original, session, fetches, trainer, feed, arguments, named):
        course = None
        with self.recorder.clock.work(), self.recorder.guard("the beginning of a step"):
            course = self.course_of(trainer, original)
            course.begin(session, feed)
        with self.watch.inside():
            answer = original(session, fetches, *arguments, **named)
        with self.recorder.clock.work(), self.recorder.guard("the end of a step"):
            if course is not None:
                course.end(session, value_of(fetches, answer, trainer.loss), feed)
        self.watch.after_step()
        return answer

    def course_of(self, trainer, original):
        known = self.courses.get(id(trainer))
        if known is None:
            known = self.courses[id(trainer)] = Course(self, trainer, original)
        return known


class Course(object):
    """The course of training that one training operation takes."""

    def __init__(self, sessions, trainer, run):
        self.watch, self.recorder = sessions.watch, sessions.recorder
        self.trainer, self.run = trainer, run
        self.scope = scopes.OptimizerScope(trainer)
        self.name = "model-%d" % len(self.watch.subjects)
        self.watch.subjects[id(self)] = self
        self.flags = self.model = None  # it is no Keras model
        self.part: Any = None
        self.before: Any = None
        self.view: Any = None
        self.ended = None
        self.sampled = self.introduced = self.loss_facts = self.troubled = False

    def introduce(self):
        self.introduced = True
        self.watch.record_tensorflow()
        facts = scopes.describe(self.scope, self.site_of)
        self.recorder.emit("model", model=self.name, step=self.recorder.step, **facts)
        self.optimizer, _ = self.watch.optimizer_name(self.trainer.optimizer)
        self.recorder.emit(
            "optimizer",
            optimizer=self.optimizer,
            kind=type(self.trainer.optimizer).__name__.replace("Optimizer", ""),
            settings=self.settings(),
            site=self.recorder.site_of(self.trainer.place),
            parameters=len(self.trainer.pairs),
        )

    def settings(self):
        facts = {}
        optimizer = self.trainer.optimizer
        for name in RATES:
            rate = models.plain(models.attribute(optimizer, name))
            if isinstance(rate, (int, float)):
                facts["learning_rate"] = compiled.written(rate)
        for name, called in SETTINGS.items():
            value = models.plain(models.attribute(optimizer, name))
            if isinstance(value, (int, float)) and value is not False:
                facts[called] = value
        return facts

    def record_loss(self, feed):
        """Once, with the shapes of the first batch that was looked at."""
        if self.scope.loss is None or self.loss_facts:
            return
        self.loss_facts = True
        facts = dict(self.scope.head[0]) if self.scope.head is not None else {"kind": "custom", "name": "loss"}
        if self.view is not None and self.view.prediction is not None:
            facts["output_shape"] = [int(size) for size in self.view.prediction.shape]
        for target in self.labels_in(feed)[:1]:
            facts.update(target_shape=[int(size) for size in target.shape], target_dtype=str(target.dtype))
        self.recorder.emit("loss-function", site=self.site_of(self.scope.loss.op), **facts)

    def labels_in(self, feed):
        """What is fed of that which the loss compares the answers with."""
        labels = self.scope.placeholders(self.scope.head[2]) if self.scope.head is not None else []
        found = [sources.array_of(value) for key, value in feed.items() if name_of(key) in labels]
        return [array for array in found if array is not None and array.ndim]

    def site_of(self, operation):
        """The user's line that made an operation: TensorFlow keeps the whole stack."""
        for frame in reversed(list(operation.traceback or ())):
            filename, line, function = frame[0], frame[1], frame[2]
            if self.recorder.frames.owns(filename):
                return self.recorder.site_of((filename, line, function))
        return None

    def begin(self, session, feed):
        self.sampled = self.recorder.clock.due(self.recorder.step)
        if not self.introduced:
            self.introduce()
        self.began = time.time()
        if not self.sampled:
            return
        self.before = self.read(session)
        self.view = self.look(session, feed or {})
        self.record_loss(feed or {})

    def read(self, session):
        variables = [variable for group in self.scope.groups for variable in group.variables]
        values = iter(self.run(session, variables))
        return {
            group.name: [(models.role_of(variable), next(values)) for variable in group.variables]
            for group in self.scope.groups
        }

    def look(self, session, feed):
        """Runs our copy of the graph on the batch that the user is about to run."""
        if self.scope.loss is None or not self.recorder.works("looking inside " + self.name):
            return None
        with self.watch.inside(), self.recorder.guard("looking inside " + self.name):
            if self.part is None:
                self.part = graphs.GraphPart(sys.modules["tensorflow"], self.scope.graph, self.scope.goals())
            if self.part.waits:
                return None
            values = self.run(session, self.part.variables)
            named = {name_of(key): value for key, value in feed.items()}
            return scopes.look(self.part, self.scope, values, named)
        return None

    def end(self, session, loss, feed):
        step, now = self.recorder.step, time.time()
        facts = {"loss": loss, "optimizer": self.optimizer, "seconds": now - (self.ended or self.began)}
        facts["learning_rate"] = self.settings().get("learning_rate")
        self.ended = now
        if self.sampled and self.before is not None:
            self.record_sample(session, step)
            facts["batch"] = self.record_batch(step, feed or {})
        self.recorder.emit("step", step=step, **facts)
        self.recorder.step = step + 1
        if loss is not None and (loss != loss or abs(loss) == float("inf")) and not self.troubled:
            self.troubled = True
            self.record_trouble(step)

    def record_sample(self, session, step):
        after, view = self.read(session), self.view
        layers = {}
        for group in self.scope.groups:
            seen = view if view is not None else scopes.InsideView()
            layers[group.name] = scopes.layer_numbers(group, self.before[group.name], after[group.name], seen)
        self.recorder.emit("sample", step=step, model=self.name, layers=layers)
        self.recorder.read_memory(step)
        self.before = None

    def record_batch(self, step, feed):
        """What was fed."""
        targets = self.labels_in(feed)
        arrays = [sources.array_of(value) for value in feed.values()]
        inputs = [
            array
            for array in arrays
            if array is not None and array.ndim > 1 and not any(array is target for target in targets)
        ]
        if not inputs:
            return None
        facts = sources.batch_facts(inputs, targets or None)
        if facts is None:
            return None
        if self.view is not None and self.view.prediction is not None:
            facts["outputs"] = figures.numbers(self.view.prediction)
            facts["output_spread"] = figures.spread(self.view.prediction)
        self.recorder.emit("batch", step=step, phase="train", **facts)
        return facts["size"]

    def record_trouble(self, step):
        """The first group whose output is not finite in the last look, else the loss itself."""
        view = self.view
        for group in self.scope.groups if view is not None else ():
            output = view.outputs.get(group.name)
            if output is not None and figures.not_finite([output]):
                site = self.site_of(group.variables[0].op)
                facts = {"direction": "forward", "layer": group.name, "operation": group.activation, "site": site}
                self.recorder.emit("nonfinite", step=step, **facts)
                return
        site = self.site_of(self.scope.loss.op) if self.scope.loss is not None else None
        self.recorder.emit("nonfinite", step=step, direction="loss", operation="loss", site=site)


def flat(fetches):
    if isinstance(fetches, (list, tuple)):
        return [part for fetch in fetches for part in flat(fetch)]
    if isinstance(fetches, dict):
        return [part for fetch in fetches.values() for part in flat(fetch)]
    return [fetches]


def value_of(fetches, answer, tensor):
    """The value of a tensor among what was fetched, None where it was not."""
    if tensor is None:
        return None
    if isinstance(fetches, (list, tuple)):
        found = (value_of(fetch, part, tensor) for fetch, part in zip(fetches, answer))
        return next((value for value in found if value is not None), None)
    if isinstance(fetches, dict):
        found = (value_of(fetches[key], answer[key], tensor) for key in fetches)
        return next((value for value in found if value is not None), None)
    if fetches is tensor or getattr(fetches, "name", fetches) == tensor.name:
        return float(answer) if getattr(answer, "size", 1) == 1 else float(answer.mean())
    return None


def name_of(key):
    return getattr(key, "name", key)
