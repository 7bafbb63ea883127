"""Forecasts the water level of the next hour with a recurrent network."""

import keras
import numpy as np
from keras import layers

from tide_gauge import WINDOW, water_level, windows


def build_model():
    model = keras.Sequential(
        [
            keras.Input(shape=(WINDOW, 1)),
            layers.LSTM(32, return_sequences=True),
            layers.Dropout(0.05),
            layers.LSTM(1),
        ]
    )
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse", metrics=["mae"])
    return model


def train(epochs=8):
    history_of_level, next_level = windows(water_level(800, seed=8))
    model = build_model()
    history = model.fit(history_of_level, next_level, batch_size=32, epochs=epochs, verbose=0)
    print("mae", " ".join("%.2f" % value for value in history.history["mae"]))
    return model


def main():
    model = train()
    past, following = windows(water_level(120, seed=9))
    forecast = model.predict(past, verbose=0)
    for hour in range(0, 24, 2):
        print("measured %5.2f, forecast %5.2f" % (following[hour, 0], forecast[hour, 0]))
    print("range of the forecasts: %.2f to %.2f" % (np.min(forecast), np.max(forecast)))


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    main()
