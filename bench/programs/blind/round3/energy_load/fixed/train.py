import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
from keras import layers

WINDOW = 48
HORIZON = 24
BATCH = 64
EPOCHS = 15


def hourly_load(days, seed):
    """Electric load of a small town: day and week rhythm, weather and noise."""
    rng = np.random.default_rng(seed)
    hours = np.arange(days * 24)
    day = 8 * np.sin(2 * np.pi * (hours - 7) / 24) + 3 * np.sin(4 * np.pi * hours / 24)
    weekend = np.where((hours // 24) % 7 >= 5, -4.0, 0.0)
    weather = np.zeros(len(hours))
    for t in range(1, len(hours)):
        weather[t] = 0.97 * weather[t - 1] + 0.5 * rng.standard_normal()
    return (40 + day + weekend + weather + 0.5 * rng.standard_normal(len(hours))).astype("float32")


def windows(series, shuffle):
    series = series[:, None]
    return keras.utils.timeseries_dataset_from_array(
        data=series,
        targets=series[WINDOW:],
        sequence_length=WINDOW,
        batch_size=BATCH,
        shuffle=shuffle,
        seed=0,
    )


def build_model():
    model = keras.Sequential([
        keras.Input((WINDOW, 1)),
        layers.Conv1D(24, 5, activation="relu"),
        layers.Conv1D(24, 6, strides=2, activation="relu"),
        layers.Flatten(),
        layers.Dense(48, activation="relu"),
        layers.Dense(1),
    ])
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mse", metrics=["mae"])
    return model


def forecast(model, history, steps):
    """Feed predictions back to look several hours ahead; history is (n, WINDOW)."""
    window = history.copy()
    out = []
    for _ in range(steps):
        nxt = model.predict_on_batch(window[:, :, None])[:, 0]
        out.append(nxt)
        window = np.concatenate([window[:, 1:], nxt[:, None]], axis=1)
    return np.stack(out, axis=1)


def main():
    keras.utils.set_random_seed(0)
    load = hourly_load(200, seed=5)
    n_train, n_val = 24 * 150, 24 * 25
    train, val, test = load[:n_train], load[n_train:n_train + n_val], load[n_train + n_val:]
    mean, std = train.mean(), train.std()
    train, val, test = [(part - mean) / std for part in (train, val, test)]

    model = build_model()
    model.fit(windows(train, shuffle=True), validation_data=windows(val, shuffle=False),
              epochs=EPOCHS, verbose=2)
    _, mae = model.evaluate(windows(test, shuffle=False), verbose=0)
    print(f"one hour ahead: MAE {mae * std:.3f} MW")

    starts = np.arange(0, len(test) - WINDOW - HORIZON, 12)
    history = np.stack([test[s:s + WINDOW] for s in starts])
    truth = np.stack([test[s + WINDOW:s + WINDOW + HORIZON] for s in starts])
    pred = forecast(model, history, HORIZON)
    print(f"next {HORIZON} hours: MAE {np.abs(pred - truth).mean() * std:.3f} MW")
    naive = history[:, -24:]
    print(f"same hour of yesterday: MAE {np.abs(naive - truth).mean() * std:.3f} MW")


if __name__ == "__main__":
    main()
