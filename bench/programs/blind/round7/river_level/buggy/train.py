"""River level from the rain and temperature of the last 30 days."""
import os
import tempfile

os.environ.setdefault("KERAS_BACKEND", "tensorflow")

import keras
import numpy as np
from keras import layers

from pooling import DecayPooling

DAYS = 30


def simulate(n_days, seed):
    rng = np.random.default_rng(seed)
    day = np.arange(n_days)
    rain = rng.gamma(0.4, 6.0, n_days) * (1 + 0.4 * np.sin(2 * np.pi * day / 365))
    temp = 10 + 9 * np.sin(2 * np.pi * (day - 110) / 365) + rng.normal(0, 2, n_days)
    level = np.zeros(n_days)
    fast = slow = 0.0
    for i in range(n_days):
        fast = 0.55 * fast + 0.05 * rain[i]
        slow = 0.93 * slow + 0.008 * rain[i] * (1 - 0.02 * max(temp[i], 0))
        level[i] = 0.5 + fast + slow + rng.normal(0, 0.03)
    return np.stack([rain, temp], axis=1), level


def windows(features, level):
    x = np.stack([features[i - DAYS + 1:i + 1] for i in range(DAYS - 1, len(level))])
    return x.astype("float32"), level[DAYS - 1:].astype("float32")


def build_model():
    inputs = keras.Input((DAYS, 2))
    h = layers.Conv1D(16, 3, padding="causal", activation="relu")(inputs)
    h = DecayPooling(groups=8, max_rate=1.5)(h)
    h = layers.Dense(32, activation="relu")(h)
    outputs = layers.Dense(1)(h)
    model = keras.Model(inputs, outputs, name="river")
    model.compile(optimizer=keras.optimizers.Adam(3e-3), loss="mse", metrics=["mae"])
    return model


def main():
    keras.utils.set_random_seed(12)
    features, level = simulate(3000, seed=12)
    cut_val, cut_test = 2100, 2550
    mean, std = features[:cut_val].mean(0), features[:cut_val].std(0)
    features = (features - mean) / std
    x_train, y_train = windows(features[:cut_val], level[:cut_val])
    x_val, y_val = windows(features[cut_val:cut_test], level[cut_val:cut_test])
    x_test, y_test = windows(features[cut_test:], level[cut_test:])

    path = os.path.join(tempfile.mkdtemp(), "river.keras")
    model = build_model()
    model.fit(x_train, y_train, validation_data=(x_val, y_val), epochs=20, batch_size=32, verbose=2,
              callbacks=[keras.callbacks.ModelCheckpoint(path, monitor="val_loss", save_best_only=True)])

    best = keras.models.load_model(path)
    mse, mae = best.evaluate(x_test, y_test, verbose=0)
    print(f"test mse {mse:.4f}, mae {mae:.4f}, variance of the level {y_test.var():.4f}")


if __name__ == "__main__":
    main()
