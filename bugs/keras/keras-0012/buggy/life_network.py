"""Teaches a small CNN the rule of Conway's Game of Life from random boards."""

import numpy as np
from keras import backend as K
from keras.layers import Conv2D
from keras.models import Sequential
from keras.optimizers import Adam

SIZE = 10


def next_generation(boards):
    """One step of the game on boards whose edges meet."""
    shifts = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
    neighbours = sum(np.roll(boards, shift, axis=(1, 2)) for shift in shifts)
    return ((neighbours == 3) | ((boards == 1) & (neighbours == 2))).astype("float32")


def make_boards(count, rng):
    """Random boards with a frame that repeats the opposite edge, and what becomes of them."""
    boards = (rng.uniform(size=(count, SIZE, SIZE)) < 0.4).astype("float32")
    framed = np.pad(boards, ((0, 0), (1, 1), (1, 1)), mode="wrap")
    return framed[..., np.newaxis], next_generation(boards)[..., np.newaxis]


def life_network(filters=32, channels=16):
    model = Sequential()
    model.add(Conv2D(filters, 3, activation="relu", input_shape=(SIZE + 2, SIZE + 2, 1)))
    model.add(Conv2D(channels, 1, activation="relu"))
    model.add(Conv2D(1, 1, activation="sigmoid"))
    model.compile(optimizer=Adam(), loss="mse")
    return model


def train(seed, epochs=6, verbose=0):
    """Returns the shares of living cells found and of cells right on 100 new boards."""
    K.clear_session()
    np.random.seed(seed)
    rng = np.random.RandomState(seed)
    boards, later = make_boards(400, rng)
    model = life_network()
    model.fit(boards, later, batch_size=20, epochs=epochs, verbose=verbose)
    boards, later = make_boards(100, rng)
    alive = model.predict(boards) > 0.5
    return alive[later == 1].mean(), (alive == later).mean()


if __name__ == "__main__":
    found, right = train(seed=0, verbose=2)
    print("living cells found %.3f, cells right %.3f" % (found, right))
