"""Forecast the electricity load of the next hour from the last 24 hours."""
import os
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(30)
rng = np.random.default_rng(30)

HISTORY = 24
INIT = "he_normal"


def make_series(hours=4000):
    t = np.arange(hours)
    daily = np.sin(2 * np.pi * t / 24) + 0.4 * np.sin(4 * np.pi * t / 24 + 1.0)
    weekly = 0.5 * np.sin(2 * np.pi * t / 168)
    noise = np.zeros(hours)
    for i in range(1, hours):
        noise[i] = 0.8 * noise[i - 1] + 0.1 * rng.standard_normal()
    return 52.0 + 9.0 * (daily + weekly + noise)


def make_windows(series):
    x = np.stack([series[i:i + HISTORY] for i in range(len(series) - HISTORY)])
    y = series[HISTORY:]
    return x[..., None].astype("float32"), y[:, None].astype("float32")


def build_model():
    model = keras.Sequential([
        keras.Input(shape=(HISTORY, 1)),
        layers.Conv1D(16, 5, activation="relu", kernel_initializer=INIT),
        layers.Flatten(),
        layers.Dense(32, activation="relu", kernel_initializer=INIT),
        layers.Dense(1, kernel_initializer=INIT),
    ])
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mse", metrics=["mae"])
    return model


def main():
    load = make_series()
    split = 3200
    mean, std = load[:split].mean(), load[:split].std()
    scaled = (load - mean) / std
    x_train, y_train = make_windows(scaled[:split])
    x_test, y_test = make_windows(scaled[split:])

    model = build_model()
    model.summary()
    model.fit(x_train, y_train, epochs=12, batch_size=64,
              validation_data=(x_test, y_test), verbose=2)

    pred = model.predict(x_test, verbose=0)
    mae = np.abs(pred - y_test).mean() * std
    r2 = 1 - ((pred - y_test) ** 2).sum() / ((y_test - y_test.mean()) ** 2).sum()
    print(f"test MAE {mae:.2f} MW   R2 {r2:.3f}")


if __name__ == "__main__":
    main()
