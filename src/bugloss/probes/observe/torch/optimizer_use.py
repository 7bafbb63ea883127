"""How optimizers are used in the whole run: which never step, and which hold the same parameters and take turns."""

from .optimizers import parameters_of

LEAST_TURNS = 5  # changes from one optimizer to another: fewer are one after the other


class UseCount(object):
    """One optimizer; what is noted here outlives it."""

    def __init__(self, place):
        self.place = place
        self.steps = self.graded = self.parameters = 0
        self.shared = {}


class OptimizerUses(object):
    """Every optimizer that was made, counted at sampled steps."""

    def __init__(self, recorder, book):
        self.recorder, self.book = recorder, book
        self.uses = {}  # by name, in the order of making
        self.last, self.turns = None, 0

    def stepped(self, record):
        if self.last is not None and record.name != self.last:
            self.turns += 1
        self.last = record.name

    def look(self):
        """What can be seen between a backward pass and its step."""
        alive = [(optimizer, self.book.record_of(optimizer)) for optimizer in self.book.known()]
        held = {record.name: {id(one) for one in parameters_of(optimizer)} for optimizer, record in alive}
        for optimizer, record in alive:
            use = self.uses.setdefault(record.name, UseCount(record.place))
            use.steps, use.parameters = record.steps, len(held[record.name])
            use.graded = max(use.graded, sum(1 for one in parameters_of(optimizer) if one.grad is not None))
            for _, other in alive:
                common = len(held[record.name] & held[other.name]) if other is not record and other.steps else 0
                if common and record.steps:
                    use.shared[other.name] = max(common, use.shared.get(other.name, 0))

    def finish(self):
        self.look()
        for name, use in self.uses.items():
            self.recorder.emit(
                "optimizer-use", optimizer=name, steps=use.steps, graded=use.graded, shared=use.shared,
                parameters=use.parameters, alternating=self.turns >= LEAST_TURNS,
                site=self.recorder.site_of(use.place),
            )  # fmt: skip
