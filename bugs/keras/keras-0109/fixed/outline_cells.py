"""Trains a small network that outlines cells and keeps the weights of its best epoch."""

import os
import tempfile

import keras
from keras import layers

from callbacks import training_callbacks
from micrographs import SIDE, make_micrographs
from overlap import dice


def build_network():
    return keras.Sequential(
        [
            keras.Input(shape=(SIDE, SIDE, 1)),
            layers.Conv2D(8, 3, padding="same", activation="relu"),
            layers.Conv2D(8, 3, padding="same", activation="relu"),
            layers.Conv2D(1, 1, activation="sigmoid"),
        ]
    )


def train(seed=0, epochs=10, verbose=0):
    keras.utils.set_random_seed(seed)
    network = build_network()
    network.compile(optimizer=keras.optimizers.Adam(2e-2), loss="binary_crossentropy", metrics=[dice])
    with tempfile.TemporaryDirectory() as folder:
        weights = os.path.join(folder, "best.weights.h5")
        network.fit(
            *make_micrographs(128, seed),
            validation_data=make_micrographs(48, seed + 1),
            batch_size=16,
            epochs=epochs,
            callbacks=training_callbacks(weights),
            verbose=verbose,
        )
        network.load_weights(weights)
    return network


def main():
    network = train(verbose=2)
    images, masks = make_micrographs(48, seed=2)
    print("overlap on new micrographs: %.3f" % network.evaluate(images, masks, verbose=0)[1])


if __name__ == "__main__":
    main()
