"""Numbers for words; the index is kept in a file between training and use."""

import numpy as np


def build_index(sentences):
    words = sorted({word for sentence in sentences for word in sentence})
    return {word: number for number, word in enumerate(words, 1)}


def save_index(path, index):
    np.save(path, index)


def load_index(path):
    return np.load(path, allow_pickle=True).item()


def encode(sentence, index, length):
    numbers = [index.get(word, 0) for word in sentence][:length]
    return numbers + [0] * (length - len(numbers))
