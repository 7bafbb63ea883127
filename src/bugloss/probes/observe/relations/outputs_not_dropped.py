"""In training mode no output is set to zero at random.

A break means dropout after the output layer: predictions are thrown away, and the loss counts them.
"""

from ..relation import QUICK, Untold, batched_answers, judged

FAMILY, COST = "modes", QUICK
MOST_ZEROS = 0.02


def ask(subject, allowance):
    evaluation = batched_answers(subject)
    if (evaluation == 0).mean() > MOST_ZEROS / 2:
        raise Untold("outputs are zero in evaluation, too")
    first, second = subject.training_answers()
    if first.shape != evaluation.shape:
        raise Untold("the output has another shape in training mode")
    dropped = ((first == 0) != (second == 0)) & (evaluation != 0)
    share = float(dropped.mean())
    return judged(share <= MOST_ZEROS, lambda: where(subject), share=share)


def where(subject):
    steps = [step for step in subject.trace() if "dropout" in step.operation.lower()]
    return subject.where_of(steps[-1]) if steps else None
