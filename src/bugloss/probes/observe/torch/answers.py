"""Accuracy that a program works out itself: answers compared with labels during an evaluation.

``(outputs.argmax(1) == labels)`` and its like. A comparison counts once it has been checked that one side of it really
is what the model answered; from then on its line is trusted.
"""

import contextlib
import sys

from .layers import quiet
from .numbers import is_plain

MOST_VALUES = 100000


class AnswerWatch(object):
    """Watches comparisons of tensors."""

    def __init__(self, recorder, observer):
        self.recorder = recorder
        self.observer = observer
        self.busy = False
        self.trusted = {}  # line: which side of its comparison is the answer, or None

    def install(self, patches):
        torch = sys.modules["torch"]
        for owner, name in ((torch.Tensor, "__eq__"), (torch.Tensor, "eq"), (torch, "eq")):
            patches.wrap(owner, name, self.wrapper)

    @contextlib.contextmanager
    def aside(self):
        """Within, comparisons are ours."""
        before, self.busy = self.busy, True
        try:
            yield
        finally:
            self.busy = before

    def wrapper(self, original):
        watch = self

        def eq(*arguments, **named):
            result = original(*arguments, **named)
            one = watch.observer.current
            if (
                one is None
                or one.output is None
                or one.corrects is not None
                or watch.observer.forward.inside
                or watch.busy
            ):
                return result
            with watch.aside():  # looking takes comparisons too
                watch.look(one, arguments, result)
            return result

        return eq

    def look(self, one, arguments, result):
        torch = sys.modules["torch"]
        if not self.observer.watching() or not isinstance(result, torch.Tensor) or one.reach.reached:
            return
        pair = [part for part in arguments[:2] if isinstance(part, torch.Tensor)]
        size = one.output.shape[0]
        if len(pair) != 2 or result.shape[:1] != (size,) or result.numel() > MOST_VALUES or not is_plain(result):
            return
        with self.recorder.guard("answers"), self.recorder.clock.work(), quiet(torch):
            place = self.recorder.place(1)
            if place not in self.trusted:
                sides = [is_answer(torch, part, one.output) for part in pair]
                self.trusted[place] = sides.index(True) if True in sides else None
            if self.trusted[place] is not None:
                one.corrects = result.sum() / float(result.numel())
                one.labels = pair[1 - self.trusted[place]]


def is_answer(torch, values, output):
    """Whether these are the classes that the output stands for."""
    if not is_plain(values) or values.device != output.device:
        return False
    row = values.reshape(-1)
    if output.dim() > 1 and output.shape[1] > 1:
        answers = output.argmax(1).reshape(-1)
        return answers.numel() == row.numel() and bool((answers == row).all())
    flat = output.reshape(-1)
    if flat.numel() != row.numel():
        return False
    return any(bool(((flat > threshold) == (row > 0.5)).all()) for threshold in (0.0, 0.5))
