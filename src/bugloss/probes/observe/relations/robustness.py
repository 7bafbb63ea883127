"""How the trained model answers to its batch, to the batch with noise, and to the batch changed against it (FGSM).

Nothing has to agree here: the numbers are compared before and after a patch.
"""

import random

from ..relation import SLOW, Untold, batched_answers, unknown

FAMILY, COST = "robustness", SLOW
SHARE = 0.1  # of the deviation of an input: noise that a person would hardly see


def ask(subject, allowance):
    batched_answers(subject)
    outputs = subject.trained_answers()
    facts = measured(subject, outputs, "clean")
    facts.update(measured(subject, answers_to(subject, noises(subject)), "noise"))
    try:
        against = subject.trained_pull(subject.output_gradient(outputs))
        facts.update(measured(subject, answers_to(subject, [steps(one) for one in against]), "fgsm"))
    except Untold:
        pass
    return unknown(**facts)


def answers_to(subject, directions):
    """Outputs for the batch moved along directions, each by a share of the deviation of its input."""
    moved = [
        part if direction is None else part + (SHARE * float(part.std()) * direction).astype(part.dtype)
        for part, direction in zip(subject.parts(), directions)
    ]
    return subject.trained_answers(subject.given(moved))


def noises(subject):
    """One random sign for each number of an input, always the same; None for integers."""
    draw = random.Random(0)
    return [signs(part, draw) if part.dtype.kind == "f" else None for part in subject.parts()]


def signs(part, draw):
    drawn = part * 0 + 1
    flat = drawn.reshape(-1)
    for place in range(flat.size):
        flat[place] = draw.choice((-1, 1))
    return flat.reshape(part.shape)


def steps(gradient):
    """The sign of every number of a gradient."""
    return None if gradient is None else (gradient > 0) * 1.0 - (gradient < 0) * 1.0


def measured(subject, outputs, name):
    """The loss, and the accuracy where targets are class indices."""
    facts = {name + "_loss": subject.judge_outputs(outputs)}
    try:
        target = subject.target()
    except Untold:  # the loss is still known
        return facts
    if outputs.ndim == 2 and target.ndim == 1 and target.dtype.kind in "iu" and outputs.shape[1] > 1:
        facts[name + "_accuracy"] = float((outputs.argmax(axis=1) == target).mean())
    return facts
