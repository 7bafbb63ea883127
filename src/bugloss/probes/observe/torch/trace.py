"""One forward pass of a copy, operation by operation: what each gives, from what, in which layer and on which line."""

import sys

from ..relation import Traced, Untold
from .tape import leaves, name_of, taping_mode, tree_map

MOST_OPERATIONS = 2000
MOST_VALUES = 20000000  # of all outputs together


class TorchTraced(Traced):
    """With the tensors themselves, so that what leads to the output can be found."""

    def __init__(self, operation, layer, values, given, settings, place, takes, makes):
        super(TorchTraced, self).__init__(operation, layer, values, given, settings, place)
        self.takes, self.makes = takes, makes


class Trace(object):
    """Follows one call of a module."""

    def __init__(self, torch, frames):
        self.torch, self.frames = torch, frames
        self.steps, self.layers, self.held, self.values = [], [], [], 0

    def run(self, module, arguments, named):
        """The steps on the way to the module's first output."""
        kind = taping_mode(self.torch)
        handles = [one for name, part in module.named_modules() for one in self.hooks(name, part, kind is None)]
        try:
            with self.torch.no_grad():
                if kind is None:
                    result = module(*arguments, **named)
                else:
                    with kind(self.see):
                        result = module(*arguments, **named)
        finally:
            for handle in handles:
                handle.remove()
        return self.leading(leaves(result, self.torch.Tensor))

    def hooks(self, name, part, notes):
        """Each module says when it runs; where functions cannot be seen, what it gives is a step."""

        def before(module, arguments):
            self.layers.append(name)

        def after(module, arguments, result):
            self.layers.pop()
            if notes and not module._modules:
                self.note(type(module).__name__, name, arguments, {}, result)

        return part.register_forward_pre_hook(before), part.register_forward_hook(after)

    def see(self, function, arguments, named, result):
        self.note(name_of(function), self.layers[-1] if self.layers else "", arguments, named, result)

    def note(self, name, layer, arguments, named, result):
        results = list(leaves(result, self.torch.Tensor))
        if not results and name != "__setitem__":
            return
        given = leaves((arguments, named), self.torch.Tensor)
        made = results or given[:1]
        self.values += made[0].numel()
        if len(self.steps) >= MOST_OPERATIONS or self.values > MOST_VALUES:
            raise Untold("the model is too large to be followed step by step")
        settings = tree_map(lambda value: None if isinstance(value, self.torch.Tensor) else value, (arguments, named))
        self.held.extend(given + made)  # an identity means nothing once its tensor is gone
        self.steps.append(
            TorchTraced(
                name,
                layer,
                array_of(made[0]),
                [array_of(one) for one in given[:4]],
                settings,
                self.place(),
                [id(one) for one in given],
                [id(one) for one in made],
            )  # fmt: skip
        )

    def place(self):
        """The nearest line of the user's below our own call."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code is not Trace.run.__code__:
            if self.frames.owns(frame.f_code.co_filename):
                return frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name
            frame = frame.f_back
        return None

    def leading(self, outputs):
        """The steps that the first output depends on."""
        needed, kept = {id(one) for one in outputs[:1]}, []
        for step in reversed(self.steps):
            if needed.intersection(step.makes):
                needed.update(step.takes)
                kept.append(step)
        return kept[::-1] or self.steps


def array_of(tensor):
    """A NumPy copy of a tensor."""
    if tensor.dtype == sys.modules["torch"].bfloat16:
        tensor = tensor.float()
    return tensor.detach().cpu().numpy().copy()
