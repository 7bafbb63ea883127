"""Inputs that a step reads in two places and that are always the same, though they were made one by one.

States and next states that hold one array, two views of which none was changed, a target that is the input.
"""

LEAST_ROWS = 8
LEAST_STEPS = 10
MOST_PAIRS = 40
EARLIER = 4  # inputs of the same step that are compared


class EqualInputs(object):
    """Compares the inputs of the passes within each step by their hashes."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.step, self.now, self.pairs = None, [], {}

    def note(self, place, pointer, hashes):
        """A pass over ``hashes`` begins; ``pointer`` is the memory of the batch."""
        if self.recorder.step != self.step:
            self.step, self.now = self.recorder.step, []
        for other, memory, known in self.now[-EARLIER:]:
            if len(known) != len(hashes) or len(hashes) < LEAST_ROWS:
                continue
            pair = (other, place)
            if pair not in self.pairs and len(self.pairs) >= MOST_PAIRS:
                continue
            row = self.pairs.setdefault(pair, [0, 0, 0])  # times, equal, one and the same memory
            row[0] += 1
            row[1] += known == hashes and len(set(hashes)) > 1
            row[2] += memory == pointer
        self.now.append((place, pointer, hashes))

    def finish(self):
        for (first, second), (times, equal, same) in self.pairs.items():
            if times >= LEAST_STEPS and equal == times and not same and None not in (first, second):
                other = self.recorder.site_of(first)
                self.recorder.occasion(
                    "inputs-always-equal", second, times=times, line=other["line"], text=other["text"]
                )
