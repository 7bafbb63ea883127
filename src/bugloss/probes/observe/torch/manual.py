"""Training without an optimizer: weights that the program updates itself are seen by their change."""

import sys

from .layers import quiet
from .weights import UpdateWatch

PROBES = 3


class ManualSteps(object):
    """Compares a few parameters before a forward pass with what they were at the last backward pass."""

    def __init__(self, recorder, observer):
        self.recorder = recorder
        self.observer = observer
        self.remembered = None  # model and what its parameters were
        self.described = False
        self.update = None

    def remember(self, one):
        """A backward pass is over. Where an optimizer has ever stepped, the program does not update weights by hand."""
        steps = [record.steps for _, record in self.observer.optimizers.records.alive()]
        if any(steps) or one is None or one.record.module() is None:
            self.remembered = None
            return
        self.remembered = (one.record, self.state(one.record))
        if self.observer.sampling:
            parameters = list(one.record.module().parameters())
            self.update = UpdateWatch(self.observer.torch, [one.record], parameters)
            self.update.look_before()
            self.update.look_at_gradients()

    def look(self, record):
        """A forward pass begins: if the weights have moved, that was a step."""
        remembered, self.remembered = self.remembered, None
        if remembered is None or remembered[0] is not record or not self.observer.turn.backwards:
            return
        if self.state(record) != remembered[1]:
            if not self.described:
                self.described = True
                count = sum(1 for _ in record.module().parameters())
                self.recorder.emit("optimizer", optimizer="optimizer-0", kind="manual", parameters=count)
            self.observer.update, self.update = self.update, None
            self.observer.stepped_by_hand()

    def state(self, record):
        torch, module = sys.modules["torch"], record.module()
        trainable = [one for one in module.parameters() if one.requires_grad] if module is not None else []
        chosen = trainable[:: max(len(trainable) // PROBES, 1)][:PROBES]
        with quiet(torch):
            return [(one._version, one.detach().reshape(-1)[:256].sum().item()) for one in chosen if one.numel()]
