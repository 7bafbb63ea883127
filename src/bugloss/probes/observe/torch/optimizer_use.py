"""How optimizers are used in the whole run: which never step, and which hold the same parameters and take turns."""

from .optimizers import parameters_of

LEAST_TURNS = 5  # changes from one optimizer to another: fewer are one after the other


class UseCount(object):
    """One optimizer; what is noted here outlives it."""

    def __init__(self, place):
        self.place = place
        self.steps = self.graded = self.parameters = 0
        self.shared = {}


MOST_NAMES = 8


class OptimizerUses(object):
    """Every optimizer that was made, counted at sampled steps."""

    def __init__(self, recorder, book):
        self.recorder, self.book = recorder, book
        self.uses = {}  # by name, in the order of making
        self.last, self.turns = None, 0
        self.frozen = set()  # parameters of models that did not require a gradient at some time
        self.unfrozen = False  # whether one of them was met with a gradient and without an optimizer

    def stepped(self, record):
        if self.last is not None and record.name != self.last:
            self.turns += 1
        self.last = record.name
        if record.name in self.uses:
            self.uses[record.name].steps = record.steps

    def look(self):
        """What can be seen between a backward pass and its step."""
        alive = [(optimizer, record) for optimizer, record in self.book.own() if not record.uncounted]
        held = {record.name: {id(one) for one in parameters_of(optimizer)} for optimizer, record in alive}
        for optimizer, record in alive:
            use = self.uses.setdefault(record.name, UseCount(record.place))
            use.steps, use.parameters = record.steps, len(held[record.name])
            use.graded = max(use.graded, sum(1 for one in parameters_of(optimizer) if one.grad is not None))
            for _, other in alive:
                common = len(held[record.name] & held[other.name]) if other is not record and other.steps else 0
                if common and record.steps:
                    use.shared[other.name] = max(common, use.shared.get(other.name, 0))

    def look_at_frozen(self, records):
        """Parameters that were frozen once and have a gradient now, but are in no optimizer."""
        held = {id(one) for optimizer in self.book.known() for one in parameters_of(optimizer)}
        found = []
        for record in records:
            module = record.module()
            for name, one in module.named_parameters() if module is not None else ():
                if not one.requires_grad:
                    self.frozen.add(id(one))
                elif id(one) in self.frozen and one.grad is not None and id(one) not in held:
                    found.append(name)
        if found and not self.unfrozen:
            self.unfrozen = True
            place = next((use.place for use in self.uses.values()), None)
            self.recorder.occasion("unfrozen-outside-optimizer", place, count=len(found), names=found[:MOST_NAMES])

    def finish(self):
        self.look()
        for name, use in self.uses.items():
            self.recorder.emit(
                "optimizer-use", optimizer=name, steps=use.steps, graded=use.graded, shared=use.shared,
                parameters=use.parameters, alternating=self.turns >= LEAST_TURNS,
                site=self.recorder.site_of(use.place),
            )  # fmt: skip
