"""The learning rate in use is one with which a short training lowers the loss and does not diverge.

A break means that it is a thousand times too small, or large enough to diverge.
"""

from ..relation import LATER, NO_TIME, judged, unknown

FAMILY, COST = "numbers", LATER
RATES = tuple(10.0**exponent for exponent in range(-6, 2))


def ask(subject, allowance):
    losses, used = [], subject.rate
    rates = RATES + ((used,) if used is not None and used > RATES[-1] else ())
    for rate in rates:
        if allowance.spent:
            return unknown(**NO_TIME)
        losses.append(subject.short_training(rate))
    finite = [(loss, rate) for loss, rate in zip(losses, rates) if loss == loss and loss < 1e6]
    facts = {"rates": list(rates), "losses": losses}
    if used is None or not finite:
        return unknown(**facts)
    best = min(finite)[1]
    first = subject.short_training(0.0)
    bursts = [rate for loss, rate in zip(losses, rates) if rate > best and not loss < 2 * first]
    facts.update(best=best, used=used, diverges_at=min(bursts) if bursts else None)
    return judged(best / 1000 <= used and (not bursts or used < min(bursts)), **facts)
