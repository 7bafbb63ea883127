"""Forecast the river level one hour ahead, then roll the forecast out over half a day."""
from dataclasses import dataclass

import keras
import numpy as np
from keras import layers


@dataclass
class Config:
    window: int = 36
    hours: int = 6000
    batch_size: int = 64
    epochs: int = 8
    lead: int = 12
    seed: int = 40


def simulate(cfg):
    """Level with a daily and a tidal rhythm on top of slow weather."""
    rng = np.random.default_rng(cfg.seed)
    t = np.arange(cfg.hours)
    weather = np.zeros(cfg.hours)
    for i in range(1, cfg.hours):
        weather[i] = 0.98 * weather[i - 1] + rng.normal(0, 0.04)
    level = 3 + 0.5 * np.sin(2 * np.pi * t / 24) + 0.7 * np.sin(2 * np.pi * t / 12.42) + weather
    return (level + rng.normal(0, 0.03, cfg.hours)).astype("float32")


def windows(series, cfg, shuffle):
    """Windows of past levels and the level that follows each of them."""
    return keras.utils.timeseries_dataset_from_array(
        data=series[:, None],
        targets=series[cfg.window - 1:],
        sequence_length=cfg.window,
        batch_size=cfg.batch_size,
        shuffle=shuffle,
        seed=cfg.seed if shuffle else None)


def build(cfg):
    model = keras.Sequential([
        keras.Input((cfg.window, 1)),
        layers.Conv1D(16, 5, activation="relu"),
        layers.GRU(24),
        layers.Dense(1)])
    model.compile(keras.optimizers.Adam(4e-3), loss="mse", metrics=["mae"])
    return model


def roll_out(model, series, cfg):
    """Feed the forecasts back in; return the mean error after each hour."""
    starts = np.arange(0, len(series) - cfg.window - cfg.lead, 10)
    past = np.stack([series[s:s + cfg.window] for s in starts])
    errors = []
    for k in range(cfg.lead):
        nxt = model.predict(past[..., None], verbose=0)[:, 0]
        errors.append(np.abs(nxt - series[starts + cfg.window + k]).mean())
        past = np.concatenate([past[:, 1:], nxt[:, None]], axis=1)
    return np.array(errors)


def main():
    cfg = Config()
    keras.utils.set_random_seed(cfg.seed)
    series = simulate(cfg)
    a, b = int(0.7 * cfg.hours), int(0.85 * cfg.hours)
    mean, std = series[:a].mean(), series[:a].std()
    series = (series - mean) / std
    train, val, test = series[:a], series[a:b], series[b:]

    model = build(cfg)
    model.fit(windows(train, cfg, True), validation_data=windows(val, cfg, False),
              epochs=cfg.epochs, verbose=2)
    errors = roll_out(model, test, cfg) * std
    starts = np.arange(0, len(test) - cfg.window - cfg.lead, 10)
    naive = np.abs(test[starts + cfg.window - 1] - test[starts + cfg.window + cfg.lead - 1]).mean() * std
    print("mean error in metres by lead time:", " ".join(f"{e:.2f}" for e in errors))
    print(f"error at {cfg.lead} h: {errors[-1]:.3f} (unchanged level: {naive:.3f})")


if __name__ == "__main__":
    main()
