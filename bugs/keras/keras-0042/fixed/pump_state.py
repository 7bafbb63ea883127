"""Predicts the next pressure of ten pumps; the network remembers what it has read of each pump."""

import numpy as np
from keras.layers import GRU, Dense
from keras.models import Sequential

PUMPS, LENGTH, PIECE = 10, 60, 6


def make_pressures():
    random = np.random.RandomState(9)
    phase = random.uniform(0, 6, (PUMPS, 1))
    return np.sin(np.arange(LENGTH + 1) / 4.0 + phase) + 0.05 * random.normal(size=(PUMPS, LENGTH + 1))


def pieces(pressures):
    for start in range(0, LENGTH - PIECE + 1, PIECE):
        yield pressures[:, start : start + PIECE, None], pressures[:, start + PIECE]


def build_network():
    model = Sequential()
    model.add(GRU(12, batch_input_shape=(PUMPS, PIECE, 1), stateful=True))
    model.add(Dense(1))
    model.compile(loss="mse", optimizer="rmsprop")
    return model


def main():
    pressures = make_pressures()
    model = build_network()
    for epoch in range(2):
        model.reset_states()
        losses = [model.train_on_batch(inputs, targets) for inputs, targets in pieces(pressures)]
        print("epoch %d: loss %.3f" % (epoch, np.mean(losses)))


if __name__ == "__main__":
    main()
