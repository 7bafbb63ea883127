"""Which brain region leads? Classify the direction of flow between electrodes."""
import os
import tempfile

import numpy as np
import keras
from keras import layers

ELECTRODES, SAMPLES = 8, 128
CLASSES = ("front leads", "back leads", "no flow")


class Recorder:
    """Simulates epochs as an amplifier stores them: one row per electrode."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def epoch(self, kind):
        rng = self.rng
        t = np.arange(SAMPLES)
        freq = rng.uniform(0.04, 0.08)
        phase = rng.uniform(0, 2 * np.pi)
        lag = {0: 0.45, 1: -0.45, 2: 0.0}[kind]
        rows = [np.sin(2 * np.pi * freq * t + phase - lag * k) for k in range(ELECTRODES)]
        return np.stack(rows) + rng.normal(0, 0.7, (ELECTRODES, SAMPLES))

    def session(self, count):
        kinds = self.rng.integers(0, len(CLASSES), count)
        return np.stack([self.epoch(k) for k in kinds]), kinds


def prepare(signals):
    signals = signals - signals.mean(axis=2, keepdims=True)
    signals = signals / (signals.std(axis=2, keepdims=True) + 1e-6)
    return signals.transpose(0, 2, 1).astype("float32")


def build():
    return keras.Sequential([
        layers.Input((SAMPLES, ELECTRODES)),
        layers.Conv1D(16, 7, padding="same", activation="relu"),
        layers.MaxPooling1D(2),
        layers.Conv1D(24, 5, padding="same", activation="relu"),
        layers.GlobalAveragePooling1D(),
        layers.Dense(len(CLASSES), activation="softmax"),
    ])


def main():
    keras.utils.set_random_seed(9)
    x_train, y_train = Recorder(9).session(1200)
    x_val, y_val = Recorder(10).session(300)
    x_test, y_test = Recorder(11).session(300)
    model = build()
    model.compile(optimizer=keras.optimizers.Adam(2e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    with tempfile.TemporaryDirectory() as folder:
        best = os.path.join(folder, "best.keras")
        model.fit(prepare(x_train), y_train, validation_data=(prepare(x_val), y_val), epochs=10, batch_size=32,
                  callbacks=[keras.callbacks.ModelCheckpoint(best, monitor="val_loss", save_best_only=True)], verbose=2)
        model = keras.models.load_model(best)
    loss, acc = model.evaluate(prepare(x_test), y_test, verbose=0)
    print(f"test loss {loss:.4f}, test accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
