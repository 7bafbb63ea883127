"""A loss function that takes logits is not given probabilities, and one that takes their logarithms neither.

A break means softmax or sigmoid twice: in the model and in the loss, which then hardly tells right from wrong. It is
tried on every output that has a loss, with inputs as they are and ten times as large: logits are not bound to 0 … 1.
"""

from ..masks import is_whole
from ..relation import QUICK, Untold, broken, held

FAMILY, COST = "numbers", QUICK
LEAST_VALUES = 16  # fewer lie between 0 and 1 by chance
ROWS = ("cross_entropy", "nll_loss", "kl_div")  # over classes


def ask(subject, allowance):
    found = subject.loss_inputs()
    if not found:
        raise Untold("no loss function is known to take logits")
    scaled = subject.loss_inputs(subject.given([part if is_whole(part) else 10 * part for part in subject.parts()]))
    for (name, values, where), (_, others, _) in zip(found, scaled):
        if bounded(name, values) and bounded(name, others):
            return broken(where, loss=name, lowest=float(values.min()), highest=float(values.max()))
    return held(losses=len(found))


def bounded(name, values):
    """Whether all values are probabilities: of a flag each, or of the classes of an axis."""
    if values.dtype.kind != "f" or values.size < LEAST_VALUES or not (values.min() > 0 and values.max() < 1):
        return False
    axis = 1 if values.ndim > 1 else 0
    return name not in ROWS or bool((abs(values.sum(axis=axis) - 1) < 1e-4).all())
