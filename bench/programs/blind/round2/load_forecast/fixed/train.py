"""Next-hour electricity load from the last two days (raw load plus a smoothed copy)."""
import keras
import numpy as np
from keras import layers

HISTORY = 48
SPAN = 7


def simulate_load(hours, seed):
    rng = np.random.default_rng(seed)
    t = np.arange(hours)
    daily = 6 * np.sin(2 * np.pi * t / 24) + 2.5 * np.sin(4 * np.pi * t / 24 + 1)
    weekly = 3 * np.sin(2 * np.pi * t / 168)
    drift = np.zeros(hours)
    for k in range(1, hours):
        drift[k] = 0.9 * drift[k - 1] + rng.standard_normal()
    return 50 + daily + weekly + drift + 0.5 * rng.standard_normal(hours)


def smooth(series):
    """Moving average over SPAN hours."""
    padded = np.concatenate([np.full(SPAN - 1, series[0]), series])
    return np.convolve(padded, np.ones(SPAN) / SPAN, mode="valid")


def features(series, mean, std):
    return np.stack([(series - mean) / std, (smooth(series) - mean) / std], axis=1)


def windows(series, mean, std):
    feats = features(series, mean, std)
    target = (series - mean) / std
    x = np.stack([feats[k - HISTORY:k] for k in range(HISTORY, len(series))])
    return x.astype("float32"), target[HISTORY:].astype("float32")


def build():
    model = keras.Sequential([
        keras.Input((HISTORY, 2)),
        layers.Conv1D(24, 5, activation="relu"),
        layers.Conv1D(24, 5, strides=2, activation="relu"),
        layers.Flatten(),
        layers.Dense(48, activation="relu"),
        layers.Dense(1),
    ])
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mse", metrics=["mae"])
    return model


def replay(model, series, hours, mean, std):
    """Forecast the last hours of the series one by one."""
    recent = []
    for k in range(len(series) - hours, len(series)):
        known = series[k - 3 * HISTORY:k]
        recent.append(features(known, mean, std)[-HISTORY:])
    forecast = model.predict(np.array(recent, dtype="float32"), verbose=0)[:, 0] * std + mean
    return np.abs(forecast - series[-hours:]).mean()


def main():
    keras.utils.set_random_seed(1)
    load = simulate_load(5000, seed=1)
    train, valid = load[:4000], load[4000:]
    mean, std = train.mean(), train.std()
    x_train, y_train = windows(train, mean, std)
    x_valid, y_valid = windows(valid, mean, std)
    model = build()
    model.fit(x_train, y_train, validation_data=(x_valid, y_valid),
              epochs=15, batch_size=64, verbose=2)
    mae = model.evaluate(x_valid, y_valid, verbose=0)[1] * std
    naive = np.abs(np.diff(valid)).mean()
    print(f"validation MAE {mae:.3f} MW (repeat-last-hour {naive:.3f} MW)")
    print(f"hour-by-hour replay MAE {replay(model, valid, 400, mean, std):.3f} MW")


if __name__ == "__main__":
    main()
