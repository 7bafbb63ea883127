"""How the terms of a loss are reduced, read from the graph that TensorFlow traces."""

import sys

from ..ledger.reductions import View, uneven

SUMS = ("Add", "AddV2", "AddN", "Sub")
PASSING = ("Identity", "Cast", "Reshape", "Squeeze", "Neg", "StopGradient", "EnsureShape", "ExpandDims")
DIVISIONS = ("RealDiv", "Div", "DivNoNan")


def watch(patches, tensorflow, recorder):
    """Every loss that a tape differentiates, in the training step of a model as well."""

    def differentiating(original):
        def gradient(tape, target, *arguments, **named):
            if recorder.active:
                look(recorder, first_of(target), recorder.place(1))
            return original(tape, target, *arguments, **named)

        return gradient

    patches.wrap(tensorflow.GradientTape, "gradient", differentiating)


def first_of(target):
    while isinstance(target, (list, tuple)) and target:
        target = target[0]
    return target


def look(recorder, loss, place):
    """Notes a mean over the values of a sample beside a sum over those of another."""
    with recorder.guard("the terms of a loss"):
        found = uneven(loss.op, view, id, names) if is_traced(loss) else None
        if found is not None:
            recorder.occasion("mean-beside-sum", place, averaged=found[0], added=found[1])


def is_traced(loss):
    """Whether this is a tensor of a graph; what is computed at once has no operation that could be asked."""
    try:
        return loss.op is not None
    except (AttributeError, NotImplementedError, TypeError):
        return False


def names(op):
    return op.type.lower(), behind(op)


def behind(op):
    return [one.op for one in op.inputs]


def view(op):
    following = behind(op)
    if op.type in SUMS and len(following) > 1:
        return View("add", following)
    if op.type in PASSING and following:
        return View("scale", following)
    if op.type == "Mul" and len(following) == 2:
        for place in (0, 1):
            factor = constant(op.inputs[place])
            if factor is not None:
                return View("scale", [following[1 - place]], factor)
    if op.type in DIVISIONS and len(following) == 2:
        factor = constant(op.inputs[1])
        if factor:
            return View("scale", following, 1.0 / factor)
        if following[0].type == "Sum":  # divided by a number of samples that only the batch tells
            return View("reduce", behind(following[0]), averaged=reduced(following[0]))
    if op.type in ("Mean", "Sum") and following:
        count = reduced(op)
        if op.type == "Mean":
            return View("reduce", following, averaged=count)
        return View("reduce", following, added=count)
    return View("other", following)


def constant(tensor):
    """A number that the graph knows, or None."""
    value = sys.modules["tensorflow"].get_static_value(tensor)
    return float(value) if value is not None and getattr(value, "size", 1) == 1 else None


def reduced(op):
    """How many values of one sample a sum or a mean takes together; samples are the first axis."""
    shape = op.inputs[0].shape
    axes = sys.modules["tensorflow"].get_static_value(op.inputs[1]) if len(op.inputs) > 1 else None
    if shape.rank is None or axes is None:
        return 1
    sizes = shape.as_list()
    axes = {int(axis) % len(sizes) for axis in getattr(axes, "flatten", lambda: [axes])()} if sizes else ()
    count = 1
    for axis in axes:
        count *= (sizes[axis] or 1) if axis else 1
    return count
