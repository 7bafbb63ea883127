"""The first operation that made inf or NaN: looked for once, at the first bad step, on a copy of the model.

A NaN loss is found before its backward pass, so the weights are still those that led to it. The forward pass is run
again on a copy, function by function. A NaN gradient is found before the update; then the copy runs backward too, node
by node. Random states are put back, output of the program is swallowed.
"""

import contextlib
import copy
import io
import math
import random
import sys

from .. import source
from .layers import make_mode, quiet
from .model import parameters_of
from .numbers import is_plain, numbers, tensors_in

MOST_NODES = 3000
MOST_PARAMETERS = 100000000
MOST_SENTINEL = 4096
# Operations whose derivative is infinite or undefined somewhere, likeliest first.
SHARP = (
    "sqrt", "linalgvectornorm", "norm", "rsqrt", "std", "cdist", "acos", "asin", "pow", "log", "div", "reciprocal",
    "atan2", "var", "where",
)  # fmt: skip


class Investigator(object):
    """Looks once for what went wrong forward, once for what went wrong backward."""

    def __init__(self, recorder, observer):
        self.recorder = recorder
        self.observer = observer
        self.torch = sys.modules["torch"]
        self.found = set()
        self.alert = False
        self.sentinels = {}

    def step_read(self, fields):
        """A loss was read late and is bad: from now on losses are read at once, and weights are looked at."""
        loss = fields.get("loss")
        if loss is None or math.isfinite(loss) or self.found or self.alert:
            return
        self.alert = True
        for record in self.observer.book.all():
            layer = self.bad_weights(record)
            if layer is not None:
                self.tell("weights", fields["step"], layer=layer)
                return

    def tell(self, direction, step, layer="", operation="", place=None, inputs=()):
        self.found.add(direction)
        with quiet(self.torch):
            facts = [numbers(part) for part in list(inputs)[:3]]
        self.recorder.emit(
            "nonfinite", step=step, direction=direction, layer=layer, operation=operation,
            site=self.recorder.site_of(place), inputs=facts,
        )  # fmt: skip

    # Forward

    def forward(self, one, loss, place):
        """The loss of this pass is NaN or infinite and has not been propagated yet."""
        if self.found:
            return
        with self.recorder.guard("the first bad operation"):
            self.look_forward(one, loss, place)

    def look_forward(self, one, loss, place):
        step = self.recorder.step
        if one is None:
            self.found.add("loss")
            return
        with quiet(self.torch):
            bad = [part for part in tensors_in((one.arguments, one.named)) if not finite(self.torch, part)]
            weights = self.bad_weights(one.record)
        if bad:
            self.tell("input", step, place=one.place, inputs=bad)
        elif weights is not None:
            self.tell("weights", step, layer=weights)
        elif one.output is not None and not finite(self.torch, one.output):
            self.replay_forward(one, step)
        else:
            self.look_at_loss(one, loss, place, step)

    def bad_weights(self, record):
        """The first layer, in the order of use, whose weights are NaN or infinite."""
        for name, module, _ in record.refresh().ordered():
            if not all(finite(self.torch, parameter) for parameter in parameters_of(module)):
                return name
        return None

    def replay_forward(self, one, step):
        replay = Replay(self.recorder, self.observer, one)
        first = replay.first_bad()
        if first is None:
            self.tell("forward", step, place=one.place)
        else:
            operation, layer, place, inputs = first
            self.tell("forward", step, layer=layer, operation=operation, place=place or one.place, inputs=inputs)

    def look_at_loss(self, one, loss, place, step):
        """The model's output is fine: the loss function, or the program's own formula, is not."""
        for call in one.calls:
            if call.value is not None and not finite(self.torch, call.value):
                inputs = [part for part in (call.output, call.target) if part is not None]
                self.tell("loss", step, operation=call.name, place=call.place, inputs=inputs)
                return
        operation, inputs = bad_node(self.torch, loss)
        self.tell("loss", step, operation=operation, place=self.line_of(operation, place), inputs=inputs)

    def line_of(self, operation, place):
        """The line of the program that runs an operation on the way to ``place``."""
        if place is None or not operation:
            return place
        found = source.line_of(self.recorder.frames.whole(place[0]), place[1], operation)
        return place if found is None else (place[0],) + found

    # Backward

    def after_backward(self, one, tensors):
        """A small parameter near the input shows whether any gradient is NaN."""
        if one is None or self.found or not (self.recorder.clock.rich or self.observer.sampling):
            return
        sentinel = self.sentinel(one.record)
        gradient = sentinel.grad if sentinel is not None else None
        if gradient is None or gradient.is_sparse or gradient.device.type != "cpu":
            return
        if math.isfinite(gradient.detach().sum().item()):
            return
        with self.recorder.guard("the first bad gradient"):
            self.look_backward(one, tensors)

    def sentinel(self, record):
        known = self.sentinels.get(record.name)
        if known is None:
            trainable = [
                parameter for _, module, _ in record.ordered() for parameter in parameters_of(module)
                if parameter.requires_grad and parameter.numel() <= MOST_SENTINEL
            ]  # fmt: skip
            known = self.sentinels[record.name] = (trainable[0] if trainable else None,)
        return known[0]

    def look_backward(self, one, tensors):
        step, place = self.recorder.step, self.observer.turn.place
        gradient = one.reach.gradient
        loss = tensors if isinstance(tensors, self.torch.Tensor) else next(iter(tensors))
        if gradient is None or not finite(self.torch, gradient):
            operation = sharp_node(loss)
            self.tell("backward", step, operation=operation, place=self.line_of(operation, place))
            return
        first = Replay(self.recorder, self.observer, one).first_bad_gradient(gradient)
        if first is None:
            self.tell("backward", step, layer=self.bad_gradient(one.record), place=one.place)
        else:
            operation, layer, found = first
            self.tell("backward", step, layer=layer, operation=operation, place=found or one.place)

    def bad_gradient(self, record):
        """The last layer, in the order of use, whose gradient is NaN: the backward pass reaches it first."""
        for name, module, _ in reversed(record.ordered()):
            given = [parameter.grad for parameter in parameters_of(module) if parameter.grad is not None]
            if not all(finite(self.torch, gradient) for gradient in given):
                return name
        return ""


class Replay(object):
    """Runs a forward pass again on a copy."""

    def __init__(self, recorder, observer, one):
        self.recorder = recorder
        self.observer = observer
        self.torch = sys.modules["torch"]
        self.one = one
        self.layers = []
        self.no_number = self.too_large = None
        self.made = {}

    @contextlib.contextmanager
    def prepared(self):
        """A copy of the model; everything that running it could touch is put back."""
        if sum(part.numel() for part in self.one.module.parameters()) > MOST_PARAMETERS:
            raise ValueError("the model is too large to be copied")
        self.observer.paused = True
        with RandomStates(self.torch), contextlib.redirect_stdout(io.StringIO()):
            try:
                model = copy.deepcopy(self.one.module)
                names = self.one.record.names
                for original, part in zip(self.one.module.modules(), model.modules()):
                    name = names.get(id(original), "")
                    part.register_forward_pre_hook(lambda module, inputs, name=name: self.layers.append(name))
                    part.register_forward_hook(self.left)
                yield model
            finally:
                self.observer.paused = False

    def left(self, module, inputs, result):
        self.layers.pop()

    def layer(self):
        return next((name for name in reversed(self.layers) if name), "")

    def first_bad(self):
        """Operation, layer, place and inputs of the first function that made a bad number out of good ones."""
        mode = make_mode(self.torch)
        if mode is None:
            return None
        with self.prepared() as model, self.torch.no_grad(), mode(self.saw):
            model(*self.one.arguments, **self.one.named)
        return self.too_large or self.no_number

    def saw(self, func, arguments, result):
        if self.too_large is not None or self.no_number is not None:
            return
        outputs = [part for part in tensors_in(result, 4) if is_plain(part) and part.is_floating_point()]
        given = [part for part in tensors_in(arguments, 6) if is_plain(part) and part.is_floating_point()]
        with quiet(self.torch):
            if not given or not outputs or all(finite(self.torch, part) for part in outputs):
                return
            bad = any(bool(self.torch.isnan(part).any()) for part in outputs)
            clean = not any(bool(self.torch.isnan(part).any()) for part in given)
            whole = all(finite(self.torch, part) for part in given)
        found = (function_name(func), self.layer(), self.recorder.place(1), given)
        if bad and clean:
            self.no_number = found
        elif not bad and whole and not writes_infinity(arguments):
            self.too_large = found

    def first_bad_gradient(self, gradient):
        """Operation, layer and place of the first node whose derivative is bad although what reached it was good."""
        mode = make_mode(self.torch)
        if mode is None:
            return None
        found = []
        with self.prepared() as model, self.torch.enable_grad(), mode(self.remember):
            result = model(*self.one.arguments, **self.one.named)
            outputs = [part for part in tensors_in(result, 3) if part.grad_fn is not None]
            for node in nodes_of(outputs[0].grad_fn):
                node.register_hook(lambda inputs, outputs, node=node: self.judge(node, inputs, outputs, found))
            outputs[0].backward(gradient)
        if not found:
            return None
        operation, layer, place = self.made.get(found[0], (node_name(found[0]), "", None))
        return operation, layer, place

    def remember(self, func, arguments, result):
        for part in tensors_in(result, 2):
            if part.grad_fn is not None and part.grad_fn not in self.made:
                self.made[part.grad_fn] = (function_name(func), self.layer(), self.recorder.place(1))

    def judge(self, node, inputs, outputs, found):
        if found:
            return
        bad = any(part is not None and not finite(self.torch, part) for part in inputs)
        if bad and all(part is None or finite(self.torch, part) for part in outputs):
            found.append(node)


class RandomStates(object):
    """Every random generator as it was."""

    def __init__(self, torch):
        self.torch = torch

    def __enter__(self):
        self.python = random.getstate()
        numpy = sys.modules.get("numpy")
        self.numpy = numpy.random.get_state() if numpy is not None else None
        self.cpu = self.torch.get_rng_state()
        self.cuda = self.torch.cuda.get_rng_state_all() if self.torch.cuda.is_initialized() else None

    def __exit__(self, kind, error, trace):
        random.setstate(self.python)
        if self.numpy is not None:
            sys.modules["numpy"].random.set_state(self.numpy)
        self.torch.set_rng_state(self.cpu)
        if self.cuda is not None:
            self.torch.cuda.set_rng_state_all(self.cuda)


def finite(torch, tensor):
    """Whether all values are numbers; what cannot be read passes."""
    if not is_plain(tensor) or not (tensor.is_floating_point() or tensor.is_complex()) or not tensor.numel():
        return True
    return bool(torch.isfinite(tensor.detach()).all())


def writes_infinity(arguments):
    """Masks are filled with infinity on purpose."""
    return any(isinstance(part, float) and math.isinf(part) for part in arguments)


def function_name(func):
    name = getattr(func, "__name__", str(func))
    if name == "__get__":
        return str(getattr(getattr(func, "__self__", None), "__name__", name))
    return name.strip("_")


def node_name(node):
    """log for LogBackward0."""
    return node.name().split("Backward")[0].lower() if hasattr(node, "name") else ""


def nodes_of(start):
    """The nodes of a graph, those near the start first."""
    waiting, seen, found = [start], set(), []
    while waiting and len(found) < MOST_NODES:
        node = waiting.pop(0)
        if node is None or node in seen:
            continue
        seen.add(node)
        found.append(node)
        waiting.extend(following for following, _ in node.next_functions)
    return found


def bad_node(torch, loss):
    """Name and operands of the earliest operation of a formula whose operands are good and whose result is not."""
    if loss.grad_fn is None:
        return "", []
    for node in reversed(nodes_of(loss.grad_fn)):
        name, operands = node_name(node), saved(torch, node)
        with quiet(torch):
            if operands and makes_bad(torch, name, operands, getattr(node, "_saved_exponent", None)):
                # Roots and exponentials keep what they returned instead of what they were given.
                return name, [value for key, value in operands.items() if key != "result"]
    return "", []


def saved(torch, node):
    """The tensors that a node keeps for its derivative, by name."""
    found = {}
    for name in dir(node):
        if name.startswith("_saved_"):
            try:
                value = getattr(node, name)
            except RuntimeError:
                continue
            if isinstance(value, torch.Tensor) and is_plain(value) and value.is_floating_point():
                found[name[len("_saved_") :]] = value.detach()
    return found


def makes_bad(torch, name, operands, exponent=None):
    """Whether an operation is undefined for its operands or too large to be a number."""
    given, other, result = operands.get("self"), operands.get("other"), operands.get("result")
    if result is not None:
        return not finite(torch, result)
    if given is None or not finite(torch, given) or (other is not None and not finite(torch, other)):
        return name == "div" and other is not None and bool((other == 0).any())
    if name in ("log", "log2", "log10", "log1p"):
        return not finite(torch, getattr(torch, name)(given))
    if name == "div" and other is not None:
        return bool((other == 0).any())
    if name == "mul" and other is not None:
        return not finite(torch, given * other)
    if name == "pow" and isinstance(exponent, (int, float)):
        return not finite(torch, given**exponent)
    return False


def sharp_node(loss):
    """The operation between output and loss whose derivative most likely blew up."""
    names = [node_name(node) for node in nodes_of(loss.grad_fn)] if loss.grad_fn is not None else []
    return next((name for name in SHARP if name in names), "")
