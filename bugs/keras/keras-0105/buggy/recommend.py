"""Learns who likes what and prints three books for one reader."""

import keras
import numpy as np

from dot_model import build_model
from ratings import columns, load_ratings, split


def train(rows, epochs=4):
    n_readers = len(np.unique(rows[:, 0]))
    n_books = len(np.unique(rows[:, 1]))
    model = build_model(n_readers, n_books)
    training, held_out = split(rows)
    inputs, stars = columns(training)
    model.fit(inputs, stars, batch_size=64, epochs=epochs, validation_data=columns(held_out), verbose=0)
    return model


def best_books(model, reader, rows, count=3):
    """The books with the highest estimates that this reader has not rated yet."""
    known = rows[rows[:, 0] == reader, 1]
    open_books = np.setdiff1d(rows[:, 1], known).astype("int32")
    estimates = model.predict([np.full(len(open_books), reader, "int32"), open_books], verbose=0)
    return open_books[np.argsort(-estimates[:, 0])][:count]


def main():
    keras.utils.set_random_seed(0)
    rows = load_ratings()
    model = train(rows)
    print("books for reader 7:", best_books(model, 7, rows))


if __name__ == "__main__":
    main()
