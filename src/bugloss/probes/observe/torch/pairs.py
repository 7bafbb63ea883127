"""Contrastive losses: whether the rows that targets declare to be a pair are views of one sample.

A loss over all similarities of a batch says for each row which other row belongs to it. Which rows really do is seen in
the inputs: two views of one sample are each other's nearest. Where a program puts two outputs together, one after the
other or in turns, is seen in the similarities themselves.
"""

import itertools

from .layers import quiet
from .numbers import is_plain, tensors_in

MOST_LOOKS, MOST_STEPS = 3, 20
RECENT = 4  # an encoder and a projection for each view
LEAST_ROWS, MOST_ROWS = 8, 1024
MOST_VALUES = 4000000
SURE = 0.5  # of the rows have a partner that is certain
NONE = 0.2  # of these agree with the targets
EQUAL, OTHER = 0.99, 0.95  # correlation of similarities with those of the right order, and with those of another


class PairWatch(object):
    """Looks at the first losses over square similarities."""

    def __init__(self, recorder, observer):
        self.recorder, self.observer, self.torch = recorder, observer, observer.torch
        self.looks = 0
        self.recent = []  # input and output of the last passes

    def note(self, one):
        """A pass is over; its tensors are held until others come."""
        if self.looks >= MOST_LOOKS or self.recorder.step >= MOST_STEPS:
            self.recent = []
        elif one.gradients and one.output is not None and one.output.dim() == 2:
            given = input_of(one)
            self.recent = (self.recent + [(given, one.output)])[-RECENT:] if given is not None else []

    def look(self, call):
        target, output = call.target, call.output
        if self.looks >= MOST_LOOKS or output is None or target is None or output.dim() != 2 or target.dim() != 1:
            return
        rows = int(output.shape[0])
        if rows != output.shape[1] or rows % 2 or not LEAST_ROWS <= rows <= MOST_ROWS or target.is_floating_point():
            return
        if not is_plain(target) or not is_plain(output) or bool((target == self.torch.arange(rows)).all()):
            return
        self.looks += 1
        recent, self.recent = self.recent, []
        with self.recorder.guard("pairs of a contrastive loss"), quiet(self.torch):
            partner = self.partners(recent, output.detach(), rows)
            if partner is None:
                return
            known = partner >= 0
            if int(known.sum()) < SURE * rows:
                return
            agree = float((partner[known] == target[known]).sum()) / int(known.sum())
            if agree <= NONE:
                self.recorder.occasion("mismatched-pairs", call.place, rows=rows, known=int(known.sum()), agree=agree)

    def partners(self, recent, output, rows):
        """For each row of the similarities the row of the other view of its sample; -1 where that is not certain."""
        for given, made in reversed(recent):
            if len(made) == rows:
                return self.nearest(given)
        for (left, first), (right, second) in itertools.combinations(recent, 2):
            if left.shape != right.shape or first.shape != second.shape or 2 * len(first) != rows:
                continue
            apart = self.nearest(self.torch.cat([left, right]))
            order = self.order(output, first, second)
            if order is not None:
                placed = self.torch.full_like(apart, -1)
                known = apart >= 0
                placed[order[known]] = order[apart[known]]  # rows as the program has put them together
                return placed
        return None

    def nearest(self, given):
        """Rows that are each other's nearest."""
        given = (given - given.mean(0)).reshape(len(given), -1)
        distances = self.torch.cdist(given, given)
        distances.fill_diagonal_(float("inf"))
        near = distances.argmin(1)
        mutual = near[near] == self.torch.arange(len(near))
        return self.torch.where(mutual, near, self.torch.full_like(near, -1))

    def order(self, output, left, right):
        """Where each row of both outputs, one after the other, is in the similarities; None where that is not clear."""
        size = len(left)
        one_by_one = self.torch.arange(2 * size)
        in_turns = self.torch.cat([2 * self.torch.arange(size), 2 * self.torch.arange(size) + 1])
        agreement = [self.agreement(output, left, right, order) for order in (one_by_one, in_turns)]
        if max(agreement) < EQUAL or min(agreement) > OTHER:
            return None
        return one_by_one if agreement[0] > agreement[1] else in_turns

    def agreement(self, output, left, right, order):
        both = self.torch.nn.functional.normalize(self.torch.cat([left, right]).float(), dim=1)
        rows = self.torch.empty_like(both)
        rows[order] = both
        found = rows @ rows.t()
        other = ~self.torch.eye(len(rows), dtype=self.torch.bool) & (output > output[output > -1e4].min() - 1)
        one, two = found[other], output[other].float()
        one, two = one - one.mean(), two - two.mean()
        return float((one * two).sum() / (one.norm() * two.norm() + 1e-12))


def input_of(one):
    """The first input of a pass, one row a sample."""
    found = tensors_in((one.arguments, one.named), 1)
    if not found or not is_plain(found[0]) or not found[0].dim() or len(found[0]) != len(one.output):
        return None
    if found[0].numel() > MOST_VALUES or not found[0].is_floating_point():
        return None
    return found[0].detach().float()
