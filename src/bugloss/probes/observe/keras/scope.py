"""A graph of TensorFlow 1 without Keras, seen as a model: variables by their scope, the loss, activations between."""

from . import graph as graphs
from . import models
from . import numbers as figures
from .inside import InsideView

MOST_OPERATIONS = 400
NEAR = 8
ACTIVATIONS = {
    "Relu": "relu", "Relu6": "relu6", "Elu": "elu", "Selu": "selu", "LeakyRelu": "leaky_relu", "Sigmoid": "sigmoid",
    "Tanh": "tanh", "Softmax": "softmax", "Softplus": "softplus", "LogSoftmax": "log_softmax",
}  # fmt: skip
VARIABLES = ("VariableV2", "VarHandleOp", "Variable", "ReadVariableOp")


class VariableGroup(object):
    """Variables of one scope: what would be a layer."""

    def __init__(self, name):
        self.name = name
        self.variables = []
        self.activation = ""
        self.output = None  # the name of the tensor behind the activation


class OptimizerScope(object):
    """The trainable variables that one optimizer moves, and the operations between them and the loss."""

    def __init__(self, trainer):
        self.graph = trainer.loss.graph if trainer.loss is not None else trainer.pairs[0][1].graph
        self.pairs = [(gradient, variable) for gradient, variable in trainer.pairs if gradient is not None]
        self.loss = trainer.loss
        # Variables that no gradient reaches belong to something else in the same graph, or to nothing.
        self.groups = groups_of([variable for _, variable in self.pairs])
        self.operations = list(upstream(trainer.loss.op, MOST_OPERATIONS)) if trainer.loss is not None else []
        self.head = head_of(self.operations)
        self.find_activations()

    def find_activations(self):
        """Gives each group the first activation that is fed by its variables."""
        for operation in reversed(self.operations):
            if operation.type not in ACTIVATIONS:
                continue
            near = {above.name for above in upstream(operation, NEAR * 4) if above.type in VARIABLES}
            for group in self.groups:
                if group.output is None and any(variable.op.name in near for variable in group.variables):
                    group.activation, group.output = ACTIVATIONS[operation.type], operation.outputs[0].name
                    break

    @property
    def outputs(self):
        """The tensor that the loss reads as the model's answer."""
        return self.head[1] if self.head is not None else None

    @property
    def output_activation(self):
        source = self.outputs.op if self.outputs is not None else None
        while source is not None and source.type in ("Identity", "Reshape", "Squeeze", "Cast"):
            source = source.inputs[0].op
        return ACTIVATIONS.get(source.type, "linear") if source is not None else ""

    def placeholders(self, tensor):
        """The names of the placeholders that a tensor depends on."""
        found = [operation for operation in upstream(tensor.op, MOST_OPERATIONS) if "Placeholder" in operation.type]
        return [operation.outputs[0].name for operation in found]

    def goals(self):
        names = [self.loss.name] + [group.output for group in self.groups if group.output]
        if self.outputs is not None:
            names.append(self.outputs.name)
        for gradient, _ in self.pairs:
            names.extend(graphs.tensor_names(gradient))
        return names


def groups_of(variables):
    found, by_name = [], {}
    for variable in variables:
        name = variable.name.split(":")[0]
        scope = name.rsplit("/", 1)[0] if "/" in name else name
        if scope not in by_name:
            by_name[scope] = VariableGroup(scope)
            found.append(by_name[scope])
        by_name[scope].variables.append(variable)
    return found


def upstream(operation, most):
    """An operation and those it depends on, the nearest first."""
    seen, waiting = {operation.name}, [operation]
    for _ in range(most):
        if not waiting:
            return
        current = waiting.pop(0)
        yield current
        for tensor in current.inputs:
            if tensor.op.name not in seen:
                seen.add(tensor.op.name)
                waiting.append(tensor.op)


def head_of(operations):
    """(facts of the loss, its tensor of answers, its tensor of labels), where its operations show them."""
    for operation in operations:
        if operation.type in ("SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits"):
            facts = {"kind": "cross-entropy", "name": operation.type, "from_logits": True}
            return facts, operation.inputs[0], operation.inputs[1]
        if "logistic_loss" in operation.name and operation.type in ("Mul", "mul"):
            facts = {"kind": "binary-cross-entropy", "name": "sigmoid_cross_entropy_with_logits", "from_logits": True}
            return facts, operation.inputs[0], operation.inputs[1]
        if operation.type == "SquaredDifference" or (operation.type in ("Square", "Pow") and differs(operation)):
            pair = operation if operation.type == "SquaredDifference" else operation.inputs[0].op
            answer, label = sorted(pair.inputs, key=lambda tensor: not learned(tensor))[:2]
            return {"kind": "mse", "name": operation.type}, answer, label
    return None


def differs(operation):
    return operation.inputs[0].op.type == "Sub"


def learned(tensor):
    """Whether a tensor depends on variables: then it is the answer, not the label."""
    return any(operation.type in VARIABLES for operation in upstream(tensor.op, MOST_OPERATIONS))


def describe(scope, site_of):
    """The fields of ``Model``."""
    layers = []
    for group in scope.groups:
        parameters = sum(models.size_of(variable) for variable in group.variables)
        settings = {"activation": group.activation} if group.activation else {}
        rank = max(len(variable.shape) for variable in group.variables)
        facts = {"name": group.name, "kind": {2: "Dense", 4: "Conv2D"}.get(rank, "Variables"), "settings": settings}
        facts.update(parameters=parameters, trainable=parameters, site=site_of(group.variables[0].op))
        layers.append(facts)
    total = sum(layer["parameters"] for layer in layers)
    return {
        "kind": "Graph", "layers": layers, "parameters": total, "trainable": total,
        "output_activation": scope.output_activation,
    }  # fmt: skip


def layer_numbers(group, before, after, view):
    """The fields of ``LayerNumbers`` of one group."""
    facts = figures.weight_numbers(before)
    facts.update(figures.update_numbers(before, after))
    found = [view.gradients.get(id(variable)) for variable in group.variables]
    facts.update(figures.gradient_numbers([array for array in found if array is not None]))
    output = view.outputs.get(group.name)
    if output is not None:
        facts.update(figures.output_numbers(output, group.activation))
    return facts


def look(part, scope, values, feed):
    """A ``InsideView``: what the copied part makes of the user's own batch."""
    part.load(values)
    goals = {
        "loss": scope.loss.name,
        "outputs": {group.name: group.output for group in scope.groups if group.output},
        "gradients": [graphs.tensor_names(gradient) for gradient, _ in scope.pairs],
        "prediction": scope.outputs.name if scope.outputs is not None else scope.loss.name,
    }
    names = {operation.name for operation in part.copy.get_operations()}
    given = {part.tensor(name): value for name, value in feed.items() if name.split(":")[0] in names}
    values = part.session.run(goals, given)
    view = InsideView()
    view.outputs = values["outputs"]
    view.loss = float(values["loss"].mean())
    view.prediction = values["prediction"] if scope.outputs is not None else None
    for (_, variable), parts in zip(scope.pairs, values["gradients"]):
        view.gradients[id(variable)] = graphs.dense(parts, variable.shape)
    return view
