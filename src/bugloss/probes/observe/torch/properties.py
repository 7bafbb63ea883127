"""Relations tried on copies of a PyTorch program's models once it is over.

``Taping`` keeps the first steps; each tape becomes a subject. The user's model, optimizer and random numbers are the
same afterwards, to the bit.
"""

import copy
import random
import sys

from ..properties import MOST_PARAMETERS, Asking
from .subject import TorchSubject
from .tape import MOST_TAPES, Taping, hand_made


class TorchProperties(Asking):
    """The subjects of one process, and the way they are taken."""

    def __init__(self, recorder, observer):
        super(TorchProperties, self).__init__(recorder)
        self.observer = observer
        self.torch = sys.modules["torch"]
        self.taping = Taping(observer, affordable)

    def backward(self, loss, place, call):
        """Before a backward pass: the tape ends. Before PyTorch 1.13 a loss of one function is a tape by itself."""
        taping = self.taping
        if taping.kind is not None:
            taping.cut(loss, place)
        elif call is not None and len(taping.tapes) < MOST_TAPES and self.fits(call):
            one = self.observer.current
            tape = hand_made(self.torch, one.record, copy.deepcopy(one.record.module()), one, call)
            if tape is not None and not any(known.place == place for known in taping.tapes):
                tape.place = place
                taping.tapes.append(tape)

    def fits(self, call):
        """Whether the loss judges the model's own output, and a copy is affordable."""
        one = self.observer.current
        module = one.record.module()
        if module is None or one.module is not module or call.output is None or one.output is None:
            return False
        same = call.output.data_ptr() == one.output.data_ptr() and call.output.shape == one.output.shape
        return same and call.target is not None and call.again is not None and affordable(module)

    def try_all(self):
        self.observer.paused = True
        self.taping.off()
        for number, tape in enumerate(self.taping.tapes):
            self.subjects[number] = TorchSubject(self.torch, self.recorder, self.observer.book, tape)
        try:
            super(TorchProperties, self).try_all()
        finally:
            self.observer.paused = False

    def kept_random(self):
        return KeptRandom(self.torch, seed=0)


def affordable(module):
    return sum(part.numel() for part in module.parameters()) <= MOST_PARAMETERS


class KeptRandom(object):
    """Puts every generator back as it was."""

    def __init__(self, torch, seed=None):
        self.torch = torch
        self.seed = seed

    def __enter__(self):
        numpy = sys.modules.get("numpy")
        self.states = (random.getstate(), numpy.random.get_state() if numpy else None, self.torch.get_rng_state())
        self.devices = self.torch.cuda.get_rng_state_all() if self.torch.cuda.is_initialized() else None
        self.gradients = self.torch.is_grad_enabled()
        self.torch.set_grad_enabled(True)
        if self.seed is not None:
            self.torch.manual_seed(self.seed)
            if numpy:
                numpy.random.seed(self.seed)
        return self

    def __exit__(self, *error):
        self.torch.set_grad_enabled(self.gradients)
        python, array, tensor = self.states
        random.setstate(python)
        if array is not None:
            sys.modules["numpy"].random.set_state(array)
        self.torch.set_rng_state(tensor)
        if self.devices is not None:
            self.torch.cuda.set_rng_state_all(self.devices)
        return False
