"""Recognises four bird calls in short sound clips with a one-dimensional convolutional network.

The learning rate starts small and is doubled from epoch to epoch to warm the optimizer up.
"""

import keras
import numpy as np
from keras import layers

SAMPLES = 64
CALLS = {"rising": (4.0, 12.0), "falling": (12.0, 4.0), "low": (4.0, 4.0), "high": (12.0, 12.0)}


def record_clips(count, rng):
    """Clips with one call each, in noise and with a random phase, and the number of the call."""
    labels = rng.integers(len(CALLS), size=count)
    first, last = np.array(list(CALLS.values()))[labels].T[:, :, None]
    time = np.linspace(0.0, 1.0, SAMPLES)
    pitch = rng.uniform(0.8, 1.2, size=(count, 1))
    cycles = pitch * (first * time + 0.5 * (last - first) * time**2)
    clips = np.sin(2.0 * np.pi * (cycles + rng.random((count, 1))))
    clips = clips + rng.normal(0.0, 0.75, size=clips.shape)
    return clips[..., None].astype("float32"), labels


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(SAMPLES, 1)),
            layers.Conv1D(12, 7, strides=2, activation="relu"),
            layers.Conv1D(16, 5, strides=2, activation="relu"),
            layers.Flatten(),
            layers.Dense(24, activation="relu"),
            layers.Dense(len(CALLS), activation="softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.0005),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def warm_up(epoch, rate):
    """The learning rate of an epoch, given that of the epoch before."""
    return rate if epoch == 0 else min(2.0 * rate, 0.004)


def train(seed=0, epochs=12, verbose=0):
    """Trains on 1200 clips; returns the history and the accuracy on 300 other clips."""
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    clips, labels = record_clips(1200, rng)
    model = build_model()
    history = model.fit(
        clips,
        labels,
        batch_size=60,
        epochs=epochs,
        callbacks=[keras.callbacks.LearningRateScheduler(warm_up)],
        verbose=verbose,
    )
    clips, labels = record_clips(300, rng)
    heard = np.asarray(model(clips)).argmax(axis=1)
    return history.history, float((heard == labels).mean())


if __name__ == "__main__":
    history, accuracy = train(verbose=2)
    print("accuracy per epoch:", " ".join("%.2f" % value for value in history["accuracy"]))
    print("accuracy on other clips: %.3f" % accuracy)
