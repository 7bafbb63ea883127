"""Puts commas into sentences that came without them."""

import os
import tempfile

import numpy as np
from keras.layers import Conv1D, Dense, Embedding
from keras.models import Sequential

import word_index

LENGTH = 12
NOUNS = "dog cat bird tree house road".split()
VERBS = "sees likes follows leaves".split()
LINKS = "but because although while".split()


def sentences(count, seed):
    """Words, and a one for each word that a comma precedes."""
    rng = np.random.RandomState(seed)
    texts, commas = [], np.zeros((count, LENGTH, 1))
    for row in range(count):
        first = [rng.choice(NOUNS), rng.choice(VERBS), rng.choice(NOUNS)]
        second = [rng.choice(LINKS), rng.choice(NOUNS), rng.choice(VERBS), rng.choice(NOUNS)]
        commas[row, 3] = 1
        texts.append(first + second)
    return texts, commas


def train(path):
    texts, commas = sentences(200, seed=0)
    index = word_index.build_index(texts)
    word_index.save_index(path, index)
    x = np.array([word_index.encode(text, index, LENGTH) for text in texts])
    model = Sequential([
        Embedding(len(index) + 1, 8, input_length=LENGTH),
        Conv1D(8, 3, padding="same", activation="relu"),
        Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
    model.fit(x, commas, epochs=40, verbose=0)
    return model


def punctuate(model, path, text):
    index = word_index.load_index(path)
    likely = model.predict(np.array([word_index.encode(text, index, LENGTH)]))[0, :, 0]
    return " ".join("," + word if p > 0.5 else word for word, p in zip(text, likely))


def main():
    path = os.path.join(tempfile.mkdtemp(), "index.npy")
    model = train(path)
    for text in sentences(3, seed=1)[0]:
        print(punctuate(model, path, text))


if __name__ == "__main__":
    main()
