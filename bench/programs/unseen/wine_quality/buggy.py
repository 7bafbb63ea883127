"""Predict the quality class (low / medium / high) of wines from lab values."""
import os
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import keras
from keras import layers

SEED = 2024
keras.utils.set_random_seed(SEED)
rng = np.random.default_rng(SEED)


def load_wines(per_class=900):
    """Lab values arrive as one block per quality class."""
    blocks, labels = [], []
    for quality in range(3):
        alcohol = rng.normal(9.5 + 1.1 * quality, 0.7, per_class)
        acidity = rng.normal(0.62 - 0.1 * quality, 0.10, per_class)
        sulphates = rng.normal(0.55 + 0.08 * quality, 0.09, per_class)
        sugar = rng.gamma(2.0, 1.2, per_class)
        density = 0.9978 - 0.0009 * alcohol + rng.normal(0, 0.0006, per_class)
        ph = rng.normal(3.3, 0.15, per_class)
        blocks.append(np.stack([alcohol, acidity, sulphates, sugar, density, ph], axis=1))
        labels.append(np.full(per_class, quality))
    return np.concatenate(blocks).astype("float32"), np.concatenate(labels)


def shuffle_data(x, y):
    rng.shuffle(x)
    rng.shuffle(y)
    return x, y


def build_model(n_features):
    model = keras.Sequential([
        keras.Input(shape=(n_features,)),
        layers.Dense(32, activation="relu"),
        layers.Dense(32, activation="relu"),
        layers.Dense(3, activation="softmax"),
    ])
    model.compile(optimizer=keras.optimizers.Adam(2e-3),
                  loss="sparse_categorical_crossentropy",
                  metrics=["accuracy"])
    return model


def main():
    x, y = load_wines()
    x, y = shuffle_data(x, y)
    n_train = int(0.8 * len(x))
    mean, std = x[:n_train].mean(axis=0), x[:n_train].std(axis=0)
    x = (x - mean) / std

    model = build_model(x.shape[1])
    model.fit(x[:n_train], y[:n_train],
              validation_data=(x[n_train:], y[n_train:]),
              epochs=15, batch_size=32, verbose=2)
    loss, acc = model.evaluate(x[n_train:], y[n_train:], verbose=0)
    print(f"validation loss {loss:.4f}  accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
