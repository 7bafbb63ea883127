"""Tell ectopic heart beats from normal ones in single-lead ECG segments."""
import numpy as np
import keras
from keras import layers

LENGTH = 128


def beat(ectopic, rng):
    t = np.linspace(-1, 1, LENGTH)
    shift = rng.normal(0, 0.05)
    width = rng.uniform(0.09, 0.13) if ectopic else rng.uniform(0.05, 0.1)
    wave = 1.2 * np.exp(-0.5 * ((t - shift) / width) ** 2)
    wave += 0.2 * np.exp(-0.5 * ((t - shift - 0.45) / 0.12) ** 2) * (-1 if ectopic and rng.random() < 0.6 else 1)
    if not ectopic or rng.random() < 0.3:
        wave += 0.12 * np.exp(-0.5 * ((t - shift + 0.4) / 0.07) ** 2)
    drift = 0.2 * np.sin(2 * np.pi * (rng.uniform(0.2, 0.6) * t + rng.random()))
    return wave + drift + rng.normal(0, 0.12, LENGTH)


def make_beats(n, rng):
    labels = (rng.random(n) < 0.3).astype("float32")
    signals = np.stack([beat(bool(k), rng) for k in labels]).astype("float32")
    return signals[..., None], labels


def build_model():
    model = keras.Sequential([
        keras.Input((LENGTH, 1)),
        layers.Conv1D(12, 7, padding="same", activation="relu"),
        layers.MaxPooling1D(4),
        layers.Conv1D(24, 5, padding="same", activation="relu"),
        layers.MaxPooling1D(4),
        layers.Flatten(),
        layers.Dropout(0.3),
        layers.Dense(32, activation="relu"),
        layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(optimizer=keras.optimizers.Adam(5e-4), loss="binary_crossentropy",
                  metrics=[keras.metrics.AUC(name="auc"), "accuracy"])
    return model


def main():
    keras.utils.set_random_seed(33)
    rng = np.random.default_rng(33)
    x_train, y_train = make_beats(2400, rng)
    x_val, y_val = make_beats(600, rng)
    x_test, y_test = make_beats(800, rng)
    mean, std = x_train.mean(), x_train.std()
    x_train, x_val, x_test = ((x - mean) / std for x in (x_train, x_val, x_test))

    model = build_model()
    # keep the weights of the epoch that ranks the beats best
    stopping = keras.callbacks.EarlyStopping(monitor="val_auc", mode="max", patience=4,
                                             restore_best_weights=True, verbose=1)
    model.fit(x_train, y_train, validation_data=(x_val, y_val), epochs=25, batch_size=64,
              callbacks=[stopping], verbose=2)

    loss, auc, acc = model.evaluate(x_test, y_test, verbose=0)
    print(f"test: loss {loss:.3f}  AUC {auc:.3f}  accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
