"""Estimates the value of each action of a game from its last four frames."""

import numpy as np
from keras.layers import Convolution2D, Dense, Flatten
from keras.models import Sequential

FRAMES, SIDE, ACTIONS = 4, 28, 3


def make_states(count=96):
    random = np.random.RandomState(2)
    columns = random.randint(2, SIDE - 2, count)
    states = 0.1 * random.uniform(size=(count, FRAMES, SIDE, SIDE))
    for state, column in zip(states, columns):
        state[:, :, column - 2 : column + 2] += 0.8
    values = np.stack([columns < 9, (columns >= 9) & (columns < 18), columns >= 18], axis=1)
    return states.astype("float32"), values.astype("float32")


def build_network():
    model = Sequential()
    model.add(Convolution2D(16, 8, 8, subsample=(4, 4), activation="relu", input_shape=(FRAMES, SIDE, SIDE)))
    model.add(Flatten())
    model.add(Dense(32, activation="relu"))
    model.add(Dense(ACTIONS))
    model.compile(loss="mse", optimizer="adam")
    return model


def main():
    states, values = make_states()
    model = build_network()
    model.fit(states, values, nb_epoch=2, batch_size=16, verbose=2)


if __name__ == "__main__":
    main()
