"""Models beside the one that trains: target networks and averages, which follow it or are left behind."""

import sys
import weakref

from . import models

PROBES = 4  # weights of a model that are compared
VALUES = 512  # of each
LEAST_TURNS = 5  # steps with use of a model: fewer are an evaluation, or a start
MOST_MODELS = 8


class Follower(object):
    """A model that was used, as it was then."""

    def __init__(self, edition, model, name, start, place):
        self.edition, self.model, self.name = edition, weakref.ref(model), name
        self.start, self.place = start, place
        self.shapes = [tuple(part.shape) for part in weights_of(model)]
        self.turns, self.last = 0, None
        self.trains = False
        self.apart = {}


class Followers(object):
    """Every model that is called, until the program is over."""

    def __init__(self, watch):
        self.watch, self.recorder = watch, watch.recorder
        self.known = {}

    def used(self, edition, model, trains=False):
        """A model was called, or makes a step."""
        found = self.known.get(id(model))
        if found is None or found.model() is not model:
            found = self.meet(edition, model)
        if found is None:
            return
        found.trains = found.trains or trains
        if found.last != self.recorder.step:
            found.last = self.recorder.step
            found.turns += 1

    def meet(self, edition, model):
        if len(self.known) >= MOST_MODELS or not weights_of(model):
            return None
        name = self.watch.subject_of(edition, model).name
        found = Follower(edition, model, name, values_of(edition, model), self.recorder.place(2))
        for other in self.known.values():
            if other.shapes == found.shapes and len(found.shapes) > 1 and other.model() is not None:
                apart = distance(values_of(other.edition, other.model()), found.start)
                found.apart[other.name] = apart
                other.apart[found.name] = apart
        self.known[id(model)] = found
        return found

    def finish(self):
        named = {one.name: one for one in self.known.values()}
        for one in named.values():
            if one.trains or one.turns < LEAST_TURNS or one.model() is None:
                continue
            moved = distance(one.start, values_of(one.edition, one.model()))
            for other, apart in one.apart.items():
                main = named.get(other)
                if main is None or not main.trains or main.model() is None:
                    continue
                self.recorder.emit(
                    "copy", model=one.name, of=main.name, turns=one.turns, apart=apart, moved=moved,
                    other_moved=distance(main.start, values_of(main.edition, main.model())), shared=False,
                    site=self.recorder.site_of(one.place),
                )  # fmt: skip


def weights_of(model):
    return models.weights_of(model)


def values_of(edition, model):
    """Some values of some weights, as arrays of their own."""
    numpy = sys.modules["numpy"]
    weights = weights_of(model)
    chosen = weights[:: max(len(weights) // PROBES, 1)][:PROBES]
    return [numpy.array(part).reshape(-1)[:VALUES].astype("float64") for part in edition.values(chosen)]


def distance(one, other):
    """How far apart two sets of values are, relative to the size of the first."""
    if len(one) != len(other) or not one or any(left.shape != right.shape for left, right in zip(one, other)):
        return None
    gap = sum(float(((left - right) ** 2).sum()) for left, right in zip(one, other))
    size = sum(float((left**2).sum()) for left in one)
    return (gap / size) ** 0.5 if size else None
