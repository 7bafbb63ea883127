"""Classify single heart beats; keep the best model on disk and report on it."""
import os
import tempfile

import keras
import numpy as np
from keras import layers

from blocks import GatedConv

LENGTH = 96
CLASSES = ["normal", "pvc", "atrial", "st_elevated"]


def make_beats(n, rng):
    t = np.linspace(0, 1, LENGTH)
    y = rng.integers(0, len(CLASSES), size=n)

    def bump(centre, width, height):
        return height[:, None] * np.exp(-0.5 * ((t - centre[:, None]) / width[:, None]) ** 2)

    shift = rng.uniform(-0.05, 0.05, size=n)
    p_height = np.where(y == 2, 0.03, 0.2) * rng.uniform(0.7, 1.3, n)
    qrs_width = np.where(y == 1, 0.05, 0.025) * rng.uniform(0.85, 1.15, n)
    st_level = np.where(y == 3, 0.3, 0.0) * rng.uniform(0.7, 1.3, n)
    wave = bump(0.2 + shift, np.full(n, 0.04), p_height)
    wave += bump(0.4 + shift, qrs_width, rng.uniform(0.8, 1.2, n))
    wave += bump(0.56 + shift, np.full(n, 0.06), st_level)
    wave += bump(0.7 + shift, np.full(n, 0.07), rng.uniform(0.2, 0.35, n))
    wave += 0.06 * rng.standard_normal(wave.shape)
    return wave[..., None].astype("float32"), y


def build_model():
    inputs = keras.Input((LENGTH, 1))
    x = GatedConv(16, 9)(inputs)
    x = layers.MaxPooling1D(2)(x)
    x = GatedConv(32, 7)(x)
    x = layers.MaxPooling1D(2)(x)
    x = layers.Flatten()(x)
    x = layers.Dropout(0.3)(x)
    x = layers.Dense(32, activation="relu")(x)
    return keras.Model(inputs, layers.Dense(len(CLASSES), activation="softmax")(x))


def main():
    keras.utils.set_random_seed(3)
    rng = np.random.default_rng(3)
    x_train, y_train = make_beats(3000, rng)
    x_val, y_val = make_beats(600, rng)
    x_test, y_test = make_beats(600, rng)

    model = build_model()
    model.compile(optimizer=keras.optimizers.Adam(2e-3),
                  loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    path = os.path.join(tempfile.mkdtemp(), "beats.keras")
    checkpoint = keras.callbacks.ModelCheckpoint(path, monitor="val_loss", save_best_only=True)
    model.fit(x_train, y_train, validation_data=(x_val, y_val), epochs=8, batch_size=64,
              callbacks=[checkpoint], verbose=2)

    best = keras.models.load_model(path)
    loss, acc = best.evaluate(x_test, y_test, verbose=0)
    print(f"best model: test loss {loss:.4f}  accuracy {acc:.3f}")
    pred = best.predict(x_test, verbose=0).argmax(axis=1)
    for k, name in enumerate(CLASSES):
        print(f"  {name:<12s} recall {(pred[y_test == k] == k).mean():.3f}")


if __name__ == "__main__":
    main()
