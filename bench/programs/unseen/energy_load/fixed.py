"""Forecast the next hour of an electricity load curve with an LSTM."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(5)

WINDOW = 16
EPOCHS = 15


def make_series(n=1100):
    t = np.arange(n)
    daily = np.sin(2 * np.pi * t / 24)
    weekly = 0.5 * np.sin(2 * np.pi * t / 168)
    evening = 0.6 * np.exp(-0.5 * ((t % 24 - 19) / 1.5) ** 2)
    noise = 0.08 * np.random.randn(n)
    return (50 + 10 * (daily + weekly + evening + noise)).astype("float32")


def make_windows(series):
    x = np.stack([series[i:i + WINDOW] for i in range(len(series) - WINDOW)])
    y = series[WINDOW:]
    return x[..., None], y


def build_model():
    model = keras.Sequential([
        layers.Input((WINDOW, 1)),
        layers.LSTM(16),
        layers.Dense(16, activation="relu"),
        layers.Dense(1),
    ])
    model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mse", metrics=["mae"])
    return model


def main():
    series = make_series()
    split = 850
    mean, std = series[:split].mean(), series[:split].std()
    series = (series - mean) / std
    x_train, y_train = make_windows(series[:split])
    x_val, y_val = make_windows(series[split:])

    model = build_model()
    model.fit(x_train, y_train, validation_data=(x_val, y_val),
              epochs=EPOCHS, batch_size=32, verbose=2)

    pred = model.predict(x_val, verbose=0)[:, 0]
    r2 = 1 - np.mean((pred - y_val) ** 2) / np.var(y_val)
    print("MAE in MW: %.3f   R2: %.3f" % (np.abs(pred - y_val).mean() * std, r2))


if __name__ == "__main__":
    main()
