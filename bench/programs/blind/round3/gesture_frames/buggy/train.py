import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
from keras import layers

GESTURES = ["swipe_left", "swipe_right", "swipe_up", "swipe_down", "tap", "circle"]
STEPS = 30
PER_GESTURE = 250


def record(kind, rng):
    """Path of a finger on a touch pad, as (x, y) per frame."""
    t = np.linspace(0, 1, STEPS)
    x0, y0 = rng.uniform(-0.5, 0.5, size=2)
    speed = rng.uniform(0.6, 1.4)
    if kind == "tap":
        path = np.zeros((STEPS, 2))
    elif kind == "circle":
        turn = rng.choice([-1, 1]) * 2 * np.pi * t + rng.uniform(0, 6.28)
        path = 0.5 * speed * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    else:
        direction = {"swipe_left": (-1, 0), "swipe_right": (1, 0),
                     "swipe_up": (0, 1), "swipe_down": (0, -1)}[kind]
        path = speed * t[:, None] * np.array(direction)
    return path + [x0, y0] + 0.12 * rng.standard_normal((STEPS, 2))


def load_recordings(seed):
    rng = np.random.default_rng(seed)
    x, y = [], []
    for label, kind in enumerate(GESTURES):
        for _ in range(PER_GESTURE):
            x.append(record(kind, rng))
            y.append(label)
    return np.array(x, dtype="float32"), np.array(y)


def build_model():
    model = keras.Sequential([
        keras.Input((STEPS, 2)),
        layers.Conv1D(32, 5, activation="relu", padding="same"),
        layers.MaxPooling1D(2),
        layers.Conv1D(48, 5, activation="relu", padding="same"),
        layers.LSTM(32),
        layers.Dense(len(GESTURES), activation="softmax"),
    ])
    model.compile(optimizer=keras.optimizers.Adam(2e-3),
                  loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main():
    keras.utils.set_random_seed(0)
    x, y = load_recordings(seed=3)
    n_test = len(x) // 5
    x_test, y_test = x[:n_test], y[:n_test]
    x_train, y_train = x[n_test:], y[n_test:]
    print("train", x_train.shape, "test", x_test.shape)

    model = build_model()
    model.fit(x_train, y_train, validation_split=0.15, epochs=9, batch_size=32, verbose=2)
    loss, acc = model.evaluate(x_test, y_test, verbose=0)
    print(f"test loss {loss:.4f}  test accuracy {acc:.4f}")

    pred = model.predict(x_test, verbose=0).argmax(axis=1)
    table = np.zeros((len(GESTURES), len(GESTURES)), dtype=int)
    np.add.at(table, (y_test, pred), 1)
    print("confusion matrix")
    print(table)


if __name__ == "__main__":
    main()
