import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import keras
import numpy as np
from keras import layers

COLUMNS = ["area_m2", "year_built", "insulation", "outside_temp", "people", "window_share", "volume_l"]
EPOCHS = 25
BATCH_SIZE = 64


def make_houses(n, seed):
    """Daily heating demand of houses in kWh."""
    rng = np.random.default_rng(seed)
    area = rng.uniform(40, 260, n)
    year = rng.integers(1900, 2022, n)
    insulation = rng.beta(2, 2, n)
    outside = rng.normal(4, 8, n)
    people = rng.integers(1, 7, n)
    windows = rng.uniform(0.05, 0.4, n)
    volume = rng.uniform(20_000, 90_000, n)
    need = np.maximum(20 - outside, 0)
    loss_factor = 0.012 * (1.6 - insulation) * (1 + 2.0 * windows) * (1 + 0.004 * (2022 - year))
    demand = area * need * loss_factor - 1.5 * people + volume / 9000
    demand = np.maximum(demand + rng.normal(0, 1.0, n), 0)
    x = np.stack([area, year, insulation, outside, people, windows, volume], axis=1)
    return x.astype("float32"), demand.astype("float32")


def build_model(x_train):
    normalizer = layers.Normalization(axis=-1)
    normalizer.adapt(x_train)
    return keras.Sequential([
        keras.Input((len(COLUMNS),)),
        normalizer,
        layers.Dense(64, activation="relu"),
        layers.Dense(64, activation="relu"),
        layers.Dense(1),
    ])


def r2_score(y, pred):
    return 1 - ((y - pred) ** 2).sum() / ((y - y.mean()) ** 2).sum()


def main():
    keras.utils.set_random_seed(1)
    x_train, y_train = make_houses(4000, seed=0)
    x_val, y_val = make_houses(500, seed=1)
    x_test, y_test = make_houses(1000, seed=2)

    scale = y_train.std()
    model = build_model(x_train)
    model.compile(optimizer=keras.optimizers.Adam(2e-3), loss="mse")
    model.fit(x_train, y_train / scale, validation_data=(x_val, y_val / scale),
              epochs=EPOCHS, batch_size=BATCH_SIZE, verbose=2,
              callbacks=[keras.callbacks.ReduceLROnPlateau(patience=4, factor=0.5)])

    pred = model.predict(x_test, verbose=0)[:, 0] * scale
    print(f"test MAE {np.abs(pred - y_test).mean():.2f} kWh")
    print(f"test R2  {r2_score(y_test, pred):.4f}")
    for i in range(3):
        print(f"  predicted {pred[i]:6.1f}  measured {y_test[i]:6.1f}")


if __name__ == "__main__":
    main()
