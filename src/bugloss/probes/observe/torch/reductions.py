"""How the terms of a loss are reduced, read from the graph of autograd."""

from ..ledger.reductions import View, uneven

FUSED = {
    "MseLossBackward", "BinaryCrossEntropyBackward", "BinaryCrossEntropyWithLogitsBackward", "SmoothL1LossBackward",
    "HuberLossBackward", "L1LossBackward",
}  # fmt: skip
PASSING = ("View", "Reshape", "Squeeze", "Unsqueeze", "Clone", "ToCopy", "Alias", "UnsafeView")
LOOKS = (0, 1, 10, 50, 150, 400)  # steps: a weight may grow from 0


def look(recorder, loss, step, place):
    """Notes a mean over the values of a sample beside a sum over those of another."""
    if step not in LOOKS or loss.grad_fn is None:
        return
    with recorder.guard("the terms of a loss"):
        found = uneven(loss.grad_fn, view, id, names)
        if found is not None:
            recorder.occasion("mean-beside-sum", place, averaged=found[0], added=found[1])


def names(node):
    return name_of(node).replace("Backward", "").lower(), behind(node)


def name_of(node):
    return node.name().rstrip("0123456789")


def behind(node):
    return [one for one, _ in node.next_functions]


def view(node):
    name, following = name_of(node), behind(node)
    real = [one for one in following if one is not None]
    if name in ("AddBackward", "SubBackward") and len(real) == 2 and getattr(node, "_saved_alpha", 1) == 1:
        return View("add", real)
    if name in ("AddBackward", "SubBackward", "NegBackward") and len(real) == 1:
        return View("scale", real)
    if name in ("MulBackward", "DivBackward") and len(real) == 1:
        factor = constant(node)
        if factor is None:
            return View("other", real)
        return View("scale", real, factor if name == "MulBackward" else 1.0 / factor if factor else 0.0)
    if name in ("MeanBackward", "SumBackward") and len(real) == 1:
        count = reduced(node)
        return View("reduce", real, averaged=count) if name == "MeanBackward" else View("reduce", real, added=count)
    if name in FUSED:
        return fused(node, real)
    if name.startswith(PASSING) and len(real) == 1:
        return View("scale", real)
    return View("other", real)


def constant(node):
    """The number that a tensor is multiplied with or divided by."""
    other = getattr(node, "_saved_other", None)
    if other is None:
        other = getattr(node, "_saved_self", None)
    return float(other) if other is not None and other.numel() == 1 else None


def reduced(node):
    """How many values of one sample a sum or a mean takes together; samples are the first axis."""
    sizes = [int(size) for size in node._saved_self_sym_sizes]
    axes = getattr(node, "_saved_dim", None)
    if axes is None:
        axes = range(len(sizes))
    axes = [axis - 2**64 if axis > 2**63 else axis for axis in axes] or range(len(sizes))
    axes = {axis % len(sizes) for axis in axes} if sizes else set()
    count = 1
    for axis in axes:
        count *= sizes[axis] if axis else 1
    return count


def fused(node, real):
    """A loss function of PyTorch: 0 stands for no reduction, 1 for the mean, 2 for the sum."""
    given = getattr(node, "_saved_self", None)
    kind = getattr(node, "_saved_reduction", 0)
    count = given[0].numel() if given is not None and given.dim() > 1 else 1
    if kind == 1:
        return View("other", real, averaged=count)
    return View("other", real, added=count if kind == 2 else 1)
