"""Whale call classification on small spectrogram patches."""
import keras
import numpy as np
from keras import layers

N_FREQ, N_TIME = 20, 32
CALLS = ["upsweep", "downsweep", "moan", "pulse"]


def spectrograms(n, rng):
    freq = np.arange(N_FREQ)[:, None]
    time = np.arange(N_TIME)[None, :]
    x = rng.normal(0, 0.5, (n, N_FREQ, N_TIME, 1)).astype("float32")
    y = rng.integers(0, len(CALLS), n)
    for i in range(n):
        start = rng.uniform(3, 8)
        slope = rng.uniform(0.2, 0.35)
        if y[i] == 0:
            centre = start + slope * time
        elif y[i] == 1:
            centre = 19 - start - slope * time
        elif y[i] == 2:
            centre = start + 5 + 0 * time
        else:
            centre = start + 5 + 3 * np.sign(np.sin(time * rng.uniform(0.6, 1.0)))
        x[i, :, :, 0] += 0.9 * np.exp(-0.5 * ((freq - centre) / 1.0) ** 2)
    return x, y


def build():
    model = keras.Sequential([
        keras.Input((N_FREQ, N_TIME, 1)),
        layers.Conv2D(8, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(16, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dropout(0.3),
        layers.Dense(len(CALLS), activation="softmax"),
    ])
    model.compile(optimizer=keras.optimizers.Adam(5e-4),
                  loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main():
    keras.utils.set_random_seed(31)
    rng = np.random.default_rng(31)
    x_train, y_train = spectrograms(1200, rng)
    x_val, y_val = spectrograms(300, rng)
    x_test, y_test = spectrograms(400, rng)
    model = build()
    callbacks = [
        keras.callbacks.EarlyStopping(monitor="val_accuracy", mode="max", patience=4,
                                      restore_best_weights=True),
    ]
    history = model.fit(x_train, y_train, validation_data=(x_val, y_val), epochs=30,
                        batch_size=32, callbacks=callbacks, verbose=2)
    print(f"stopped after {len(history.history['loss'])} epochs")
    loss, acc = model.evaluate(x_test, y_test, verbose=0)
    print(f"test loss {loss:.4f} test accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
