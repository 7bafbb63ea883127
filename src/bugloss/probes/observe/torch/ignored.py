"""Labels that a loss leaves out: padding is at the ends of sequences, a real class between others."""

from .layers import quiet
from .numbers import is_plain, tensors_in

MOST_LOOKS = 8
LEAST_ROWS = 16
OFTEN = 0.3  # of these have it between others: padding never has
MASKED = 0.5  # of the inputs at scored places are one symbol: a model that fills in masked words scores few places


class IgnoredLabels(object):
    """Looks at the first calls of losses with ``ignore_index`` on labels of sequences."""

    def __init__(self, recorder, observer):
        self.recorder, self.observer, self.torch = recorder, observer, observer.torch
        self.looks = self.rows = self.between = 0
        self.told = False

    def look(self, call, ignored):
        if self.told or self.looks >= MOST_LOOKS or not isinstance(ignored, int) or ignored < 0:
            return
        one = self.observer.current
        target, output = call.target, call.output
        if one is None or target is None or output is None or not is_plain(target) or target.is_floating_point():
            return
        words = next((part for part in tensors_in((one.arguments, one.named), 2) if is_words(part)), None)
        if words is None or words.numel() != target.numel() or ignored >= output.shape[1 if output.dim() > 1 else 0]:
            return
        with self.recorder.guard("labels that are left out"), quiet(self.torch):
            self.looks += 1
            self.count(words, target.reshape(words.shape), ignored)
            if self.rows >= LEAST_ROWS and self.between > OFTEN * self.rows:
                self.told = True
                self.recorder.occasion(
                    "ignored-between-others", call.place, ignored=ignored, rows=self.rows, between=self.between
                )

    def count(self, words, labels, ignored):
        left_out = labels == ignored
        scored = words[~left_out]
        if not scored.numel() or scored.unique(return_counts=True)[1].max() > MASKED * scored.numel():
            return
        places = self.torch.arange(labels.shape[1])
        for row in left_out:
            if not row.any() or row.all():
                continue
            kept = places[~row]
            self.rows += 1
            self.between += bool(row[int(kept[0]) : int(kept[-1]) + 1].any())


def is_words(part):
    return is_plain(part) and part.dim() == 2 and not part.is_floating_point() and part.shape[1] > 2
