import keras
import numpy as np
from keras import layers

from layers import AttentionPool

STEPS, CHANNELS, CLASSES = 80, 4, 3


def simulate(count, rng):
    """A short event pattern hidden somewhere in a noisy multichannel record."""
    x = rng.normal(0.0, 1.0, (count, STEPS, CHANNELS))
    y = rng.integers(0, CLASSES, count)
    t = np.arange(16)
    shapes = [np.sin(2 * np.pi * t / 16), np.sin(2 * np.pi * t / 8), t / 8.0 - 1.0]
    for i in range(count):
        start = rng.integers(0, STEPS - 16)
        x[i, start:start + 16, :2] += 2.2 * shapes[y[i]][:, None]
    return x.astype("float32"), y


def build_model():
    inputs = keras.Input((STEPS, CHANNELS))
    h = layers.Conv1D(32, 7, padding="same", activation="relu")(inputs)
    h = layers.Conv1D(32, 7, padding="same", activation="relu")(h)
    h = AttentionPool(32)(h)
    h = layers.Dense(32, activation="relu")(h)
    return keras.Model(inputs, layers.Dense(CLASSES, activation="softmax")(h))


if __name__ == "__main__":
    keras.utils.set_random_seed(4)
    rng = np.random.default_rng(4)
    x_train, y_train = simulate(1600, rng)
    x_val, y_val = simulate(400, rng)
    model = build_model()
    model.compile(optimizer=keras.optimizers.Adam(1e-3),
                  loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(x_train, y_train, validation_data=(x_val, y_val),
              epochs=8, batch_size=32, verbose=2)
    loss, acc = model.evaluate(x_val, y_val, verbose=0)
    print(f"validation loss {loss:.4f} accuracy {acc:.3f}")
