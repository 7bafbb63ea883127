"""Teaches a small network the majority vote of three switches.

The truth table is written down by hand, row by row; the network has five hidden units and one
output, which should be near 1 when at least two of the three switches are on.
"""

import keras
import numpy as np
from keras import layers


def truth_table():
    """Every setting of the three switches and the vote that belongs to it."""
    settings = []
    votes = []
    for first in (0, 1):
        for second in (0, 1):
            for third in (0, 1):
                settings.append([first, second, third])
                votes.append(1 if first + second + third >= 2 else 0)
    return np.array(settings), np.array(votes)


def build_model(inputs):
    """A dense network with five hidden units."""
    model = keras.Sequential(
        [
            keras.Input(shape=(inputs,)),
            layers.Dense(5, activation="sigmoid"),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    optimizer = keras.optimizers.SGD(learning_rate=2.0, momentum=0.9)
    model.compile(loss="mean_squared_error", optimizer=optimizer, metrics=["accuracy"])
    return model


def train(epochs=40):
    """Fits the network to the truth table; returns it with its training history."""
    settings, votes = truth_table()
    model = build_model(inputs=len(settings[0]))
    history = model.fit(settings, votes, epochs=epochs, batch_size=8, verbose=0)
    return model, history


def main():
    keras.utils.set_random_seed(0)
    model, history = train()
    print("last loss %.4f" % history.history["loss"][-1])
    for setting in ([0, 1, 0], [1, 0, 1]):
        vote = float(np.asarray(model(np.array([setting])))[0, 0])
        print("%s -> %.3f" % (setting, vote))


if __name__ == "__main__":
    main()
