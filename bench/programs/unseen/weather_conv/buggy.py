"""Predict the temperature anomaly of the next day from ten days of weather with a 1-D CNN."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(1)

DAYS = 10


def simulate_weather(n=2000):
    anomaly = np.zeros(n)
    pressure = np.zeros(n)
    wind = np.zeros(n)
    for i in range(1, n):
        pressure[i] = 0.8 * pressure[i - 1] + 0.6 * np.random.randn()
        wind[i] = 0.5 * wind[i - 1] - 0.3 * pressure[i - 1] + 0.5 * np.random.randn()
        anomaly[i] = (0.7 * anomaly[i - 1] + 0.5 * pressure[i - 1]
                      - 0.4 * np.tanh(wind[i - 1]) + 0.2 * np.random.randn())
    return np.column_stack([anomaly, pressure, wind]).astype("float32")


def windows(weather):
    x = np.stack([weather[i:i + DAYS] for i in range(len(weather) - DAYS)])
    y = weather[DAYS:, 0]
    return x, y


def build_model():
    inputs = keras.Input((DAYS, 3))
    h = layers.Conv1D(16, 3, activation="relu")(inputs)
    h = layers.Conv1D(16, 3, activation="relu")(h)
    h = layers.Flatten()(h)
    h = layers.Dense(32, activation="relu")(h)
    outputs = layers.Dense(1, activation="relu")(h)
    model = keras.Model(inputs, outputs)
    model.compile(optimizer="adam", loss="mse", metrics=["mae"])
    return model


def main():
    weather = simulate_weather()
    mean, std = weather[:1600].mean(0), weather[:1600].std(0)
    weather = (weather - mean) / std
    x_train, y_train = windows(weather[:1600])
    x_test, y_test = windows(weather[1600:])
    print("train", x_train.shape, "test", x_test.shape)

    model = build_model()
    history = model.fit(x_train, y_train, epochs=10, batch_size=32,
                        validation_data=(x_test, y_test), verbose=0)
    for epoch, (loss, val) in enumerate(zip(history.history["loss"], history.history["val_loss"])):
        print(f"epoch {epoch + 1}: loss {loss:.4f} val_loss {val:.4f}")

    pred = model.predict(x_test, verbose=0)[:, 0]
    r2 = 1 - np.sum((y_test - pred) ** 2) / np.sum((y_test - y_test.mean()) ** 2)
    print(f"test R2: {r2:.3f}")


if __name__ == "__main__":
    main()
