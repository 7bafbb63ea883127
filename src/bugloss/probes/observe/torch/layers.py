"""One forward pass, looked at closely: what every layer gives out, and which activation follows it.

Modules are seen through the wrapper around ``Module.__call__``, functions through a ``TorchFunctionMode`` where there
is one. Statistics are made at once, because the next layer may write over its input, and read together at the end.
"""

import math
import sys

from ..patches import unseen
from .names import (
    FUNCTIONS,
    PASSING,
    activation_of,
    is_unit_axis_first,
)
from .numbers import floats, is_plain, nonzero_count, tensors_in, thin

MOST_OUTPUTS = 16384
MOST_UNITS = 65536
MOST_CALLS = 2  # of one layer in one pass
MOST_HELD = 3000
FLAT = 1e-3  # a derivative below this carries no gradient worth speaking of


class PassWatch(object):
    """What the layers of one model did in one pass."""

    def __init__(self, record, places):
        self.torch = sys.modules["torch"]
        self.record = record
        self.places = places
        self.fields = {}  # layer: {field: value or tensor}
        self.calls = {}
        self.producers = {}  # address of a tensor: (layers that made it, activation that it went through)
        self.held = []  # an address means nothing once its tensor is gone
        self.inside = 0
        self.axis_first = {}

    def see(self, module, arguments, result):
        """A module has been called."""
        record = self.record
        record.met.add(id(module))
        name = record.names.get(id(module))
        outputs = tensors_in(result, 1)
        if name is None:
            self.see_foreign(module)
            return
        if name not in record.called:
            record.called.add(name)
            record.order.append(name)
        if not outputs or not is_plain(outputs[0]):
            return
        inputs = [part for part in tensors_in(arguments, 2) if is_plain(part)]
        activation = activation_of(module)
        with quiet(self.torch):
            if activation:
                self.see_activation(activation, inputs, outputs[0], name)
            elif module._modules:
                self.see_block(name, outputs[0])
            else:
                self.see_layer(name, module, inputs, outputs[0])

    def see_foreign(self, module):
        """A layer with parameters that the model does not know of."""
        if module._modules or all(part is None for part in module._parameters.values()):
            return
        place, in_forward = self.places.get(module, (None, False))
        size = sum(part.numel() for part in module._parameters.values() if part is not None)
        self.record.foreign[(type(module).__name__, place)] = (type(module).__name__, size, place, in_forward)

    def see_block(self, name, output):
        """A module with layers inside and parameters of its own."""
        if not self.source([output])[0]:
            self.note(output, [name], "")
        if self.counted(name):
            self.fields.setdefault(name, {}).update(output_numbers(self.torch, output))

    def see_layer(self, name, module, inputs, output):
        layers, activation = self.source(inputs)
        passing = type(module).__name__ in PASSING
        if not passing and not activation and module._parameters:
            self.settle(layers, "linear")
        self.axis_first[name] = is_unit_axis_first(module) or (passing and self.axis_first.get((layers or [""])[0]))
        self.note(output, (layers if passing else []) + [name], activation if passing else "")
        if self.counted(name):
            facts = self.fields.setdefault(name, {})
            facts.update(output_numbers(self.torch, output))
            if inputs and "running_mean" in module._buffers:
                facts.update(running_numbers(self.torch, module, inputs[0]))

    def see_activation(self, activation, inputs, output, name=None):
        """An activation, as a module (then it has a name) or as a function; its numbers belong to what it follows."""
        layers, _ = self.source(inputs)
        self.settle(layers, activation)
        self.note(output, layers, activation)
        if not self.counted(name or "%s after %s" % (activation, layers[:1])):
            return
        first = any(self.axis_first.get(layer) for layer in layers) or output.dim() == 4
        facts = activation_numbers(self.torch, activation, output, first)
        if layers:
            self.fields.setdefault(layers[0], {}).update(facts)
        if name is not None:
            own = self.fields.setdefault(name, {})
            own.update(output_numbers(self.torch, output))
            if not layers:
                own.update(facts)

    def see_function(self, name, arguments, result):
        activation = FUNCTIONS.get(name)
        if activation is None or self.inside or not is_plain(result):
            return
        inputs = [part for part in tensors_in(arguments, 1) if is_plain(part)]
        with quiet(self.torch):
            self.see_activation(activation, inputs, result)

    def counted(self, name):
        self.calls[name] = self.calls.get(name, 0) + 1
        return self.calls[name] <= MOST_CALLS

    def source(self, inputs):
        for tensor in inputs:
            found = self.producers.get(tensor.data_ptr())
            if found is not None:
                return list(found[0]), found[1]
        return [], ""

    def settle(self, layers, activation):
        """The activation that follows these layers; what was found first stands."""
        for layer in layers:
            if layer in self.record.weighted:
                self.record.activations.setdefault(layer, activation)

    def note(self, tensor, layers, activation):
        if len(self.held) < MOST_HELD:
            self.held.append(tensor.detach())
            self.producers[tensor.data_ptr()] = (layers, activation)

    def finish(self, result):
        """The pass is over: what the model's own output went through last."""
        outputs = [part for part in tensors_in(result, 4) if is_plain(part) and part.is_floating_point()]
        for output in outputs:
            layers, activation = self.source([output])
            if layers or activation:
                self.record.output_activation = activation or "linear"
                self.settle(layers, activation or "linear")
                break
        self.held, self.producers = [], {}


class quiet(object):  # noqa: N801 (it reads as a verb)
    """Our own operations leave no trace: no graph, no function modes."""

    def __init__(self, torch):
        silence = getattr(torch._C, "DisableTorchFunction", None)
        self.contexts = (torch.no_grad(),) if silence is None else (torch.no_grad(), silence())

    def __enter__(self):
        for context in self.contexts:
            context.__enter__()

    def __exit__(self, kind, error, trace):
        for context in reversed(self.contexts):
            context.__exit__(kind, error, trace)


def make_mode(torch):
    """The class of a mode that shows functions to a ``PassWatch``, or None where PyTorch has no such modes."""
    base = getattr(getattr(torch, "overrides", None), "TorchFunctionMode", None)
    if base is None:
        return None

    class FunctionWatch(base):
        def __init__(self, seen):
            super(FunctionWatch, self).__init__()
            self.seen = seen

        @unseen
        def __torch_function__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            self.seen(func, args, result)
            return result

    return FunctionWatch


def output_numbers(torch, output):
    """What ``LayerNumbers`` holds of outputs; tensors are read later."""
    if not output.is_floating_point() or not output.numel():
        return {}
    values = floats(thin(output, MOST_OUTPUTS))
    low, high = least_and_most(torch, values)
    variance, mean = torch.var_mean(values, unbiased=False)
    facts = {
        "output_mean": mean, "output_std": variance.sqrt(), "output_minimum": low, "output_maximum": high,
        "zero_share": 1 - nonzero_count(torch, values) / float(values.numel()),
    }  # fmt: skip
    if values.device.type != "cpu" or not math.isfinite(variance.item()):
        facts["output_nonfinite"] = values.numel() - torch.isfinite(values).sum()
    return facts


def least_and_most(torch, values):
    return torch.aminmax(values) if hasattr(torch, "aminmax") else (values.min(), values.max())


def activation_numbers(torch, activation, output, axis_first):
    """Dead units of a rectifier, saturated values of a squashing function."""
    if not output.is_floating_point() or not output.numel() or output.dim() < 2:
        return {}
    values = output.detach()
    rows = values.transpose(1, -1) if axis_first and values.dim() > 2 else values
    rows = rows.reshape(-1, rows.shape[-1])
    rows = floats(rows[:: max(rows.numel() // MOST_UNITS, 1)])
    facts = {"zero_share": 1 - nonzero_count(torch, rows) / float(rows.numel())}
    if activation in ("relu", "relu6", "threshold") and rows.shape[0] >= 4:
        facts["dead_share"] = 1 - (rows != 0).any(0).sum() / float(rows.shape[1])
    flat = flat_values(activation, rows)
    if flat is not None:
        facts["saturated_share"] = flat.sum() / float(flat.numel())
    return facts


def flat_values(activation, rows):
    """Where the activation has hardly any derivative left. A row of a softmax counts as one: one class has it all."""
    if activation == "sigmoid":
        return rows * (1 - rows) < FLAT
    if activation == "softmax":
        return (rows * (1 - rows)).max(-1)[0] < FLAT
    if activation == "tanh":
        return 1 - rows * rows < FLAT
    if activation == "hard_sigmoid":
        return (rows >= 1) | (rows <= 0)
    if activation == "hard_tanh":
        return (rows >= 1) | (rows <= -1)
    return None


def running_numbers(torch, module, batch):
    """The running statistics of a batch norm, and how far they are from this batch."""
    mean, variance = module._buffers.get("running_mean"), module._buffers.get("running_var")
    if mean is None or variance is None or batch.dim() < 2 or not batch.is_floating_point():
        return {}
    facts = {"running_variance": list(least_and_most(torch, variance.detach()))}
    rows = batch.detach()[:: max(batch.numel() // MOST_UNITS, 1)].transpose(1, -1)
    rows = floats(rows.reshape(-1, rows.shape[-1]))
    if rows.shape[0] > 1 and rows.shape[1] == mean.numel():
        spread, middle = torch.var_mean(rows, 0, unbiased=False)
        facts["running_mean_gap"] = ((mean.detach() - middle).abs() / (spread.sqrt() + 1e-12)).max()
    return facts


def read(torch, fields):
    """The same fields with numbers in place of tensors; one transfer for each device."""
    waiting = []

    def collect(value):
        if isinstance(value, torch.Tensor):
            waiting.append(value)
            return value
        if isinstance(value, dict):
            for part in value.values():
                collect(part)
        if isinstance(value, list):
            for part in value:
                collect(part)
        return value

    collect(fields)
    found = dict(zip([id(value) for value in waiting], read_all(torch, waiting)))

    def fill(value):
        if isinstance(value, torch.Tensor):
            return found[id(value)]
        if isinstance(value, dict):
            return {key: fill(part) for key, part in value.items()}
        return [fill(part) for part in value] if isinstance(value, list) else value

    return fill(fields)


def read_all(torch, scalars):
    """Numbers of one-element tensors, in order."""
    if all(scalar.device.type == "cpu" for scalar in scalars):
        return [scalar.item() for scalar in scalars]
    places = {}
    for place, scalar in enumerate(scalars):
        places.setdefault(scalar.device, []).append(place)
    numbers = [0.0] * len(scalars)
    for chosen in places.values():
        row = torch.stack([scalars[place].detach().reshape(()).to(torch.float32) for place in chosen])
        for place, number in zip(chosen, row.tolist()):
            numbers[place] = number
    return numbers
