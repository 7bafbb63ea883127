"""Models that follow another one in their parameters only, so that running statistics stay behind.

A moving average, a target network or a smoothed copy answers in evaluation mode, in which batch norm reads its running
statistics. Whoever updates the parameters of such a model has to bring these buffers along.
"""

from .copies import distance

MOST_LOOKS = 12  # at one model
CHANGED = 1e-4  # of the weights: more than rounding
FOLLOWS = 0.8  # relative distance between weights: independent ones are further apart


class StatisticsWatch(object):
    """Compares running statistics of a model that is not trained with those of its like that is."""

    def __init__(self, recorder, observer, copies):
        self.recorder, self.observer, self.copies = recorder, observer, copies
        self.first = {}  # model: step, weights and statistics at its first use
        self.looks = {}
        self.told = set()

    def used(self, one):
        """A pass of a model begins."""
        name = one.record.name
        if one.training or one.record.in_training or name in self.told or not self.observer.steps_taken:
            return
        looks = self.looks.get(name, (0, -1))
        if looks[0] >= MOST_LOOKS or looks[1] == self.observer.steps_taken or looks[0] > 3 and looks[0] % 2:
            self.looks[name] = (looks[0] + (looks[1] != self.observer.steps_taken), self.observer.steps_taken)
            return
        self.looks[name] = (looks[0] + 1, self.observer.steps_taken)
        with self.recorder.guard("running statistics"):
            self.look(one)

    def look(self, one):
        name, follower = one.record.name, self.copies.companions.get(one.record.name)
        statistics = statistics_of(one.module)
        leader = self.leader_of(follower) if follower is not None and statistics else None
        theirs = statistics_of(leader.record.module()) if leader is not None else []
        if len(theirs) != len(statistics) or not moved(theirs):
            return
        weights = self.copies.values_of(one.module)
        if name not in self.first:
            self.first[name] = (weights, [part.clone() for part in statistics], [part.clone() for part in theirs])
        apart = distance(self.copies.values_of(leader.record.module()), weights)
        follows = apart is not None and apart < FOLLOWS and changed(leader.start, weights)
        if (follows and not moved(statistics)) or self.stayed(name, weights, statistics, theirs):
            self.told.add(name)
            self.recorder.occasion(
                "statistics-left-behind", one.place, layers=len(statistics) // 2, distance=apart,
                untouched=not moved(statistics),
            )  # fmt: skip

    def leader_of(self, follower):
        others = self.copies.companions.values()
        known = [other for other in others if other is not follower and other.shapes == follower.shapes]
        return next((one for one in known if one.record.in_training and one.record.module() is not None), None)

    def stayed(self, name, weights, statistics, theirs):
        """Whether the weights have changed since the first use, and the statistics only in the model that trains."""
        before, own, others = self.first[name]
        if not changed(before, weights) or any(not left.equal(right) for left, right in zip(own, statistics)):
            return False
        return any(not left.equal(right) for left, right in zip(others, theirs))


def statistics_of(module):
    """Running means and variances of all layers that keep them, one after the other."""
    found = []
    for part in module.modules() if module is not None else ():
        mean, variance = getattr(part, "running_mean", None), getattr(part, "running_var", None)
        if mean is not None and variance is not None:
            found += [mean, variance]
    return found


def moved(statistics):
    """Whether any of them differs from what a new layer has."""
    return any(bool((part != place % 2).any()) for place, part in enumerate(statistics))


def changed(before, after):
    gap = distance(before, after)
    return gap is not None and gap > CHANGED
