"""What ``grist.py`` knows of PyTorch: remembers a training step operation by operation and replays it on copies.

A ``TorchFunctionMode`` sees every operation with its operands, wherever the program writes it. A step begins when a
module with parameters is called from outside and ends at ``backward``; loops and branches stand as they were taken.
"""

import sys

from grist_replay import RememberedStep, Slot, collect, extent, translate  # type: ignore[import-not-found]

OPERANDS = {}
for _names, _target, _position in (
    ("log log2 log10 log1p sqrt rsqrt acosh arccosh", "low", 0),
    ("reciprocal __rdiv__ __rtruediv__", "zero", 0),
    ("div divide true_divide __truediv__ __div__ __itruediv__ __idiv__", "zero", 1),
    ("exp exp2 expm1 __rpow__", "high", 0),
    ("acos arccos asin arcsin atanh arctanh", "far", 0),
):
    for _name in _names.split():
        OPERANDS[_name] = (_target, _position)
POWERS = ("pow", "__pow__", "__ipow__", "float_power")
MOST_OPERATIONS = 4000
MOST_SEGMENTS = 40
KEPT_SEGMENTS = 3


def danger(name, arguments):
    """Where the operand that matters stands and towards what it must be driven, or None."""
    name = name if name.startswith("__") else name.rstrip("_")
    if name in POWERS and len(arguments) > 1:
        base, exponent = arguments[0], arguments[1]
        if not isinstance(exponent, (int, float)):
            return ("high", 1) if isinstance(base, (int, float)) else None
        if exponent < 0:
            return "zero", 0
        return ("low", 0) if exponent != int(exponent) else None
    return OPERANDS.get(name)


class TorchSteps(object):
    """Patches ``Module.__call__`` and keeps the steps that contain dangerous operations."""

    def __init__(self, frames):
        self.frames = frames
        self.torch = sys.modules["torch"]
        self.depth = 0
        self.begun = 0
        self.segment = None
        self.kept = []
        self.mode = None
        self.original = None
        self.trouble = None

    def install(self):
        module, watcher = self.torch.nn.Module, self
        self.original = original = module.__call__

        def __call__(self, *arguments, **named):  # noqa: N807 (it takes the place of nn.Module's)
            watcher.enter(self, arguments, named)
            watcher.depth += 1
            try:
                return original(self, *arguments, **named)
            finally:
                watcher.depth -= 1

        module.__call__ = __call__

    def enter(self, module, arguments, named):
        """A call from outside begins a step, or brings further inputs to the one under way."""
        if self.depth or self.original is None:
            return
        try:
            if next(module.parameters(), None) is None:
                return
            if self.segment is not None and not self.torch.is_grad_enabled():
                self.close(None)
            if self.segment is None:
                self.open()
            if self.segment is not None:
                self.segment.announce(collect([arguments, named], self.torch.Tensor))
        except Exception as error:
            self.drop(error)

    def open(self):
        self.begun += 1
        if self.begun > MOST_SEGMENTS or len(self.kept) >= KEPT_SEGMENTS:
            self.rest()
            return
        self.segment = Segment(self.torch, self.frames)
        if self.mode is None:
            self.mode = make_mode(self.torch, self)
            self.mode.__enter__()

    def close(self, final):
        """Ends the step; it is kept when it holds dangerous places that no kept one holds."""
        segment, self.segment = self.segment, None
        if segment is None:
            return
        known = {key for other in self.kept for key in other.places}
        segment.places = {key: value for key, value in segment.places.items() if key not in known}
        if segment.places:
            segment.finish(final)
            self.kept.append(segment)

    def rest(self):
        """Enough seen: the patch comes off, and the mode too unless another one was added on top of it."""
        if self.original is not None:
            self.torch.nn.Module.__call__ = self.original
            self.original = None
        stack = list(getattr(self.torch.overrides, "_get_current_function_mode_stack", list)())
        mode = self.mode
        if mode is not None and stack and stack[-1] is mode:
            self.mode = None
            mode.__exit__(None, None, None)

    def observe(self, function, arguments, named):
        """Runs one operation of the program and writes it down."""
        name = getattr(function, "__name__", "")
        pending = None
        try:
            if name in ("backward", "grad") and self.segment is not None:
                tensors = collect(arguments[:1], self.torch.Tensor)
                self.close(tensors[0] if tensors else None)
            if self.segment is not None and len(self.segment.calls) > MOST_OPERATIONS:
                self.close(None)
            if self.segment is not None:
                pending = self.segment.before(function, name, arguments, named)
        except Exception as error:
            self.drop(error)
        result = function(*arguments, **named)
        try:
            if pending is not None and self.segment is not None:
                self.segment.after(pending, result)
        except Exception as error:
            self.drop(error)
        return result

    def drop(self, error):
        """A step that we could not write down is let go; the program does not notice."""
        self.segment = None
        self.trouble = self.trouble or error

    def seen(self):
        """Whether there was a step to look at, dangerous or not."""
        return self.begun > 0

    def finish(self):
        """What can be searched, when the script has ended."""
        self.close(None)
        self.rest()
        if self.trouble is not None and not self.kept:
            raise self.trouble
        return [RememberedStep(self.torch, segment) for segment in self.kept]


def make_mode(torch, watcher):
    def __torch_function__(self, function, types, args=(), kwargs=None):  # noqa: N807
        if watcher.segment is None:
            return function(*args, **(kwargs or {}))
        return watcher.observe(function, args, kwargs or {})

    return type("Mode", (torch.overrides.TorchFunctionMode,), {"__torch_function__": __torch_function__})()


class Segment(object):
    """One step: the leaves as they were when first used, and the calls in order."""

    def __init__(self, torch, frames):
        self.torch = torch
        self.frames = frames
        self.slots = {}  # id of a tensor -> its slot now
        self.alive = []  # an id stays a tensor's own only while the tensor lives
        self.leaves = {}  # slot -> (role, copy)
        self.dependent = set()  # slots that inputs or weights reach
        self.announced = set()
        self.calls = []
        self.places = {}  # (path, line, operation) -> positions of calls
        self.final = None
        self.count = 0

    def announce(self, tensors):
        """Tensors that enter a model are its inputs, unless the step itself made them from others."""
        for tensor in tensors:
            if tensor.is_floating_point() and self.slots.get(id(tensor)) not in self.dependent:
                self.slots.pop(id(tensor), None)
                self.announced.add(id(tensor))
                self.alive.append(tensor)

    def before(self, function, name, arguments, named):
        if name == "__get__" and getattr(getattr(function, "__self__", None), "__name__", "") in ("grad", "_grad"):
            return None
        tensor = self.torch.Tensor
        if not collect([arguments, named], tensor):
            return None
        call = {
            "function": function,
            "name": name,
            "arguments": translate(arguments, tensor, self.refer),
            "named": translate(named, tensor, self.refer),
            "grad": self.torch.is_grad_enabled(),
            "target": arguments[0] if name.startswith("__i") or name == "__setitem__" else None,
        }
        call["danger"] = self.dangerous(call, arguments)
        return call

    def refer(self, tensor):
        number = self.slots.get(id(tensor))
        if number is None:
            number = self.bind(tensor)
            role = "constant"
            if tensor.is_floating_point() and tensor.is_leaf and tensor.requires_grad:
                role = "weight"
            elif id(tensor) in self.announced:
                role = "input"
            self.leaves[number] = (role, tensor.detach().clone())
            if role != "constant":
                self.dependent.add(number)
        return Slot(number)

    def bind(self, tensor):
        self.count += 1
        self.slots[id(tensor)] = self.count
        self.alive.append(tensor)
        return self.count

    def dangerous(self, call, arguments):
        """The slot of the operand to drive, and where to."""
        found = danger(call["name"], arguments)
        if found is None or found[1] >= len(arguments):
            return None
        slot, operand = call["arguments"][found[1]], arguments[found[1]]
        if not isinstance(slot, Slot) or slot.number not in self.dependent or not operand.is_floating_point():
            return None
        return found[0], slot.number, extent(operand)

    def after(self, call, result):
        tensor = self.torch.Tensor
        made = collect(result, tensor)
        changed = call.pop("target")
        if not made and not isinstance(changed, tensor):
            return
        used = collect([call["arguments"], call["named"]], Slot)
        reached = any(slot.number in self.dependent for slot in used)
        call["result"] = translate(result, tensor, lambda part: Slot(self.bind(part)))
        for slot in collect(call["result"], Slot) if reached else ():
            self.dependent.add(slot.number)
        place = self.frames.innermost() if call["danger"] else None
        if place is not None:
            self.places.setdefault((place[0], place[1], call["name"]), []).append(len(self.calls))
        self.calls.append(call)

    def finish(self, final):
        """Lets go of the program's own tensors; the output that counts is the loss, else the last one."""
        self.final = self.slots.get(id(final)) if final is not None else self.last()
        self.slots, self.alive, self.announced = {}, [], set()

    def last(self):
        for call in reversed(self.calls):
            for slot in collect(call["result"], Slot):
                if slot.number in self.dependent:
                    return slot.number
        return None


WATCHER = TorchSteps  # what grist.py starts
