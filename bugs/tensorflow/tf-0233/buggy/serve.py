"""Answers requests for the sort of a tea leaf."""

import tempfile

import tensorflow as tf

from leaves import SORTS, pluck
from training import train_and_export


class Service:
    def __init__(self, folder, threshold=0.9):
        self.model = tf.saved_model.load(folder)
        self.threshold = threshold

    def answer(self, leaf):
        """The sort, or None when it is not sure."""
        confidences = self.model.classify(leaf[None])[0].numpy()
        best = int(confidences.argmax())
        return SORTS[best] if confidences[best] >= self.threshold else None


def start(seed=0):
    folder = tempfile.mkdtemp()
    train_and_export(folder, seed)
    return Service(folder)


def main():
    service = start()
    for leaf, sort in zip(*pluck(8, 700)):
        print("%s, answered %s" % (SORTS[sort], service.answer(leaf)))


if __name__ == "__main__":
    main()
