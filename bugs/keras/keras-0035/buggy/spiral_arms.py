"""Separates three intertwined spiral arms of stars by their position.

A network with two hidden layers learns from 1500 stars in batches of 50; positions are scaled so
that the galaxy fits into a circle of radius two.
"""

import keras
import numpy as np
from keras import layers

ARMS = 3


def observe_stars(count, rng):
    """Positions of stars on three noisy spiral arms and the number of each star's arm."""
    arms = rng.integers(ARMS, size=count)
    radius = rng.uniform(0.4, 2.0, size=count)
    angle = 2.0 * np.pi * arms / ARMS + 1.2 * radius + rng.normal(0.0, 0.25, size=count)
    positions = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    return positions.astype("float32"), arms


def build_model():
    hidden = {
        "activation": "tanh",
        "bias_initializer": keras.initializers.Constant(5.0),
    }
    model = keras.Sequential(
        [
            keras.Input(shape=(2,)),
            layers.Dense(32, **hidden),
            layers.Dense(32, **hidden),
            layers.Dense(ARMS, activation="softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.01),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def train(seed=0, epochs=12, verbose=0):
    """Returns the history of the training and the accuracy on 500 other stars."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    positions, arms = observe_stars(1500, rng)
    model = build_model()
    history = model.fit(positions, arms, batch_size=50, epochs=epochs, verbose=verbose)
    positions, arms = observe_stars(500, rng)
    guessed = np.asarray(model(positions)).argmax(axis=1)
    return history.history, float((guessed == arms).mean())


def main():
    history, accuracy = train(verbose=2)
    print("loss per epoch:", " ".join("%.3f" % loss for loss in history["loss"]))
    print("accuracy on other stars: %.3f" % accuracy)


if __name__ == "__main__":
    main()
