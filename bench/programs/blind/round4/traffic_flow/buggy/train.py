import keras
import numpy as np

from layers import TimeAttention
from roads import SLOTS, simulate, windows

LENGTH, AHEAD, STATIONS = 24, 2, 5


def build_model():
    inputs = keras.Input((LENGTH, STATIONS))
    x = keras.layers.Conv1D(16, 3, padding="causal", activation="relu")(inputs)
    x = TimeAttention(32)(x)
    last = keras.layers.Flatten()(keras.layers.Cropping1D((LENGTH - 4, 0))(inputs))
    x = keras.layers.Concatenate()([x, last])
    x = keras.layers.Dense(32, activation="relu")(x)
    return keras.Model(inputs, keras.layers.Dense(1)(x))


def main():
    keras.utils.set_random_seed(21)
    flow = simulate(days=42, stations=STATIONS, seed=21)
    train, val, test = flow[:28 * SLOTS], flow[28 * SLOTS:35 * SLOTS], flow[35 * SLOTS:]
    mean, std = train.mean(axis=0), train.std(axis=0)
    (x_train, y_train), (x_val, y_val), (x_test, y_test) = (
        windows((part - mean) / std, LENGTH, AHEAD) for part in (train, val, test))

    model = build_model()
    model.compile(optimizer=keras.optimizers.Adam(2e-3), loss="mse", metrics=["mae"])
    stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=4, restore_best_weights=True)
    model.fit(x_train, y_train, validation_data=(x_val, y_val), batch_size=64, epochs=15, callbacks=[stop], verbose=2)

    pred = model.predict(x_test, verbose=0)[:, 0]
    persistence = x_test[:, -1, 0]
    print(f"test MAE {np.abs(pred - y_test).mean() * std[0]:.2f} cars, "
          f"last value as forecast {np.abs(persistence - y_test).mean() * std[0]:.2f} cars")


if __name__ == "__main__":
    main()
