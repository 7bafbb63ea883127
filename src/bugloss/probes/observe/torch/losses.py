"""Loss functions at work: what they were given, what came out, and how many answers were right."""

import sys

from .ignored import IgnoredLabels
from .names import ELEMENTWISE, LOSSES
from .numbers import dtype_of, is_plain, shape_of
from .pairs import PairWatch

ANSWERING = ("cross_entropy", "nll_loss", "binary_cross_entropy", "binary_cross_entropy_with_logits")
MOST_EACH_STEP = 20000  # values of an output that are compared with labels on every step
MOST_SOMETIMES = 1000000
MOST_CLASSES = 64


class SeenLoss(object):
    """One call of a loss function."""

    __slots__ = ("accuracy", "again", "name", "output", "place", "pointer", "size", "target", "value")

    def __init__(self, name, value, place):
        self.name = name
        self.value = value  # without its graph, which is not ours to keep
        self.place = place
        self.pointer = value.data_ptr() if value is not None and is_plain(value) else 0
        self.size = 0
        self.accuracy = None
        self.again = None  # computes the same loss for other outputs and targets
        self.output = None
        self.target = None


class LossWatch(object):
    """Wraps the losses of ``torch.nn.functional``, which the loss modules call too."""

    def __init__(self, recorder, observer):
        self.recorder = recorder
        self.observer = observer
        self.busy = False
        self.described = set()
        self.ignored = IgnoredLabels(recorder, observer)
        self.pairs = PairWatch(recorder, observer)

    def install(self, patches):
        functional = sys.modules["torch"].nn.functional
        for name in LOSSES:
            patches.wrap(functional, name, lambda original, name=name: self.wrapper(name, original))

    def wrapper(self, name, original):
        watch, guard, work = self, self.recorder.guard("a loss function"), self.recorder.clock.work()

        def loss(*arguments, **named):
            if watch.busy or not watch.observer.watching():
                return original(*arguments, **named)
            watch.busy = True
            try:
                result = original(*arguments, **named)
            finally:
                watch.busy = False
            with guard, work:
                watch.note(name, arguments, named, result, original)
            return result

        return loss

    def note(self, name, arguments, named, result, original):
        torch = sys.modules["torch"]
        if not isinstance(result, torch.Tensor):
            return
        output = arguments[0] if arguments else named.get("input")
        target = arguments[1] if len(arguments) > 1 else named.get("target")
        call = SeenLoss(name, result.detach() if result.numel() == 1 else None, self.recorder.place(1))
        if isinstance(output, torch.Tensor) and isinstance(target, torch.Tensor) and output.dim():
            call.size = int(output.shape[0])
            call.output = output.detach()
            call.target = target.detach() if target.requires_grad else target
            call.accuracy = self.accuracy(name, call, named)
            if name in ("cross_entropy", "nll_loss"):
                self.ignored.look(call, named.get("ignore_index", -100))
                self.pairs.look(call)
        if self.observer.properties is not None:
            call.again = repeated(original, arguments, named)
        weights = [named.get("weight"), named.get("pos_weight")] + list(arguments[2:3])
        weights = [one for one in weights if isinstance(one, torch.Tensor)]
        self.describe(call, output, target, named, result, weights)
        self.observer.loss_called(call)
        if call.target is not None:
            self.observer.ledger.mark_target(self.observer.current, call.target)

    def accuracy(self, name, call, named):
        """How many answers of a classifier were right, as a tensor that is read later."""
        closely = self.observer.looks_closely() or self.observer.evaluates()
        if name not in ANSWERING or not (closely or self.recorder.clock.rich):
            return None
        if call.output.numel() > (MOST_SOMETIMES if closely else MOST_EACH_STEP) or not is_plain(call.output):
            return None
        with self.observer.answers.aside():  # our own comparison is not the program's
            return right_answers(name, call.output, call.target, named.get("ignore_index", -100))

    def describe(self, call, output, target, named, result, weights):
        torch = sys.modules["torch"]
        pair = isinstance(output, torch.Tensor) and isinstance(target, torch.Tensor)
        broadcast = pair and call.name in ELEMENTWISE and output.shape != target.shape
        swapped = pair and target.requires_grad and not output.requires_grad
        key = (call.name, call.place, broadcast, swapped)
        if key in self.described:
            return
        self.described.add(key)
        kind, logits = LOSSES[call.name]
        reduction = named.get("reduction", "mean") if result.numel() == 1 else "none"
        self.recorder.emit(
            "loss-function", kind=kind, name=call.name, from_logits=logits, reduction=str(reduction),
            site=self.recorder.site_of(call.place), output_shape=shape_of(output) if pair else [],
            target_shape=shape_of(target) if pair else [], target_dtype=dtype_of(target) if pair else "",
            broadcast=bool(broadcast), swapped=bool(swapped),
            weighted=bool(weights), class_weights=class_weights(call.name, weights, named.get("pos_weight")),
        )  # fmt: skip


def class_weights(name, weights, positive):
    """What each class counts, where the loss has weights."""
    if (
        name in ("cross_entropy", "nll_loss")
        and weights
        and is_plain(weights[0])
        and weights[0].numel() <= MOST_CLASSES
    ):
        return [float(one) for one in weights[0].detach().reshape(-1).tolist()]
    if name == "binary_cross_entropy_with_logits" and positive is not None and positive.numel() == 1:
        return [1.0, float(positive)]
    return []


def repeated(original, arguments, named):
    """The same loss, with the same settings, of other outputs and targets."""
    settings = {key: value for key, value in named.items() if key not in ("input", "target")}
    return lambda output, target: original(output, target, *arguments[2:], **settings)


def right_answers(name, output, target, ignored):
    """The share of right answers, or None where answers and labels do not fit together."""
    if name in ("binary_cross_entropy", "binary_cross_entropy_with_logits"):
        threshold = 0.0 if name.endswith("logits") else 0.5
        if output.shape != target.shape:
            return None
        each = share((output > threshold) == (target > 0.5))
        if output.dim() != 2 or output.shape[1] < 3:
            return each
        # One class a sample: nine of ten zeros predicted right says little.
        single = (target.sum(1) == 1).all()
        return sys.modules["torch"].where(single, share(output.argmax(1) == target.argmax(1)), each)
    axis = 1 if output.dim() > 1 else 0
    answers = output.argmax(axis)
    if target.is_floating_point():
        return share(answers == target.argmax(axis)) if target.shape == output.shape else None
    if target.shape != answers.shape:
        return None
    counted = target.numel() - (target == ignored).sum()
    return (answers == target).sum() / counted.clamp(min=1)  # a label that is ignored is nobody's answer


def share(flags):
    return flags.sum() / float(flags.numel())


def formula(loss):
    """How a loss came about, read from its graph: mean(pow(sub))."""
    names, node = [], loss.grad_fn
    while node is not None and hasattr(node, "name") and len(names) < 4:
        names.append(node.name().split("Backward")[0].lower())
        node = node.next_functions[0][0] if node.next_functions else None
    return "(".join(names) + ")" * (len(names) - 1) if names else "custom"


def is_stretched(loss, output):
    """Whether a mean or sum ran over every sample paired with every other, which is how (N, 1) less (N) comes out."""
    sizes = getattr(loss.grad_fn, "_saved_self_sym_sizes", None)
    if not sizes or not output or output[0] < 2 or len(sizes) < 2:
        return False
    flat = len(output) == 1 or (len(output) == 2 and output[1] == 1)
    return flat and [int(size) for size in sizes][-2:] == [output[0], output[0]]
