"""What a program computes from its first call of a model to its backward pass, noted call by call.

``Taping`` stands between the program and PyTorch during a few early steps: calls of models are noted by
``ForwardWatch``, everything between them by a function mode, which is off while a model runs. At a backward pass
``cut`` makes a ``StepTape`` of the calls that the loss depends on, which ``replay`` can compute again on copies.
"""

import copy
import sys

from ..patches import unseen

MOST_CALLS = 3000
MOST_TAPES = 3  # losses with a backward pass of their own, of adversaries say
TAPED_STEPS = 3
MOST_VALUES = 4000000  # of all tensors that a tape keeps, without parameters
# What makes a number of Python from a tensor: what the program computes from it is not on the tape.
ESCAPES = frozenset(("item", "tolist", "numpy", "__float__", "__int__", "__bool__", "__index__", "__array__"))
NOTED = ESCAPES | {"__setitem__"}


class Ref(object):
    """Stands for a tensor on a tape."""

    __slots__ = ("index",)

    def __init__(self, index):
        self.index = index


class TapedCall(object):
    """One call: of a function, or of a module (number of the model, name within it)."""

    __slots__ = ("arguments", "function", "gradients", "module", "named", "place", "result")

    def __init__(self, function, module, arguments, named, result, place, gradients):
        self.function, self.module = function, module
        self.arguments, self.named, self.result = arguments, named, result
        self.place, self.gradients = place, gradients

    @property
    def name(self):
        return name_of(self.function) if self.module is None else "call"


def name_of(function):
    """The name of a function of PyTorch; of an attribute such as ``data``, the attribute's."""
    name = getattr(function, "__name__", "")
    return getattr(getattr(function, "__self__", None), "__name__", name) if name == "__get__" else name


def tree_map(change, tree):
    """The same lists, tuples and dicts with every other value changed; PyTorch does more since 1.8."""
    pytree = getattr(sys.modules["torch"].utils, "_pytree", None)
    if pytree is not None:
        return pytree.tree_map(change, tree)
    if isinstance(tree, dict):
        return {key: tree_map(change, value) for key, value in tree.items()}
    if type(tree) in (list, tuple):
        return type(tree)(tree_map(change, value) for value in tree)
    return change(tree)


def leaves(tree, kind):
    """The values of a kind in a tree, in order."""
    found = []
    tree_map(lambda value: found.append(value) if isinstance(value, kind) else None, tree)
    return found


class StepTape(object):
    """The calls that a loss depends on, with references instead of tensors, and copies of what they start from."""

    def __init__(self, calls, loss, constants, parameters, models, originals, escapes):
        self.calls, self.loss = calls, loss
        self.constants = constants  # index: tensor
        self.parameters = parameters  # index: (number of the model, name)
        self.models = models  # copies from before the forward pass
        self.originals = originals  # records of the models themselves
        self.escapes = escapes  # indices of tensors that numbers of Python were made from
        self.place = None  # of the backward pass
        self.random, self.value = None, None  # the state of random numbers before it, and the loss
        self.optimizer = None  # its class
        self.rate = None
        self.stepped = None  # names (model, parameter) that an optimizer steps after it
        self.starved = 0  # how many parameters it steps, where none of them has a gradient
        self.after = None  # parameters after the first step, by the same names


class Taping(object):
    """Notes calls while a tape is open."""

    def __init__(self, observer, affordable):
        self.observer, self.recorder = observer, observer.recorder
        self.affordable = affordable  # whether a model may be copied
        self.torch = observer.torch
        self.kind = taping_mode(self.torch)
        self.mode = None  # while it is on the stack
        self.silent = None  # while it waits to be taken off
        self.guard = self.recorder.guard("the tape of a step")
        self.tapes = []
        self.forget()

    def forget(self):
        self.calls, self.models, self.records = [], [], []
        self.random = None
        self.known = {}  # id of a module or parameter: (number of the model, name)
        self.begun = False

    @property
    def wanted(self):
        observer = self.observer
        return (
            self.kind is not None and observer.steps_taken < TAPED_STEPS and len(self.tapes) < MOST_TAPES
            and not observer.forward.compiled and not observer.paused
        )  # fmt: skip

    def enter_model(self, record):
        """Before a model runs: our mode is taken off, and a copy is made."""
        self.off()
        if not self.wanted:
            self.forget()
        if not self.wanted or not (self.begun or self.torch.is_grad_enabled()):
            return
        with self.guard:
            if not self.begun and not self.torch._C._len_torch_function_stack():
                self.begun, self.random = True, self.torch.get_rng_state()
            if self.begun and not any(known is record for known in self.records):
                self.add_model(record)

    def add_model(self, record):
        module = record.module()
        if module is None or not self.affordable(module):
            self.forget()
            return
        number = len(self.models)
        self.models.append(copy.deepcopy(module))
        self.records.append(record)
        for name, part in module.named_modules():
            self.known.setdefault(id(part), (number, name))
        for name, part in module.named_parameters():
            self.known.setdefault(id(part), (number, name))

    def leave_model(self, module, arguments, named, result, place):
        """After it ran: the call is noted, and what follows is watched."""
        if not self.begun:
            return
        with self.guard:
            known = self.known.get(id(module))
            if known is None or len(self.calls) >= MOST_CALLS:
                self.forget()
                return
            gradients = self.torch.is_grad_enabled()
            self.calls.append(TapedCall(None, known, arguments, named, result, place, gradients))
            self.on()

    def on(self):
        if self.mode is None:
            self.mode = self.kind(self.guard(self.note))
            self.mode.__enter__()

    def off(self):
        """Takes our mode off the stack, whatever was put onto it since.

        PyTorch itself takes it off while it shows a function, and puts it back afterwards: a backward pass is such a
        function. Then the mode is silent, and off at the next call of a model.
        """
        mode, self.mode = self.mode or self.silent, None
        if mode is None:
            return
        overrides, above, self.silent = self.torch.overrides, [], mode
        mode.seen = None
        while self.torch._C._len_torch_function_stack():
            top = overrides._pop_mode()
            if top is mode:
                self.silent = None
                break
            above.append(top)
        for other in reversed(above):
            overrides._push_mode(other)

    def note(self, function, arguments, named, result):
        name = getattr(function, "__name__", "")
        if name not in NOTED and not leaves(result, self.torch.Tensor):
            return
        if len(self.calls) >= MOST_CALLS:
            self.begun = False
            return
        gradients = self.torch.is_grad_enabled()
        self.calls.append(TapedCall(function, None, arguments, named, result, self.recorder.place(2), gradients))

    def cut(self, loss, place):
        """The tape of a loss, at its backward pass."""
        self.off()
        begun, calls = self.begun, self.calls
        if begun and calls and not any(tape.place == place for tape in self.tapes):
            with self.guard:
                tape = Cut(self.torch, calls, self.known).tape(loss, self.models, self.records)
                if tape is not None:
                    tape.place, tape.random, tape.value = place, self.random, float(loss.detach())
                    self.tapes.append(tape)
        self.forget()

    def stepped(self, optimizer):
        """The last tapes learn what is stepped after them, and what became of the parameters."""
        for tape in self.tapes:
            if tape.after is None:
                with self.guard:
                    self.complete(tape, optimizer)

    def complete(self, tape, optimizer):
        held = {id(part) for group in optimizer.param_groups for part in group["params"]} if optimizer else None
        tape.after, stepped = {}, []
        for number, record in enumerate(tape.originals):
            for name, part in record.module().named_parameters():
                tape.after[(number, name)] = part.detach().clone()
                if held is not None and id(part) in held:
                    stepped.append((number, name))
        if optimizer is not None:
            tape.optimizer, tape.stepped = type(optimizer), stepped
            tape.rate = float(optimizer.param_groups[0].get("lr", 0.0))
            trained = [part for group in optimizer.param_groups for part in group["params"] if part.requires_grad]
            tape.starved = (
                0 if any(part.grad is not None and (part.grad != 0).any() for part in trained) else len(trained)
            )


class Cut(object):
    """Turns noted calls into a tape: tensors become references, and only what the loss needs stays."""

    def __init__(self, torch, calls, known):
        self.torch, self.calls, self.known = torch, calls, known
        self.indices, self.held = {}, []

    def index(self, tensor):
        if id(tensor) not in self.indices:
            self.indices[id(tensor)] = len(self.held)
            self.held.append(tensor)
        return self.indices[id(tensor)]

    def referred(self, tree):
        kind = self.torch.Tensor
        return tree_map(lambda value: Ref(self.index(value)) if isinstance(value, kind) else value, tree)

    def tape(self, loss, models, records):
        calls, escapes = [], set()
        for call in self.calls:
            arguments, named, result = (self.referred(part) for part in (call.arguments, call.named, call.result))
            if call.name in ESCAPES:
                escapes.update(ref.index for ref in leaves(arguments, Ref))
            elif leaves(result, Ref) or call.name == "__setitem__":
                calls.append(
                    TapedCall(call.function, call.module, arguments, named, result, call.place, call.gradients)
                )
        if id(loss) not in self.indices:
            return None
        goal = self.indices[id(loss)]
        kept, made, needed = self.needed(calls, goal)
        if not any(call.module is not None for call in kept):
            return None
        starts = sorted(needed - made)
        parameters = {one: self.known[id(self.held[one])] for one in starts if id(self.held[one]) in self.known}
        constants = {one: self.held[one] for one in starts if one not in parameters}
        if sum(one.numel() for one in constants.values()) > MOST_VALUES:
            return None
        constants = {one: tensor.detach().clone() for one, tensor in constants.items()}
        return StepTape(kept, goal, constants, parameters, models, records, escapes - {goal})

    def needed(self, calls, goal):
        """The calls on the way to the loss, what they make, and what they use."""
        kept, made, needed = [], set(), {goal}
        for call in reversed(calls):
            results = {ref.index for ref in leaves(call.result, Ref)}
            given = [ref.index for ref in leaves((call.arguments, call.named), Ref)]
            if results & needed or (call.name == "__setitem__" and given[0] in needed):
                kept.append(call)
                made |= results - set(given)  # what is changed in place was there before
                needed.update(given)
        return kept[::-1], made, needed


def hand_made(torch, record, model, one, call):
    """The tape of a step whose loss is one function of the model's output, where there are no function modes."""
    output, loss = one.output, call.value
    calls = [
        TapedCall(None, (0, ""), one.arguments, one.named, output, one.place, True),
        TapedCall(call.again, None, (output, call.target), {}, loss, call.place, True),
    ]
    return Cut(torch, calls, {}).tape(loss, [model], [record])


def taping_mode(torch):
    """The class of a mode that shows functions with all that they are given, or None."""
    base = getattr(getattr(torch, "overrides", None), "TorchFunctionMode", None)
    if base is None or not hasattr(torch._C, "_len_torch_function_stack"):
        return None

    class Tape(base):
        def __init__(self, seen):
            super(Tape, self).__init__()
            self.seen = seen

        @unseen
        def __torch_function__(self, func, types, args=(), kwargs=None):
            result = func(*args, **(kwargs or {}))
            if self.seen is not None:
                self.seen(func, args, kwargs or {}, result)
            return result

    return Tape
