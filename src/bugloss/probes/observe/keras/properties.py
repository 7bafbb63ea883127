"""Relations tried on copies of a Keras program's models once it is over.

``remember`` keeps the weights of a model from before its first step, one batch and how it was compiled; ``try_all``
makes a copy, asks it, and emits one "property" event an answer. The user's model, optimizer, graph, session and random
numbers are the same afterwards, to the bit.
"""

import contextlib
import logging
import random
import sys
import warnings

from .. import properties as shared
from ..relation import Untold
from . import data as sources
from . import fit as fits
from . import inside, models
from .asked import KerasSubject

MOST_MODELS = 3  # a search over many settings is judged by its first models
SEED = 4207849484


class ModelMemory(object):
    """A model before its first step: weights, a batch, how it is judged and how it learns."""

    def __init__(self, subject, loss=None, optimizer=None):
        self.subject, self.edition, self.model = subject, subject.edition, subject.model
        weights = list(self.model.weights)
        self.values = {id(weight): value for weight, value in zip(weights, self.edition.values(weights))}
        self.after = None  # their values after the first step, where it is one of the program's own loop
        self.looped = loss is not None
        self.weights = weights  # kept alive, so that no other takes its identity
        self.batch = subject.batch
        view = subject.view
        self.prediction = view.prediction if view is not None and subject.fresh else None
        self.loss = loss if loss is not None else models.attribute(self.model, "loss")
        self.loss_weights = loss_weights(self.model) if loss is None else None
        self.weight_mode = models.attribute(self.model, "sample_weight_mode") if self.edition.in_graph else None
        self.phase = fixed_phase(self.model) if self.edition.in_graph else None
        optimizer = models.attribute(self.model, "optimizer") if optimizer is None else optimizer
        optimizer = models.attribute(optimizer, "inner_optimizer") or optimizer
        self.rate = fits.rate_of(self.edition, optimizer)
        self.optimizer = kind_of(optimizer)

    def checked_batch(self):
        """At most 32 samples of (inputs, targets, sample weights), whole arrays all."""
        batch = self.batch or self.subject.batch
        if batch is None or not sources.parts_of(batch[0]):
            raise Untold("no batch was seen")
        batch = tuple(sources.take(part, slice(0, shared.MOST_SAMPLES)) for part in batch)
        if len(sources.parts_of(batch[0])[0]) < 2:
            raise Untold("the batch has only one sample")
        return batch

    def check(self):
        """What stands against asking copies of this model at all."""
        for _, layer in models.leaves(self.model):
            if getattr(layer, "stateful", False) and hasattr(layer, "reset_states"):
                raise Untold("layer %s keeps its state from batch to batch" % layer.name)
        strategy = getattr(self.model, "distribute_strategy", None)
        if getattr(strategy, "num_replicas_in_sync", 1) != 1:
            raise Untold("the model trains on several devices")


class KerasProperties(shared.Asking):
    """The subjects of one process, and the way they are taken."""

    def __init__(self, recorder):
        super(KerasProperties, self).__init__(recorder)
        self.edition = None

    def remember(self, subject, loss=None, optimizer=None):
        """Called before a model's first step; a loss and an optimizer are given where the model has none of its own."""
        if subject.name in self.subjects or len(self.subjects) >= MOST_MODELS or not self.fits(subject, loss):
            return
        self.subjects[subject.name] = KerasSubject(ModelMemory(subject, loss, optimizer))

    def stepped(self, subject):
        """Called after each step of a hand-written loop; the copy has the batch of the first one."""
        known = self.subjects.get(subject.name)
        if known is not None and known.memory.looped and known.memory.after is None:
            known.memory.after = known.memory.edition.values(known.memory.weights)

    def fits(self, subject, loss):
        weights = models.weights_of(subject.model)
        judged = loss is not None or models.attribute(subject.model, "loss") is not None
        return bool(weights) and judged and sum(map(models.size_of, weights)) <= shared.MOST_PARAMETERS

    def try_one(self, subject):
        self.edition = subject.memory.edition
        disabled = logging.root.manager.disable
        logging.disable(logging.CRITICAL)
        try:
            with warnings.catch_warnings(), inside.silence(True):
                warnings.simplefilter("ignore")
                super(KerasProperties, self).try_one(subject)
        finally:
            logging.disable(disabled)

    @contextlib.contextmanager
    def kept_random(self):
        restorers = [inside.restore_random(), inside.restore_seeds(self.edition), forget_new_seeds(self.edition)]
        if self.edition.backend == "tensorflow":
            restorers.extend([inside.restore_tensorflow(), seed_tensorflow()])
        elif self.edition.backend == "torch":
            restorers.append(inside.restore_torch())
        restorers.append(restore_names(self.edition))
        random.seed(SEED)
        sys.modules["numpy"].random.seed(SEED)
        try:
            yield
        finally:
            for restore in reversed(restorers):
                restore()


def seed_tensorflow():
    """Operations of ours are seeded the same in every program; ``set_seed`` would clear what the user's remember."""
    holder = sys.modules.get("tensorflow.python.eager.context")
    context = holder.context() if holder is not None else None
    if context is None or not hasattr(context, "_seed"):
        return lambda: None
    kept = context._seed, getattr(context, "_rng", None)
    context._seed, context._rng = SEED, random.Random(SEED)

    def restore():
        context._seed, context._rng = kept

    return restore


def forget_new_seeds(edition):
    """A generator that Keras makes when it is first needed was not there before."""
    shared_state = sys.modules.get(edition.root + ".backend.common.global_state")
    generators = sys.modules.get("tensorflow.python.ops.stateful_random_ops")
    made = shared_state is not None and shared_state.get_global_attribute("global_seed_generator") is None
    first = generators is not None and getattr(generators, "global_generator", None) is None

    def restore():
        if made:
            shared_state.set_global_attribute("global_seed_generator", None)
        if first:
            generators.global_generator = None

    return restore


def restore_names(edition):
    """The counters that names of layers without one are made from."""
    state = sys.modules.get(edition.root + ".backend.common.global_state")
    kept = state.get_global_attribute("object_name_uids") if state is not None else None
    found = [kept] if kept is not None else []
    by_graph = getattr(edition.backend_module, "PER_GRAPH_OBJECT_NAME_UIDS", None)
    found.extend(by_graph.values() if by_graph is not None else [])
    before = [(counters, dict(counters)) for counters in found]

    def restore():
        for counters, counts in before:
            counters.clear()
            counters.update(counts)

    return restore


def loss_weights(model):
    """What was given to compile, wherever this Keras keeps it."""
    found = models.attribute(model, "loss_weights")
    for holder in ("_compile_loss", "compiled_loss"):
        if found is None:
            found = models.attribute(models.attribute(model, holder), "_user_loss_weights")
    return found


def fixed_phase(model):
    """Whether training mode was fixed for the model's graph: 0 or 1; None where every call has its own."""
    for name in ("tensorflow.python.keras.backend", "tensorflow_core.python.keras.backend", "keras.backend"):
        phases = getattr(sys.modules.get(name), "_GRAPH_LEARNING_PHASES", None)
        known = phases.get(model.outputs[0].graph) if phases is not None and model.outputs else None
        if isinstance(known, int):
            return known
    return None


def kind_of(optimizer):
    """The class of an optimizer and its settings; nothing where it cannot tell them."""
    try:
        return type(optimizer), dict(optimizer.get_config())
    except Exception:
        return None, {}
