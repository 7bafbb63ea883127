"""A temporal convolutional network that predicts the next value of a wave."""

import keras
import numpy as np
from tcn import TCN


def make_pieces(count=64):
    starts = np.random.rand(count, 1) * 6
    waves = np.sin(starts + 0.3 * np.arange(13)).astype("float32")
    return waves[:, :12, None], waves[:, 12]


def train():
    inputs = keras.Input(shape=(12, 1))
    features = TCN(nb_filters=8, kernel_size=3, dilations=[1, 2, 4])(inputs)
    model = keras.Model(inputs, keras.layers.Dense(1)(features))
    model.compile(optimizer="adam", loss="mse")
    pieces, targets = make_pieces()
    return model.fit(pieces, targets, epochs=2, verbose=0).history["loss"]


def main():
    print("losses", train())


if __name__ == "__main__":
    main()
