"""The same batch has the same loss in both modes, once the running statistics have seen it.

A break means running statistics that do not follow the data, or dropout that is far too strong.
"""

from ..relation import SLOW, judged, mean, spread

FAMILY, COST = "modes", SLOW


def ask(subject, allowance):
    train, evaluation = subject.both_modes(allowance)
    usual = mean(train)
    holds = abs(evaluation - usual) <= 0.5 * max(abs(usual), 1e-6) + 3 * spread(train)
    return judged(holds, train_loss=usual, evaluation_loss=evaluation, train_spread=spread(train))
