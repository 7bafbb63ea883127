"""Looks inside a Keras model that lives in a graph: Keras 2 on TensorFlow 1, and tf.keras without eager execution.

Nothing is added to the user's graph and nothing runs in the user's session but the reading of variables. The part of
the graph that makes the loss, the layers' outputs and the gradients is imported into a graph of our own, with the
weights copied; it runs there in a session of its own, so that random operations of the user's keep their state.
"""

import sys
from typing import Any

from .edition import without_rewriting
from .inside import InsideView

WAITING = ("Queue", "Iterator", "Dataset", "Reader", "PyFunc", "Barrier", "Stage", "Save", "Write", "Print")


class Gradients(object):
    """Remembers which tensors hold the gradients that an optimizer asked for, loss by loss."""

    def __init__(self):
        self.names = {}

    def note(self, loss, parameters, gradients):
        """Called with what ``get_gradients`` was given and returned."""
        found = self.names.setdefault(getattr(loss, "name", ""), {})
        for parameter, gradient in zip(parameters, gradients):
            name = getattr(parameter, "name", None)
            if name and gradient is not None:
                found[name] = tensor_names(gradient)


def tensor_names(gradient):
    """The name of a dense gradient, or those of values and rows of an embedding's."""
    if hasattr(gradient, "indices"):
        return gradient.values.name, gradient.indices.name
    return (gradient.name,)


class GraphPart(object):
    """The part of a graph that some tensors depend on, imported into a graph of its own with a session of its own."""

    def __init__(self, tensorflow, graph, goals):
        self.compat = getattr(tensorflow.compat, "v1", tensorflow)
        definition = graph.as_graph_def()
        nodes = {node.name: node for node in definition.node}
        goals = {name.split(":")[0] for name in goals}
        inside = ancestors(nodes, goals)
        self.kinds = {nodes[name].op for name in inside}
        self.phases = [name + ":0" for name in inside if name.split("/")[-1] == "keras_learning_phase"]
        with graph.as_default():
            variables = self.compat.global_variables()
        self.variables = [variable for variable in variables if variable.op.name in inside]
        inside = ancestors(nodes, goals | {variable.initializer.name for variable in self.variables})
        part = self.compat.GraphDef(versions=definition.versions, library=definition.library)
        part.node.extend(node for node in definition.node if node.name in inside)
        self.copy = self.compat.Graph()
        with self.copy.as_default():
            self.compat.import_graph_def(part, name="")
        # Soft placement, and no accelerator: the user's own training has that.
        config = self.compat.ConfigProto(allow_soft_placement=True, device_count={"GPU": 0})
        without_rewriting(config)
        config.graph_options.optimizer_options.opt_level = -1
        self.session = self.compat.Session(graph=self.copy, config=config)

    def load(self, values):
        """Gives the copied variables these values, in the order of ``variables``."""
        assignments, feed = [], {}
        for variable, value in zip(self.variables, values):
            operation = self.copy.get_operation_by_name(variable.initializer.name)
            assignments.append(operation)
            feed[operation.inputs[1]] = value
        if assignments:
            self.session.run(assignments, feed)

    def tensor(self, name):
        return self.copy.get_tensor_by_name(name)

    @property
    def waits(self):
        """Whether the part takes from queues or iterators, or runs Python: that must not happen a second time."""
        return any(word in kind for kind in self.kinds for word in WAITING)


class ImportedGraph(object):
    """A Keras model's graph, copied; ``look`` runs it with given weights."""

    def __init__(self, tensorflow, model, layers, gradients):
        self.model = model
        self.layers = dict(self.outputs_of(layers))
        self.norms = dict(self.inputs_of(layers))
        self.loss = model.total_loss.name
        self.prediction = model.outputs[0].name
        found = gradients.names.get(self.loss, {})
        self.gradients = {id(variable): found[variable.name] for variable in trained(model) if variable.name in found}
        self.feeds = self.feeds_of(model)
        # Reading ``losses`` of tf.keras makes new tensors; those of Keras are there already.
        own = type(model).__module__.split(".")[0] == "keras"
        self.penalties = [penalty.name for penalty in model.losses if hasattr(penalty, "name")] if own else []
        fed = [name for name in self.feeds["targets"] + self.feeds["weights"] if name]
        self.part = GraphPart(tensorflow, model.total_loss.graph, self.wanted() + fed)
        self.variables = self.part.variables

    def outputs_of(self, layers):
        for layer in layers:
            node = self.node_of(layer)
            if node is not None:
                tensors = node.output_tensors
                tensor = tensors[0] if isinstance(tensors, (list, tuple)) else tensors
                yield id(layer), tensor.name

    def inputs_of(self, layers):
        for layer in layers:
            node = self.node_of(layer) if "BatchNorm" in type(layer).__name__ else None
            if node is not None:
                tensors = node.input_tensors
                tensor = tensors[0] if isinstance(tensors, (list, tuple)) else tensors
                yield id(layer), tensor.name

    def node_of(self, layer):
        """The place of a layer in this model's own graph of layers; a layer may serve several models."""
        nodes = getattr(layer, "_inbound_nodes", None) or getattr(layer, "inbound_nodes", None) or []
        own = getattr(self.model, "_network_nodes", None)
        for index, node in enumerate(nodes):
            if own is None or "%s_ib-%d" % (layer.name, index) in own:
                return node
        return None

    def feeds_of(self, model):
        def find(*attributes):
            """The names since Keras 2.0 and before; a Sequential before 2.2 has them on the model inside it."""
            for holder in (model, getattr(model, "model", None)):
                for attribute in attributes:
                    if getattr(holder, attribute, None):
                        return list(getattr(holder, attribute))
            return []

        def names(*attributes):
            return [getattr(tensor, "name", None) for tensor in find(*attributes)]

        return {
            "inputs": names("_feed_inputs", "inputs"),
            "input_names": find("_feed_input_names", "input_names"),
            "targets": names("_feed_targets", "targets"),
            "weights": names("_feed_sample_weights", "sample_weights"),
        }

    def wanted(self):
        found = list(self.layers.values()) + list(self.norms.values()) + [self.loss, self.prediction] + self.penalties
        for names in self.gradients.values():
            found.extend(names)
        return found

    def look(self, values, batch, gradients=True):
        """A ``InsideView`` of the model with these values of ``variables``."""
        self.part.load(values)
        goals = {"loss": self.loss, "prediction": self.prediction, "penalties": self.penalties}
        goals["outputs"] = self.layers
        goals["norms"] = self.norms
        goals["gradients"] = self.gradients if gradients else {}
        values = self.part.session.run(goals, self.feed(batch))
        return self.view(values)

    def view(self, values):
        view = InsideView()
        view.outputs, view.inputs = values["outputs"], values["norms"]
        view.order = list(self.layers)
        view.loss = float(values["loss"].mean()) if hasattr(values["loss"], "mean") else float(values["loss"])
        view.prediction = values["prediction"]
        penalties = [float(penalty) for penalty in values["penalties"]]
        view.regularization = sum(penalties) / view.loss if penalties and view.loss else None
        shapes = {id(variable): variable.shape for variable in trained(self.model)}
        view.gradients = {key: dense(parts, shapes[key]) for key, parts in values["gradients"].items()}
        return view

    def feed(self, batch):
        numpy = sys.modules["numpy"]
        x, y, weights = batch
        feed: dict[Any, Any] = {}
        self.fill(feed, self.feeds["inputs"], ordered(x, self.feeds["input_names"]))
        self.fill(feed, self.feeds["targets"], ordered(y, ()))
        rows = len(ordered(x, self.feeds["input_names"])[0])
        given = ordered(weights, ()) or [numpy.ones(rows)] * len(self.feeds["weights"])
        self.fill(feed, self.feeds["weights"], given)
        for name in self.part.phases:
            feed[self.part.tensor(name)] = 0
        return feed

    def fill(self, feed, names, arrays):
        for name, array in zip(names, arrays):
            if name is None:
                continue
            tensor = self.part.tensor(name)
            column = tensor.shape.ndims == 2 and array.ndim == 1
            feed[tensor] = array[:, None] if column else array


def trained(model):
    """The weights that training moves: those that might be trained when the model was compiled."""
    collected = getattr(model, "_collected_trainable_weights", None)
    return collected if isinstance(collected, list) else model.trainable_weights


def ancestors(nodes, goals):
    """The names of all nodes that the goals depend on, and theirs."""
    found, waiting = set(), list(goals)
    while waiting:
        name = waiting.pop()
        if name not in found and name in nodes:
            found.add(name)
            waiting.extend(source.lstrip("^").split(":")[0] for source in nodes[name].input)
    return found


def ordered(data, names):
    """A list of arrays in the order in which the model takes them."""
    if data is None:
        return []
    if isinstance(data, dict):
        return [data[name] for name in (names or sorted(data))]
    return list(data) if isinstance(data, (list, tuple)) else [data]


def dense(parts, shape):
    numpy = sys.modules["numpy"]
    if len(parts) == 1:
        return parts[0]
    values, rows = parts
    whole = numpy.zeros([int(extent) for extent in shape], dtype=values.dtype)
    numpy.add.at(whole, rows, values)
    return whole
