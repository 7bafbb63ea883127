"""Weights that are made while a step is traced: their first values, which the same step goes on to change.

A model without a declared input shape gets its weights only when its first batch comes. Keras makes them outside the
traced graph, so their values can be read there and then.
"""

import contextlib
import functools
import sys

from . import models


class Births(object):
    """Notes the first values of weights while it is open."""

    def __init__(self, edition, recorder):
        self.edition, self.recorder = edition, recorder
        self.values = {}
        self.kept = []  # what is noted stays alive, so that no other variable takes its identity
        self.undo = None

    def open(self):
        owner, births = self.edition.layer, self
        original = getattr(owner, "_maybe_build", None)
        if original is None:
            return

        def _maybe_build(layer, *arguments, **named):
            answer = original(layer, *arguments, **named)
            with births.recorder.guard("the first values of weights"):
                births.note(layer)
            return answer

        owner._maybe_build = functools.update_wrapper(_maybe_build, original)
        self.undo = lambda: setattr(owner, "_maybe_build", original)

    def note(self, layer):
        new = [weight for weight in models.weights_of(layer) if id(weight) not in self.values]
        if new:
            with sys.modules["tensorflow"].init_scope():
                for weight, value in zip(new, self.edition.values(new)):
                    self.values[id(weight)] = value
                    self.kept.append(weight)

    def knows(self, variable):
        known = self.values.get(id(variable))
        return known is not None and known.shape == tuple(variable.shape)

    def close(self):
        if self.undo is not None:
            self.undo()
            self.undo = None


@contextlib.contextmanager
def borrowed(edition, pairs):
    """The variables of a model with other values for a moment; their own come back bit for bit, whatever happens."""
    kept = edition.values([variable for variable, _ in pairs])
    try:
        for variable, value in pairs:
            variable.assign(value)
        yield
    finally:
        for (variable, _), value in zip(pairs, kept):
            variable.assign(value)
