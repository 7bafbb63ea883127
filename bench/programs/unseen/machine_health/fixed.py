"""Detect failing pumps from sensor readings (temperature, vibration, pressure, current, rpm)."""
import os
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import keras
from keras import layers

SEED = 21
keras.utils.set_random_seed(SEED)
rng = np.random.default_rng(SEED)


def read_sensors(n=2500):
    state = rng.integers(0, 3, n)          # 0 healthy, 1 worn bearing, 2 cavitation
    temperature = rng.normal(60, 5, n) + 7 * (state == 1)
    vibration = rng.normal(2.0, 0.4, n) + 0.8 * (state == 1) + 0.4 * (state == 2)
    pressure = rng.normal(300, 25, n) - 60 * (state == 2)
    current = rng.normal(12, 1.5, n) + 2 * (state == 1) - 2 * (state == 2)
    rpm = rng.normal(1450, 30, n) + 40 * (state == 2)
    x = np.column_stack([temperature, vibration, pressure, current, rpm])
    return x.astype("float32"), state


def build_model(n_features):
    model = keras.Sequential([
        layers.Input((n_features,)),
        layers.Dense(32, activation="relu"),
        layers.Dense(32, activation="relu"),
        layers.Dense(3, activation="softmax"),
    ])
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=0.002),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def prepare():
    x, y = read_sensors()
    cut = int(0.8 * len(x))
    x_train, x_val = x[:cut], x[cut:]
    y_train, y_val = y[:cut], y[cut:]

    mean = x_train.mean(axis=0)
    std = x_train.std(axis=0)
    x_train = (x_train - mean) / std
    x_val = (x_val - mean) / std
    return x_train, y_train, x_val, y_val


def main():
    x_train, y_train, x_val, y_val = prepare()
    model = build_model(x_train.shape[1])
    model.fit(
        x_train, y_train,
        validation_data=(x_val, y_val),
        epochs=10,
        batch_size=32,
        verbose=2,
    )
    loss, acc = model.evaluate(x_val, y_val, verbose=0)
    print(f"validation loss {loss:.4f}  accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
