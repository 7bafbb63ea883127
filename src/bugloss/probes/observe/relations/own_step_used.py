"""Where a model is to predict the next step, its output at a step is made from the input at this step as well.

A break means that the latest input is hidden: a causal mask that is off by one and leaves the diagonal out, or inputs
that are shifted twice. What is to be predicted is then two steps away.
"""

import sys

from ..relation import QUICK, Untold, batched_answers, broken, held, tolerance, with_part
from . import causality

FAMILY, COST = "masks, padding, time", QUICK


def ask(subject, allowance):
    parts, before = subject.parts(), batched_answers(subject)
    number = causality.predicted_part(parts, subject.target())
    if number is None or before.ndim < 2 or before.shape[1] != parts[number].shape[1]:
        raise Untold("the model does not predict the next step at every step")
    steps = parts[number].shape[1]
    inputs = subject.given(with_part(parts, number, causality.with_other_end(parts[number])))
    change = float(abs(before - subject.answers(inputs))[:, -1].max())
    facts = {"largest_change": change, "position": steps - 1}
    if not change > tolerance(before) / 100:
        return broken(where(subject, inputs, steps), **facts)
    masked = next((step for step in subject.trace() if leaves_itself_out(step, steps)), None)
    return broken(subject.where_of(masked), **facts) if masked is not None else held(**facts)


def where(subject, inputs, steps):
    """The first operation on steps that no longer changes with the last one."""

    def hides(old, new):
        return steps in old.shape[1:] and not (old != new).any()

    return subject.first_break(inputs, hides)


def leaves_itself_out(step, steps):
    """Whether weights of attention are zero for later steps, and for the step itself."""
    numpy, values = sys.modules["numpy"], step.values
    if "softmax" not in step.operation.lower() or values.ndim < 3 or values.shape[-2:] != (steps, steps):
        return False
    rows = values.reshape(-1, steps, steps)[:, 1:, 1:]  # the first step sees itself, or it would see nothing
    return bool((numpy.triu(rows) == 0).all() and (rows != 0).any())
