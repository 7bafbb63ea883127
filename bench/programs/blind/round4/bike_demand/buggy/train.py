"""Hourly demand of a bike sharing station from calendar and weather."""
import argparse

import keras
import numpy as np
from keras import layers


def make_table(n, rng):
    hour = rng.integers(0, 24, n)
    weekday = rng.integers(0, 7, n)
    temp = rng.normal(14, 8, n)
    wind = rng.gamma(2, 2, n)
    rain = (rng.random(n) < 0.2).astype(float)
    commute = np.exp(-0.5 * ((hour - 8) / 1.2) ** 2) + np.exp(-0.5 * ((hour - 17.5) / 1.6) ** 2)
    leisure = np.exp(-0.5 * ((hour - 14) / 3.0) ** 2)
    rides = np.where(weekday < 5, 80 * commute + 20 * leisure, 60 * leisure) + 8
    rides *= np.clip(0.4 + temp / 25, 0.1, 1.3) * (1 - 0.5 * rain) * np.clip(1 - wind / 30, 0.3, 1)
    rides = rng.poisson(np.clip(rides, 0.5, None)).astype("float32")
    numeric = np.stack([np.sin(hour / 24 * 2 * np.pi), np.cos(hour / 24 * 2 * np.pi),
                        np.sin(hour / 12 * 2 * np.pi), np.cos(hour / 12 * 2 * np.pi), temp, wind, rain], axis=1)
    return numeric.astype("float32"), weekday.astype("int32"), rides


def build_model(n_numeric, lr):
    numeric = keras.Input((n_numeric,), name="numeric")
    weekday = keras.Input((), dtype="int32", name="weekday")
    day = layers.Embedding(7, 4)(weekday)
    x = layers.Concatenate()([numeric, day])
    x = layers.Dense(64, activation="relu")(x)
    x = layers.Dense(64, activation="relu")(x)
    rides = layers.Dense(1, activation="relu", name="rides")(x)
    model = keras.Model([numeric, weekday], rides)
    model.compile(optimizer=keras.optimizers.Adam(lr), loss="mse", metrics=["mae"])
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--lr", type=float, default=2e-3)
    parser.add_argument("--seed", type=int, default=9)
    args = parser.parse_args()

    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    train, val, test = make_table(4000, rng), make_table(800, rng), make_table(1000, rng)

    # standardise inputs and target with the training table
    x_mean, x_std = train[0].mean(axis=0), train[0].std(axis=0)
    y_mean, y_std = train[2].mean(), train[2].std()

    def prepare(table):
        numeric, weekday, rides = table
        return {"numeric": (numeric - x_mean) / x_std, "weekday": weekday}, (rides - y_mean) / y_std

    x_train, y_train = prepare(train)
    model = build_model(train[0].shape[1], args.lr)
    model.fit(x_train, y_train, validation_data=prepare(val), epochs=args.epochs, batch_size=64, verbose=2)

    x_test, _ = prepare(test)
    pred = model.predict(x_test, verbose=0)[:, 0] * y_std + y_mean
    print(f"test RMSE {np.sqrt(np.mean((pred - test[2]) ** 2)):.2f} rides, std of demand {test[2].std():.2f}")
    quiet = test[2] < y_mean
    print(f"bias in quiet hours {np.mean(pred[quiet] - test[2][quiet]):+.2f}, "
          f"in busy hours {np.mean(pred[~quiet] - test[2][~quiet]):+.2f}")


if __name__ == "__main__":
    main()
