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

from .. import core, imports, patches
from . import edition as editions
from . import entries, followers, late_batches, ledger, logs, loops, models, pipelines, sessions, steps
from . import graph as graphs
from . import nonfinite as trouble
from . import subject as subjects

MOST_SITES = 20000


def join(recorder):
    """Begins to watch; hooks come off when the recorder closes."""
    watch = KerasWatch(recorder)
    recorder.closers.append(watch.leave)
    recorder.namers.append(watch.name_of)
    for name in editions.TRAINING_MODULES:
        imports.watch_import(name, watch.meet)
    imports.watch_import("tensorflow", watch.meet_tensorflow)
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
        self.ledger = ledger.SampleLedger(recorder)
        self.late = late_batches.LateBatches(recorder, self.ledger)
        self.followers = followers.Followers(self)
        self.pipelines = pipelines.PipelineBook(recorder)
        self.loops = loops.Loops(self)
        self.sessions = sessions.Sessions(self)
        self.model_calls = entries.ModelCalls(self)
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
                self.model_calls.install(edition, model)
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
        self.late.draw()
        for part in (self.ledger, self.followers):
            with self.recorder.guard("what became of samples and copies"):
                part.finish()
        self.patches.undo()
        for undo in reversed(self.undo):
            with self.recorder.guard("removing hooks"):
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
        with self.recorder.guard("where a layer is created"):
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
        self.record_started(edition)
        return known

    def record_started(self, edition):
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

    def record_tensorflow(self):
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

    def noting_gradients(self, original):
        def get_gradients(optimizer, loss, params, *arguments, **named):
            found = original(optimizer, loss, params, *arguments, **named)
            with self.recorder.guard("noting gradients"):
                self.gradients.note(loss, params, found)
            return found

        return get_gradients

    # -- steps ---------------------------------------------------------------------------------------------------------

    def locate(self, subject, step):
        """Names the first operation that made something not finite."""
        with self.recorder.clock.work(), self.recorder.guard("finding the first NaN or infinity"):
            trouble.locate(subject, step)

    def after_step(self):
        if self.recorder.active:
            self.recorder.stop_if_overdue()
