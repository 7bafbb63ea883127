"""Computes a ``StepTape`` again, on copies of its models: with other inputs, targets, outputs or samples."""

import copy

from ..relation import Untold, Where
from .tape import Ref, leaves, tree_map

SCALED = ("mul", "__mul__", "__rmul__", "multiply", "div", "__truediv__", "true_divide", "divide")
SUMMED = ("add", "__add__", "__radd__", "__iadd__", "add_", "sub", "__sub__", "__isub__", "subtract")
JOINED = ("stack", "sum")
MOST_TERMS = 8
WHICH = 32  # samples at most


class StepReplay(object):
    """A tape with its main call: the last call of a model on the way to the loss that has a gradient."""

    def __init__(self, torch, tape):
        self.torch, self.tape = torch, tape
        self.makers = {ref.index: call for call in tape.calls for ref in leaves(call.result, Ref)}
        calls = [call for call in tape.calls if call.module is not None]
        self.main = ([call for call in calls if call.gradients] or calls)[-1]
        self.mains = [call for call in calls if call.module == self.main.module]
        self.target = None
        self.size = 0
        self.sizes = {}  # numbers of samples on the tape: those that are meant now
        self.constants = dict(tape.constants)

    def fresh(self):
        return copy.deepcopy(self.tape.models)

    def learn_sizes(self):
        """Runs once: how many samples there are, what the targets are, and whether the loss comes out as it did."""
        random = self.torch.get_rng_state()
        models = self.fresh()
        try:
            if self.tape.random is not None:
                self.torch.set_rng_state(self.tape.random)
            with self.torch.no_grad():
                made = self.run(models)
        finally:
            self.torch.set_rng_state(random)
        given = [made[ref.index] for ref in leaves((self.main.arguments, self.main.named), Ref)]
        rows = [len(one) for one in given if one.dim()]
        if not rows:
            raise Untold("the model is given no tensors")
        self.size = rows[0]
        self.target = self.find_target(made)
        loss = float(made[self.tape.loss])
        self.faithful = self.tape.value is None or abs(loss - self.tape.value) <= 1e-4 * (1 + abs(self.tape.value))

    def find_target(self, made):
        """The last value with a row a sample that is not from a model and meets what comes from the output."""
        models = [call for call in self.tape.calls if call.module is not None]
        own = {ref.index for call in models for ref in leaves((call.arguments, call.named), Ref)}
        usable = [one for one in self.back_from(self.derived()) if self.rows_of(made[one])]
        usable = [one for one in usable if one not in self.tape.parameters]
        return next((one for one in usable if one not in own), next(iter(usable), None))

    def rows_of(self, tensor):
        return bool(tensor.dim()) and len(tensor) == self.size

    def repeats_main(self, call):
        """Whether a call asks the main model about the same inputs."""
        if call not in self.mains:
            return False
        own, other = ([ref.index for ref in leaves((one.arguments, one.named), Ref)] for one in (self.main, call))
        return own == other

    def derived(self):
        """Indices of everything that comes from outputs of the main model."""
        found = {ref.index for call in self.mains for ref in leaves(call.result, Ref)}
        for call in self.after_main():
            if any(ref.index in found for ref in leaves((call.arguments, call.named), Ref)):
                found.update(ref.index for ref in leaves(call.result, Ref))
        return found

    def back_from(self, derived):
        """What calls are given beside what comes from the output, back to where it starts: the nearest first."""
        found, calls = [], [call for call in self.tape.calls if call.module is None]
        for call in reversed(calls):
            results = {ref.index for ref in leaves(call.result, Ref)}
            if results & derived or results.intersection(found):
                given = [ref.index for ref in leaves((call.arguments, call.named), Ref)]
                found.extend(one for one in given if one not in derived and one not in found)
        return found

    def after_main(self):
        return self.tape.calls[self.tape.calls.index(self.mains[0]) + 1 :]

    def bakes(self):
        """Whether the loss depends on numbers of Python that were made from outputs."""
        return bool(self.derived() & self.tape.escapes)

    # -- samples -------------------------------------------------------------------------------------------------------

    def keep_few(self):
        """Fewer samples, where the calls work for them, too."""
        if self.size <= WHICH:
            return
        kept, size = dict(self.constants), self.size
        self.resize(lambda tensor, axis: tensor.narrow(axis, 0, WHICH), WHICH)
        try:
            with self.torch.no_grad():
                self.run(self.fresh())
        except Exception:
            self.constants, self.size, self.sizes = kept, size, {}

    def resize(self, change, size):
        """Changes every constant along its axis of samples, and every number of samples with them."""
        for index, tensor in self.constants.items():
            axis = next((axis for axis, extent in enumerate(tensor.shape) if extent == self.size), None)
            if axis is not None:
                self.constants[index] = change(tensor, axis).clone()
        taped = self.sizes.get("taped", self.size)
        self.sizes = {"taped": taped, "now": size}
        self.size = size

    def doubled(self):
        """The same tape with every sample twice."""
        other = StepReplay(self.torch, self.tape)
        other.constants, other.size, other.sizes = dict(self.constants), self.size, dict(self.sizes)
        other.target = self.target
        other.resize(lambda tensor, axis: self.torch.cat([tensor, tensor], axis), 2 * self.size)
        return other

    # -- running -------------------------------------------------------------------------------------------------------

    def run(self, models, inputs=None, constants=None, outputs=None):
        """Values by index. ``inputs`` replace arguments of the main call, ``outputs`` its first result.

        ``constants`` replace what the calls start from, and what they make of it.
        """
        made = dict(self.constants)
        fixed = constants or {}
        made.update(fixed)
        for index, (number, name) in self.tape.parameters.items():
            made[index] = dict(models[number].named_parameters())[name]
        for call in self.tape.calls:
            if inputs is not None and self.repeats_main(call):
                result = self.part(models, call)(*inputs[0], **inputs[1])
            else:
                result = self.call(models, call, made)
            if outputs is not None and self.repeats_main(call):
                result = self.replaced(result, outputs)
            self.note(made, call.result, result)
            made.update(fixed)
        return made

    def replaced(self, result, outputs):
        tensors = leaves(result, self.torch.Tensor)
        return tree_map(lambda value: outputs if value is tensors[0] else value, result)

    def call(self, models, call, made):
        arguments, named = self.valued(call, made)
        with self.torch.set_grad_enabled(call.gradients and self.torch.is_grad_enabled()):
            return self.part(models, call)(*arguments, **named)

    def part(self, models, call):
        if call.module is None:
            return call.function
        number, name = call.module
        return part_of(models[number], name)

    def valued(self, call, made):
        """The arguments of a call, with tensors instead of references."""
        taped, now = self.sizes.get("taped"), self.sizes.get("now")

        def value_of(value):
            if isinstance(value, Ref):
                return made[value.index]
            if taped is not None and call.module is None and type(value) is int and value == taped:
                return now
            return value

        return tree_map(value_of, call.arguments), tree_map(value_of, call.named)

    def note(self, made, taped, result):
        kind = self.torch.Tensor
        for ref, tensor in zip(leaves(taped, Ref), leaves(result, kind)):
            made[ref.index] = tensor

    # -- summands ------------------------------------------------------------------------------------------------------

    def summands(self):
        """(index, call) of what the loss is the sum of."""
        found = list(self.expand(self.tape.loss))
        return found[:MOST_TERMS]

    def expand(self, index):
        call = self.makers.get(index)
        if call is None:
            return
        parts = leaves((call.arguments, call.named), Ref)
        numbers = leaves((call.arguments, call.named), (int, float))
        if call.name in SUMMED or (call.name in SCALED and len(parts) == 1 and numbers):
            for part in parts:
                for one in self.expand(part.index):
                    yield one
        elif call.name in JOINED and self.joins(call, parts):
            for part in parts:
                for one in self.expand(part.index):
                    yield one
        else:
            yield index, call

    def joins(self, call, parts):
        """Whether a stack of scalars, or the sum of one."""
        makers = [self.makers.get(part.index) for part in parts]
        return call.name == "stack" or (len(makers) == 1 and makers[0] is not None and makers[0].name == "stack")

    def where_of(self, call, recorder):
        return Where(call.name, "", recorder.site_of(call.place))


def part_of(model, name):
    """A module within a model by its name; since 1.9 PyTorch does it itself."""
    for step in name.split(".") if name else ():
        model = getattr(model, step) if hasattr(model, step) else model[int(step)]
    return model
