"""Training loops that a program writes itself on TensorFlow 2: gradient tapes, optimizers, and functions of both.

In eager loops every application of gradients is a step, with the loss that the tape differentiated; on sampled steps
the layers' outputs are noted as the program itself computes them. Inside a ``tf.function`` nothing is touched: each
call of a function that was seen to train is a step, and its first number is taken for the loss.
"""

import functools
import sys
import time
import weakref

from .. import patches
from ..threads import TrainingThread
from . import datasets, inside, models, reductions, steps


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
        self.passing = None  # the data set that is being gone through
        self.passed = {}  # losses and first step of the pass
        self.epoch = None
        self.thread = TrainingThread()
        self.functions = {}  # functions that train: identity -> (weak reference, optimizer, variables)
        self.tracing = []

    def install(self, tensorflow):
        # Wrappers bear the module of what they wrap: AutoGraph, which rewrites what a function calls, passes them by.
        reductions.watch(self.watch.patches, tensorflow, self.recorder)
        self.patches.wrap(tensorflow.GradientTape, "__enter__", self.entering)
        self.patches.wrap(tensorflow.GradientTape, "gradient", self.differentiating)
        self.patches.wrap(type(tensorflow.function(lambda: None)), "__call__", self.calling)
        self.patches.wrap(tensorflow.data.Dataset, "__iter__", self.iterating)

    def watch_optimizer(self, kind):
        if "apply" in kind.__dict__ and hasattr(kind, "update_step"):
            self.patches.wrap(kind, "apply", functools.partial(self.applying, True))
        elif "apply_gradients" in kind.__dict__:
            self.patches.wrap(kind, "apply_gradients", functools.partial(self.applying, False))

    @property
    def following(self):
        """Whether calls are the program's own, made eagerly."""
        eagerly = getattr(sys.modules["tensorflow"], "executing_eagerly", None)
        return self.watch.watching and self.thread.is_here() and eagerly is not None and eagerly()

    # -- passes over data ----------------------------------------------------------------------------------------------

    def iterating(self, original):
        def __iter__(dataset):  # noqa: N807 (Python's own name)
            if self.following:
                with self.recorder.guard("a pass over data"):
                    self.end_pass()
                    self.passing = dataset
                    self.watch.pipelines.add(dataset, self.recorder.place(1))
            return original(dataset)

        return __iter__

    def leave_pass(self):
        """What trains from here on has data of its own."""
        self.end_pass()
        self.passing = None

    def note_loss(self, loss):
        """A step has been taken on the data set that is being gone through."""
        if self.passing is None:
            return
        if not self.passed:
            self.epoch = 0 if self.epoch is None else self.epoch + 1
            self.passed = {"losses": [], "began": time.time()}
            if self.epoch == 0:
                self.record_data()
        if loss is not None:
            self.passed["losses"].append(loss)

    def end_pass(self):
        """Another pass begins, or the program ends: if the last one trained, it was an epoch."""
        passed, self.passed = self.passed, {}
        if passed:
            losses = passed["losses"]
            self.recorder.emit(
                "epoch",
                epoch=self.epoch,
                step=max(self.recorder.step - 1, 0),
                loss=sum(losses) / len(losses) if losses else None,
                seconds=time.time() - passed["began"],
            )

    def record_data(self):
        found = datasets.open_up(self.passing, self.recorder)
        facts = {"batch_size": found.batch_size, "shuffled": found.shuffled, "drop_last": found.drop_last}
        if found.arrays is not None:
            facts.update(found.arrays.facts())
            if facts.pop("weights", None) is not None:  # of three parts and more only the loop knows what they are
                facts.pop("target", None), facts.pop("targets", None)
        elif found.samples is not None:
            facts["samples"] = found.samples
        self.recorder.emit("data", phase="train", **facts)

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
            self.noted = NotedForward(self.watch)
            self.noted.open()

    def differentiating(self, original):
        def gradient(tape, target, sources, *arguments, **named):
            if not self.following:
                return original(tape, target, sources, *arguments, **named)
            self.thread.trains()
            if self.noted is not None:
                self.noted.close()
            found = original(tape, target, sources, *arguments, **named)
            with self.recorder.guard("a gradient"):
                first = steps.first_of(sources)
                if first is not None:
                    _, count = self.losses.get(steps.key_of(first), (None, 0))
                    self.losses[steps.key_of(first)] = (steps.first_of(target), count + 1)
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
                step = steps.AppliedGradients(
                    self, optimizer, *steps.pairs_of(optimizer, apart, given, arguments, named)
                )
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
                self.recorder.limit("the training step is a tf.function, whose gradients cannot be observed")
                self.recorder.clock.begin()
                step = steps.AppliedGradients(self, known[1], (), known[2])
                step.introduce()
                step.tell(steps.first_number(answer))
        return answer

    def further_call(self, original, function, known, arguments, named):
        step = None
        with self.recorder.clock.work(), self.recorder.guard("the beginning of a step"):
            step = steps.AppliedGradients(self, known[1], (), known[2])
            step.begin_call(arguments)
        with self.watch.inside():
            answer = original(function, *arguments, **named)
        with self.recorder.clock.work(), self.recorder.guard("the end of a step"):
            if step is not None:
                step.end(steps.first_number(answer))
        self.watch.after_step()
        return answer

    def note_function(self, optimizer, apart, given, arguments, named):
        if self.tracing and not self.watch.depth and apart:
            function = self.tracing[-1]
            _, variables = steps.pairs_of(optimizer, apart, list(given), arguments, named)
            self.functions[id(function)] = (weakref.ref(function), optimizer, variables)
        elif self.tracing and not self.watch.depth:
            # The pairs may be an iterator that can be read only once: the models say what is trained.
            function = self.tracing[-1]
            self.functions[id(function)] = (weakref.ref(function), optimizer, ())

    def finish(self):
        self.end_pass()
        self.close()
        self.patches.undo()

    def close(self):
        if self.noted is not None:
            self.noted.close()
            self.noted = None


class NotedForward(object):
    """The forward pass of a sampled step: outputs of layers, the root's inputs, and what losses were given."""

    def __init__(self, watch):
        self.watch = watch
        self.views = []
        self.calls = []
        self.losses = []
        self.called = []  # models, with their edition
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
        whole = inside.InsideView()
        for view in self.views:
            whole.outputs.update(view.outputs)
            whole.inputs.update(view.inputs)
            whole.order.extend(view.order)
        return whole


class Rooted(inside.LayerCalls):
    """Keeps tensors as they are: they are turned into arrays only once it is known that the step was one."""

    def __init__(self, edition, noted):
        super(Rooted, self).__init__(edition, convert=lambda tensor: tensor)
        self.edition, self.noted = edition, noted

    def note(self, layer, arguments, outputs):
        with self.noted.watch.recorder.guard("the outputs of a layer"):  # the call that is noted is the program's own
            self.keep(layer, arguments, outputs)

    def keep(self, layer, arguments, outputs):
        if not hasattr(inside.first_tensor(outputs), "numpy"):
            return  # symbolic: a model is being built or a function traced
        if not self.noted.watch.loops.thread.is_here():
            return
        super(Rooted, self).note(layer, arguments, outputs)
        # Calls end from the inside out: the last model noted is the outermost.
        if models.is_model(layer):
            self.noted.called.append((self.edition, layer))
            self.noted.root = (layer, arguments[0] if arguments else None, outputs)
