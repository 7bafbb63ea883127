"""One Keras model under observation: what it is made of, and what its layers look like on sampled steps."""

import sys
import weakref
from typing import Any

from . import data as sources
from . import graph as graphs
from . import inside, models
from . import numbers as figures

MOST_PARAMETERS = 60000000  # beyond this weights are not copied
RUNNING = ("moving_mean", "moving_variance")


class WatchedModel(object):
    """Describes, reads and looks into one model; holds it weakly."""

    def __init__(self, watch, edition, model, number):
        self.watch, self.edition = watch, edition
        self.recorder = watch.recorder
        self.name = "model-%d" % number
        self.held = weakref.ref(model)
        self.flags = None  # trainable flags at the time of compile
        self.compile_place = None
        self.data_place = None
        self.arrays = None  # training data given as arrays
        self.batch = None  # a fixed small batch of (inputs, targets, weights)
        self.batch_facts = None
        self.described = None
        self.view: Any = None
        self.fresh = False  # whether the view is of the weights as they are
        self.doubt = None  # why it could not be called; told once the program's own call works, else its batch is bad
        self.order: Any = None
        self.copy: Any = None
        self.before = None
        self.good = None  # (variables, values) of the last sample whose weights were all finite
        self.reported = set()
        self.troubled = False  # something is not finite, and it has been told

    @property
    def model(self):
        return self.held()

    @property
    def in_graph(self):
        return self.edition.in_graph

    def introduce(self):
        """Writes what the model is made of, where that has changed since it was last written."""
        # In a graph every layer of a model is part of it; elsewhere a look has shown which are called.
        used = set(self.order) if self.order and not self.in_graph else None
        facts = models.describe(self.model, self.watch.site_of, used)
        if self.order:
            facts["layers"] = self.by_use(facts["layers"])
        if not facts["output_activation"] and self.order:
            facts["output_activation"] = self.last_activation()
        if facts != self.described and facts["layers"]:
            self.described = facts
            self.recorder.emit("model", model=self.name, step=self.recorder.step, **facts)

    def by_use(self, layers):
        """A model of the user's own lists its layers as they were made; the order of computation says more."""
        if models.of_library(self.model):
            return layers
        place = {key: index for index, key in enumerate(self.order)}
        names = {name: place.get(id(layer), len(place)) for name, layer in models.leaves(self.model)}
        return sorted(layers, key=lambda layer: names.get(layer["name"], len(place)))

    def last_activation(self):
        """The activation of the layer that was called last, where a model of the user's ends with one."""
        known = {id(layer): layer for _, layer in models.leaves(self.model)}
        used = [known[key] for key in self.order if key in known]
        last = next((layer for layer in reversed(used) if type(layer).__name__ not in models.TRANSPARENT), None)
        shape = getattr(self.view.outputs.get(id(last)), "shape", None) if self.view is not None else None
        same = self.view is not None and shape == getattr(self.view.prediction, "shape", ())
        return models.activation_of(last) if last is not None and same else ""

    def tensors(self):
        """(leaf's name, leaf, [(role, variable)]) for every leaf with weights."""
        found = []
        for name, layer in models.leaves(self.model):
            own = [
                ("running" if models.short_name(variable) in RUNNING else role, variable)
                for role, variable in models.tensors_of(layer, "weights")
                if "float" in str(getattr(variable, "dtype", ""))
            ]
            found.append((name, layer, own))
        return found

    def read(self):
        """The weights of every leaf as they are now: {leaf's name: [(role, array)]}."""
        tensors = self.tensors()
        variables = [variable for _, _, own in tensors for _, variable in own]
        if sum(models.size_of(variable) for variable in variables) > MOST_PARAMETERS:
            self.recorder.limit("the model has more than %d million weights" % (MOST_PARAMETERS // 1000000))
            return {}
        values = iter(self.edition.values(variables))
        return {name: [(role, next(values)) for role, _ in own] for name, _, own in tensors}

    def can_look(self):
        """Whether calling the model on our batch is safe: built, stateless between batches, on one device."""
        model = self.model
        if self.batch is None or not self.recorder.works("looking inside " + self.name):
            return False
        if not getattr(model, "built", True) or any(
            getattr(layer, "stateful", False) and hasattr(layer, "reset_states") for _, layer in models.leaves(model)
        ):
            return False
        strategy = getattr(model, "distribute_strategy", None)
        return getattr(strategy, "num_replicas_in_sync", 1) == 1

    def look(self, gradients=True, batch=None):
        """A view of the model on the fixed batch, or None."""
        self.view, self.fresh = None, batch is None
        if not self.can_look():
            return None
        try:
            with self.watch.inside():
                self.view = self.look_inside(gradients, batch or self.batch)
        except Exception as error:
            self.doubt = error
        if self.view is not None and self.order is None and self.view.order:
            self.order = list(self.view.order)
        return self.view

    def look_inside(self, gradients, batch):
        if self.in_graph:
            return self.look_graph(gradients, batch)
        quiet = not all(models.of_library(layer) for _, layer in models.leaves(self.model))
        quiet = quiet or not models.of_library(self.model)
        return inside.look(self.edition, self.model, batch, gradients, quiet)

    def look_graph(self, gradients, batch, values=None):
        copy = self.graph_copy()
        given = values if values is not None else self.edition.values(copy.variables)
        return copy.look(given, batch, gradients)

    def graph_copy(self):
        model = self.model
        known = self.watch.gradients.names.get(model.total_loss.name)
        stale = self.copy is None or self.copy.loss != model.total_loss.name
        if stale or (known and not self.copy.gradients):
            layers = [layer for _, layer in models.leaves(model)]
            self.copy = graphs.ImportedGraph(sys.modules["tensorflow"], model, layers, self.watch.gradients)
        return self.copy

    def begin_sample(self):
        """Before the step: weights, and a look inside."""
        self.before = self.read()
        if not self.fresh:
            self.look()
        self.fresh = False
        self.remember_good()

    def remember_good(self):
        if self.before and not any(
            figures.not_finite([array for _, array in tensors]) for tensors in self.before.values()
        ):
            self.good = self.before

    def end_sample(self, step):
        """After the step: how far it moved the weights. Writes the sample. Returns the norm of all gradients."""
        self.fresh = False
        doubt, self.doubt = self.doubt, None
        if doubt is not None:
            self.recorder.fail("looking inside " + self.name, doubt)
        if self.before is None:
            return None
        after, before, self.before = self.read(), self.before, None
        layers = {}
        for name, layer, own in self.tensors():
            numbers = self.layer_numbers(name, layer, own, before, after)
            if numbers:
                layers[name] = numbers
        if layers:
            self.recorder.emit("sample", step=step, model=self.name, layers=layers)
        self.record_batch(step)
        return self.gradient_norm()

    def gradient_norm(self):
        if self.view is None or not self.view.gradients:
            return None
        total = 0.0
        for array in self.view.gradients.values():
            mean = figures.rms([array])
            total += mean * mean * array.size if mean is not None else 0.0
        return total**0.5

    def layer_numbers(self, name, layer, own, before, after):
        facts = {}
        tensors = [pair for pair in before.get(name, ()) if pair[0] != "running"]
        if tensors:
            facts.update(figures.weight_numbers(tensors))
            facts.update(
                figures.update_numbers(tensors, [pair for pair in after.get(name, ()) if pair[0] != "running"])
            )
        if self.view is not None:
            found = [self.view.gradients.get(id(variable)) for _, variable in own]
            facts.update(figures.gradient_numbers([array for array in found if array is not None]))
            facts.update(self.output_numbers(layer))
        running = {
            models.short_name(variable): value
            for (role, variable), (_, value) in zip(own, before.get(name, ()))
            if role == "running"
        }
        facts.update(self.norm_numbers(layer, running))
        return facts

    def output_numbers(self, layer):
        output = self.view.outputs.get(id(layer))
        if output is None:
            return {}
        recurrent = type(layer).__name__ in models.RECURRENT
        activation = "" if recurrent else models.activation_of(layer)
        first = models.attribute(layer, "data_format") == "channels_first"
        return figures.output_numbers(output, activation, first)

    def norm_numbers(self, layer, running):
        """Running statistics of a batch norm, and how far they are from those of our batch."""
        numpy = sys.modules["numpy"]
        variance, mean = running.get("moving_variance"), running.get("moving_mean")
        if variance is None or not variance.size:
            return {}
        facts: dict[str, Any] = {"running_variance": [float(variance.min()), float(variance.max())]}
        given = self.view.inputs.get(id(layer)) if self.view is not None else None
        if given is not None and mean is not None and given.dtype.kind == "f":
            axis = models.attribute(layer, "axis")
            axis = axis[0] if isinstance(axis, (list, tuple)) else axis
            rows = numpy.moveaxis(given, axis if isinstance(axis, int) else -1, -1)
            rows = rows.reshape(-1, rows.shape[-1]).astype("float64")
            deviation = rows.std(axis=0)
            moving = deviation > 0
            if rows.shape[-1] == mean.size and moving.any():
                gaps = numpy.abs(mean - rows.mean(axis=0))[moving] / deviation[moving]
                facts["running_mean_gap"] = float(gaps.max())
        return facts

    def record_batch(self, step):
        """Our fixed batch, as the model answers it now."""
        if self.batch is None:
            return
        if self.batch_facts is None:
            self.batch_facts = sources.batch_facts(*self.batch) or {}
        if not self.batch_facts:
            return
        facts = dict(self.batch_facts)
        # The samples stay the same; their hashes are told once.
        self.batch_facts["features"] = [dict(part, hashes=[]) for part in facts.get("features", ())]
        prediction = self.view.prediction if self.view is not None else None
        if prediction is not None:
            facts["outputs"] = figures.numbers(prediction)
            facts["output_spread"] = figures.spread(prediction)
        self.recorder.emit("batch", step=step, phase="train", **facts)

    def targets_given(self):
        """The targets as the user gave them, as many samples as our batch has."""
        if self.arrays is not None and self.arrays.targets:
            return [part[: len(self.batch_rows())] for part in self.arrays.targets]
        return sources.parts_of(self.batch[1]) or [] if self.batch is not None else []

    def batch_rows(self):
        parts = sources.parts_of(self.batch[0]) if self.batch is not None else None
        return parts[0] if parts else ()

    def give_arrays(self, arrays):
        """Training data: a fixed batch is taken from them once."""
        self.arrays = arrays
        if arrays is not None and arrays.known and arrays.samples:
            self.give_batch(arrays.probe(self.probe_size(arrays.inputs[0])))

    def give_batch(self, batch):
        self.batch = tuple(self.prepared(part) for part in batch)
        self.batch_facts = None

    def prepared(self, part):
        return inside.mapped(self.precision, part)

    def precision(self, array):
        """Keras trains in its own float type whatever the arrays hold."""
        wanted = self.edition.floatx
        return array.astype(wanted) if str(getattr(array, "dtype", "")) == "float64" != wanted else array

    def probe_size(self, array):
        """Fewer samples where each is large; exactly as many as the model insists on."""
        fixed = models.attribute(self.model, "input_shape")
        if isinstance(fixed, tuple) and fixed and isinstance(fixed[0], int):
            return fixed[0]
        values = array.size // max(len(array), 1)
        for limit, size in ((50000, 8), (10000, 16), (2000, 32)):
            if values > limit:
                return size
        return sources.PROBE_ROWS
