"""Finds frauds among card payments."""

import keras
from keras import layers

from payments import FEATURES, load
from scores import build_metrics


def train(epochs=8):
    detector = keras.Sequential(
        [
            keras.Input(shape=(FEATURES,)),
            layers.Dense(16, activation="relu"),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    detector.compile(optimizer=keras.optimizers.Adam(0.01), loss="binary_crossentropy", metrics=build_metrics())
    detector.fit(*load(3000, seed=0), batch_size=100, epochs=epochs, verbose=0)
    return detector


def evaluate(detector, payments, fraud, batch_size=16):
    """What Keras reports for these payments, by name."""
    return detector.evaluate(payments, fraud, batch_size=batch_size, verbose=0, return_dict=True)


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    detector = train()
    payments, fraud = load(2000, seed=1)
    for batch_size in (8, 16, 200, 2000):
        reported = evaluate(detector, payments, fraud, batch_size)
        print("batches of %4d: accuracy %.3f, f1 %.3f" % (batch_size, reported["accuracy"], reported["f1"]))
