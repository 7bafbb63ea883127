"""``python train_keras3.py MODEL WAY``: trains a small model on noise and prints its training seconds as JSON."""

import json
import sys
import time

import keras
import numpy as np
from keras import layers

EPOCHS = 7


def mlp():
    model = keras.Sequential(
        [
            layers.Input((256,)),
            layers.Dense(512, "relu"),
            layers.Dropout(0.1),
            layers.Dense(512, "relu"),
            layers.Dense(10),
        ]
    )
    return model, (128 * 60, 256), 128


def cnn():
    model = keras.Sequential(
        [
            layers.Input((32, 32, 3)),
            layers.Conv2D(16, 3, padding="same"), layers.BatchNormalization(), layers.ReLU(), layers.MaxPooling2D(),
            layers.Conv2D(32, 3, padding="same"), layers.BatchNormalization(), layers.ReLU(), layers.MaxPooling2D(),
            layers.Flatten(), layers.Dense(64, "relu"), layers.Dense(10),
        ]
    )  # fmt: skip
    return model, (16 * 60, 32, 32, 3), 16


class EveryBatch(keras.callbacks.Callback):
    """What DeepLocalize-style tools do: look at every weight and every layer's output after every batch."""

    def __init__(self, data):
        super().__init__()
        self.data = data

    def on_train_batch_end(self, batch, logs=None):
        value = self.data
        for layer in self.model.layers:
            value = layer(value, training=False)
            output = np.asarray(value)
            np.isfinite(output).all(), np.abs(output).mean()
            for weights in layer.get_weights():
                np.isfinite(weights).all(), np.abs(weights).mean()


class Clock(keras.callbacks.Callback):
    """Counts from the end of the first epoch, which traces and allocates."""

    def on_epoch_end(self, epoch, logs=None):
        if epoch == 0:
            self.start = time.perf_counter()

    def on_train_end(self, logs=None):
        self.seconds = time.perf_counter() - self.start


def main(name, way):
    keras.utils.set_random_seed(0)
    model, shape, size = {"mlp": mlp, "cnn": cnn}[name]()
    x = np.random.default_rng(0).normal(size=shape).astype("float32")
    y = np.random.default_rng(1).integers(0, 10, len(x))
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    clock = Clock()
    watching = [EveryBatch(x[:size])] if way == "every-batch" else []
    print("ready", flush=True)
    sys.stdin.readline()
    model.fit(x, y, batch_size=size, epochs=EPOCHS, verbose=0, callbacks=[clock, *watching])
    steps = (EPOCHS - 1) * (len(x) // size)
    print(json.dumps({"seconds": clock.seconds, "steps": steps}))


if __name__ == "__main__":
    main(*sys.argv[1:3])
