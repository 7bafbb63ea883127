"""Sentences of word vectors, and what they are to be turned into."""

import numpy as np

SIZE, LENGTH, VOCABULARY = 12, 6, 20


def word_vectors():
    return np.random.RandomState(3).normal(0, 0.5, (VOCABULARY, SIZE)).astype("float32")


def make_phrases(count, seed):
    """Source, targets (the words backwards), and the targets moved by one step for the decoder."""
    words = np.random.RandomState(seed).randint(VOCABULARY, size=(count, LENGTH))
    vectors = word_vectors()
    source, targets = vectors[words], vectors[words[:, ::-1]]
    shifted = np.concatenate([np.zeros_like(targets[:, :1]), targets[:, :-1]], axis=1)
    return source, shifted, targets
