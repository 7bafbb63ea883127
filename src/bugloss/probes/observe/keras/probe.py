"""Watches Keras train: Keras 3 on each backend, tf.keras 2.x and 1.x, and Keras up to 2.3 on TensorFlow 1.

``join(recorder)`` wraps, on the classes of every Keras in the process, how layers and optimizers are made, ``compile``,
``fit`` and its like, ``evaluate`` and ``predict``. Nothing the program computes is changed: batches pass through, no
random number is drawn, no name is taken, no operation is added to a graph of the user's.
"""

import contextlib
import functools
import inspect
import sys
import threading
import weakref

from .. import core, patches
from ..memory import resident_megabytes
from . import calls, compiled, logs, loops, models, sessions, steps
from . import data as sources
from . import edition as editions
from . import fit as fits
from . import graph as graphs
from . import nonfinite as trouble
from . import numbers as figures
from . import subject as subjects

MOST_SITES = 20000


def join(recorder):
    """Begins to watch; hooks come off when the recorder closes."""
    watch = KerasWatch(recorder)
    recorder.closers.append(watch.leave)
    recorder.namers.append(watch.name_of)
    for name in editions.TRAINING_MODULES:
        core.watch_import(name, watch.meet)
    core.watch_import("tensorflow", watch.meet_tensorflow)
    recorder.closers.append(logs.install(recorder))
    return watch


class KerasWatch(object):
    """Everything that is known of the Kerases, models and optimizers of this process."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.editions = []
        self.undo = []
        self.patches = patches.Patches()
        self.places = {}
        self.subjects = {}
        self.optimizers = {}
        self.gradients = graphs.Gradients()
        self.local = threading.local()
        self.started = False
        self.owners = {}
        self.loops = loops.Loops(self)
        self.sessions = sessions.Sessions(self)
        self.properties = self.property_probe()

    # -- hooks ---------------------------------------------------------------------------------------------------------

    def meet(self, module):
        """A Keras has been imported."""
        with self.recorder.guard("meeting Keras"):
            edition = editions.Edition(module)
            self.editions.append(edition)
            if edition.backend == "torch":
                self.recorder.leader = "keras"  # what Keras does with PyTorch is told by us alone
            self.watch_making(edition)
            for model in edition.models:
                self.watch_model(edition, model)
            tensorflow = sys.modules.get("tensorflow")
            if edition.backend == "tensorflow" and hasattr(tensorflow, "GradientTape") and not edition.standalone:
                for kind in edition.optimizers:
                    self.loops.watch_optimizer(kind)

    def meet_tensorflow(self, tensorflow):
        with self.recorder.guard("meeting TensorFlow"):
            self.sessions.install(tensorflow)
            if not str(tensorflow.__version__).startswith("1."):
                self.loops.install(tensorflow)

    def watch_making(self, edition):
        if edition.layer is None:
            return
        if edition.three:
            # Keras 3 warns from within __init__ about the line that called it: no frame may come between.
            self.wrap_new(edition.layer)
        else:
            # A network of old does not call the constructor of its base.
            for kind in [edition.layer, edition.network] + edition.models:
                self.wrap_init(kind)
        self.wrap_init(edition.loss)
        for kind in edition.optimizers:
            self.wrap_init(kind)
            if "get_gradients" in kind.__dict__:
                self.patches.wrap(kind, "get_gradients", self.noting_gradients)

    def watch_model(self, edition, kind):
        watched = {
            "compile": self.compiling,
            "fit": self.fitting,
            "fit_generator": self.fitting,
            "train_on_batch": self.stepping,
            "evaluate": self.evaluating,
            "evaluate_generator": self.evaluating,
            "predict": self.predicting,
        }
        for name, make in watched.items():
            # Keras 3 compares the compile of a model with its own: one that differs is not called on loading.
            owner = definer(kind, name) if name == "compile" and edition.three else kind
            if callable(getattr(kind, name, None)):
                self.patches.wrap(owner, name, functools.partial(make, edition))

    def wrap_init(self, kind):
        def make(original):
            def made(thing, *arguments, **named):
                self.note_place(thing)
                return original(thing, *arguments, **named)

            # Keras asks constructors for their arguments.
            made.__signature__ = inspect.signature(original)
            return made

        if kind is not None and "__init__" in kind.__dict__:
            self.patches.wrap(kind, "__init__", make)

    def wrap_new(self, kind):
        original = kind.__new__

        def made(cls, *arguments, **named):
            thing = original(cls, *arguments, **named)
            self.note_place(thing)
            return thing

        kind.__new__ = staticmethod(functools.update_wrapper(made, original))
        self.undo.append(lambda: setattr(kind, "__new__", staticmethod(original)))

    def leave(self):
        self.loops.finish()
        self.patches.undo()
        for undo in reversed(self.undo):
            with self.recorder.guard("taking hooks off"):
                undo()
        self.undo = []
        if self.properties is not None:
            with self.recorder.guard("property probes"):
                self.properties.try_all()

    # -- properties ----------------------------------------------------------------------------------------------------

    def property_probe(self):
        if not self.recorder.settings.get("properties"):
            return None
        return core.neighbour("keras.properties").KerasProperties(self.recorder)

    def remember(self, subject, loss=None, optimizer=None):
        """Before the first step of a model: what is needed to ask about its properties when the program is over."""
        if self.properties is not None:
            with self.recorder.guard("a copy for property probes"):
                self.properties.remember(subject, loss, optimizer)

    # -- where things were made ----------------------------------------------------------------------------------------

    def note_place(self, thing):
        if not self.recorder.active or len(self.places) > MOST_SITES or id(thing) in self.places:
            return
        with self.recorder.guard("where a layer is made"):
            key = id(thing)
            place = self.recorder.frames.place(2, passing=thing)
            self.places[key] = (weakref.ref(thing, lambda _: self.places.pop(key, None)), place)

    def place_of(self, thing):
        known = self.places.get(id(thing))
        return known[1] if known is not None and known[0]() is thing else None

    def site_of(self, thing):
        return self.recorder.site_of(self.place_of(thing))

    def name_of(self, thing):
        """The name of a layer, for the crash report."""
        for edition in self.editions:
            if edition.layer is not None and isinstance(thing, edition.layer) and not models.is_model(thing):
                return str(thing.name)
        return None

    # -- models and optimizers -----------------------------------------------------------------------------------------

    def subject_of(self, edition, model):
        known = self.subjects.get(id(model))
        if known is None or known.model is not model:
            known = subjects.WatchedModel(self, edition, model, len(self.subjects))
            self.subjects[id(model)] = known
        self.tell_started(edition)
        return known

    def tell_started(self, edition):
        if self.started:
            return
        self.started = True
        tensorflow = sys.modules.get("tensorflow")
        self.recorder.emit(
            "started",
            framework="keras",
            version=edition.version,
            backend=edition.backend,
            backend_version=edition.backend_version,
            python="%d.%d.%d" % sys.version_info[:3],
            accelerator=tensorflow is not None and editions.accelerator(tensorflow),
        )

    def tell_tensorflow(self):
        """A program that trains without Keras."""
        if not self.started:
            self.started = True
            version = str(sys.modules["tensorflow"].__version__)
            python = "%d.%d.%d" % sys.version_info[:3]
            facts = {"backend": "tensorflow", "backend_version": version, "python": python}
            self.recorder.emit("started", framework="keras", version="", **facts)

    def owner_of(self, variables):
        """The subject of the model that holds these variables; of several, the outermost."""
        wanted = frozenset(steps.key_of(variable) for variable in variables)
        known = self.owners.get(wanted)
        if known is None or known.model is None:
            known = self.owners[wanted] = self.find_owner(wanted)
        return known

    def find_owner(self, wanted):
        found = []
        for known, _ in list(self.places.values()):
            thing = known()
            if thing is not None and models.is_model(thing):
                owned = {steps.key_of(weight) for weight in models.weights_of(thing, "trainable_weights")}
                if owned & wanted or (not wanted and owned):
                    found.append((len(owned), thing))
        if not found:
            return None
        model = max(found, key=lambda pair: pair[0])[1]
        edition = next((edition for edition in self.editions if isinstance(model, edition.layer)), self.editions[0])
        return self.subject_of(edition, model)

    def optimizer_name(self, optimizer):
        """Its name, and whether it is new."""
        known = self.optimizers.get(id(optimizer))
        if known is not None and known[0] is optimizer:
            return known[1], False
        name = "optimizer-%d" % len(self.optimizers)
        self.optimizers[id(optimizer)] = (optimizer, name)
        return name, True

    def is_inner(self, model):
        """Whether a model is part of another one that was compiled."""
        for subject in list(self.subjects.values()):
            other = subject.model
            if other is not None and other is not model and subject.flags is not None:
                if any(part is model for part in models.inner_models(other)):
                    return True
        return False

    # -- calls ---------------------------------------------------------------------------------------------------------

    @property
    def depth(self):
        return getattr(self.local, "depth", 0)

    @contextlib.contextmanager
    def inside(self):
        """Within, further calls are Keras's own affair: what watches hand-written loops is out of their way."""
        if self.depth:
            yield
            return
        self.local.depth = 1
        try:
            with self.loops.patches.lifted():
                yield
        finally:
            self.local.depth = 0

    @property
    def watching(self):
        return self.recorder.active and not self.depth

    def compiling(self, edition, original):
        def compile(model, *arguments, **named):  # Keras's own name
            with self.inside():
                answer = original(model, *arguments, **named)
            if self.watching:
                with self.recorder.guard("compile"):
                    self.compiled(edition, model)
            return answer

        return compile

    def compiled(self, edition, model):
        subject = self.subject_of(edition, model)
        subject.flags = compiled.flags_of(model)
        subject.compile_place = place = self.recorder.place(2)
        losses = [models.loss_facts(loss)["name"] for loss in compiled.given_losses(models.attribute(model, "loss"))]
        self.recorder.occasion(
            "compile", place, model=subject.name, losses=losses, metrics=compiled.metric_names(model)
        )

    def noting_gradients(self, original):
        def get_gradients(optimizer, loss, params, *arguments, **named):
            found = original(optimizer, loss, params, *arguments, **named)
            with self.recorder.guard("noting gradients"):
                self.gradients.note(loss, params, found)
            return found

        return get_gradients

    def fitting(self, edition, original):
        names = list(inspect.signature(original).parameters)[1:]

        def fit(model, *arguments, **named):
            if not self.watching:
                return original(model, *arguments, **named)
            call = calls.CallArguments(names, arguments, named)
            run = calls.SeenFit(self, edition, model, call)
            with self.recorder.clock.work(), self.recorder.guard("the beginning of fit"):
                run.prepare()
            try:
                with self.inside():
                    return original(model, *call.arguments, **call.named)
            finally:
                with self.recorder.guard("the end of fit"):
                    run.finish()

        return fit

    def stepping(self, edition, original):
        names = list(inspect.signature(original).parameters)[1:]

        def train_on_batch(model, *arguments, **named):
            if not self.watching:
                return original(model, *arguments, **named)
            call = calls.CallArguments(names, arguments, named)
            single = calls.Single(self, edition, model, call)
            with self.recorder.clock.work(), self.recorder.guard("the beginning of train_on_batch"):
                with edition.as_compiled(model):
                    single.begin()
            with self.inside():
                answer = original(model, *arguments, **named)
            with self.recorder.clock.work(), self.recorder.guard("the end of train_on_batch"):
                single.end(answer)
            self.after_step()
            return answer

        return train_on_batch

    def evaluating(self, edition, original):
        names = list(inspect.signature(original).parameters)[1:]

        def evaluate(model, *arguments, **named):
            with self.inside():
                answer = original(model, *arguments, **named)
            if self.watching:
                with self.recorder.guard("evaluate"):
                    self.evaluated(edition, model, calls.CallArguments(names, arguments, named), answer)
            return answer

        return evaluate

    def evaluated(self, edition, model, call, answer):
        subject = self.subject_of(edition, model)
        values = calls.named_values(model, answer)
        inputs = sources.parts_of(call.get("x"))
        samples = len(inputs[0]) if inputs else 0
        size = call.get("batch_size") or 32
        self.recorder.emit(
            "evaluation",
            step=self.recorder.step,
            batches=-(-samples // size) if samples else int(call.get("steps") or 0),
            samples=samples,
            loss=values.get("loss"),
            accuracy=fits.accuracy_of(values),
            site=self.recorder.site(2),
        )
        subject.introduce()

    def predicting(self, edition, original):
        def predict(model, *arguments, **named):
            with self.inside():
                answer = original(model, *arguments, **named)
            if self.watching:
                with self.recorder.guard("predict"):
                    self.predicted(edition, model, answer)
            return answer

        return predict

    def predicted(self, edition, model, answer):
        outputs = answer[0] if isinstance(answer, (list, tuple)) and answer else answer
        numpy = sys.modules["numpy"]
        if not isinstance(outputs, numpy.ndarray) or outputs.dtype.kind != "f" or outputs.ndim < 1:
            return
        subject = self.subject_of(edition, model)
        if not subject.described:
            subject.introduce()
        self.recorder.emit(
            "evaluation",
            step=self.recorder.step,
            samples=len(outputs),
            output_spread=figures.spread(outputs[:4096]),
            predicted=figures.answers(outputs),
            site=self.recorder.site(2),
        )

    # -- steps ---------------------------------------------------------------------------------------------------------

    def locate(self, subject, step):
        """Names the first operation that made something not finite."""
        with self.recorder.clock.work(), self.recorder.guard("finding what is not finite"):
            trouble.locate(subject, step)

    def after_step(self):
        if self.recorder.active:
            self.recorder.stop_if_overdue()

    def tell_memory(self, step):
        self.recorder.emit("memory", step=step, megabytes=resident_megabytes())


def definer(kind, name):
    """The class that a method of this one is inherited from."""
    return next((base for base in kind.__mro__ if name in vars(base)), kind)
