"""The model can overfit a few samples.

A break means a fault in the structure: a path that is cut, an activation that does not fit, a constant output.
"""

from ..relation import LESSON, NO_TIME, OVERFIT_STEPS, judged, unknown

FAMILY, COST = "gradients of loss terms", LESSON


def ask(subject, allowance):
    losses = subject.lesson = subject.learn(OVERFIT_STEPS, allowance)
    first, last = losses[0], min(losses[-5:])
    learned = last < 0.5 * first or last < 0.02
    facts = {"first_loss": first, "last_loss": last, "steps": len(losses)}
    if not learned and len(losses) < OVERFIT_STEPS:  # it might have been, with more time
        return unknown(**dict(facts, **NO_TIME))
    return judged(learned, **facts)
