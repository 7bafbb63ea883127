"""True labels are learned faster than the same labels shuffled.

A break means that labels do not belong to their inputs.
"""

from ..relation import LATER, LEARN_STEPS, NO_TIME, Answer, Untold, mean, taught, unknown

FAMILY, COST = "samples", LATER
DEALS = 3  # of labels, at random


def ask(subject, allowance):
    deals = [subject.dealt(number) for number in range(DEALS)]
    if any(same for _, same in deals):
        raise Untold("the shuffled labels are the same as before")
    real, others = taught(subject, allowance), []
    for target, _ in deals:
        others.append(subject.learn(LEARN_STEPS, allowance, target=target))
        if len(others[-1]) != len(real):
            return unknown(**NO_TIME)
    known, dealt = mean(real[-10:]), [mean(other[-10:]) for other in others]
    # A deal may be learned quickly by chance: one alone proves nothing.
    holds = True if known < min(dealt) else False if known >= mean(dealt) else None
    return Answer(holds, {"loss_real": known, "loss_shuffled": mean(dealt)})
