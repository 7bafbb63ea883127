"""Recognise wrist gestures from accelerometer sequences with an LSTM."""
import os
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(6)
rng = np.random.default_rng(6)

GESTURES = ["still", "shake", "circle", "raise", "tap"]
STEPS = 20


def record(gesture):
    t = np.linspace(0, 1, STEPS)
    phase = rng.uniform(0, 2 * np.pi)
    seq = np.zeros((STEPS, 3))
    if gesture == 1:
        seq[:, 0] = np.sin(2 * np.pi * 5 * t + phase)
    elif gesture == 2:
        seq[:, 0] = np.cos(2 * np.pi * t + phase)
        seq[:, 1] = np.sin(2 * np.pi * t + phase)
    elif gesture == 3:
        seq[:, 2] = 1.5 * t
    elif gesture == 4:
        seq[rng.integers(3, STEPS - 3), 2] = 3.0
    return seq + 0.2 * rng.standard_normal((STEPS, 3))


def load_recordings(per_gesture=400):
    """Read the recordings gesture after gesture, like the folders on disk."""
    x, y = [], []
    for gesture in range(len(GESTURES)):
        for _ in range(per_gesture):
            x.append(record(gesture))
            y.append(gesture)
    return np.array(x, dtype="float32"), np.array(y)


def build_model():
    model = keras.Sequential([
        keras.Input(shape=(STEPS, 3)),
        layers.LSTM(32),
        layers.Dense(32, activation="relu"),
        layers.Dense(len(GESTURES), activation="softmax"),
    ])
    model.compile(optimizer=keras.optimizers.Adam(5e-3),
                  loss="sparse_categorical_crossentropy",
                  metrics=["accuracy"])
    return model


def main():
    x, y = load_recordings()
    order = rng.permutation(len(x))
    x, y = x[order], y[order]
    model = build_model()
    history = model.fit(x, y, validation_split=0.2,
                        epochs=8, batch_size=32, verbose=2)
    print("train accuracy %.3f  validation accuracy %.3f"
          % (history.history["accuracy"][-1], history.history["val_accuracy"][-1]))


if __name__ == "__main__":
    main()
