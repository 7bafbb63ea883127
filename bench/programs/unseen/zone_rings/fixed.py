"""Which coverage ring around a transmitter does a receiver stand in?"""
import os
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import numpy as np
import keras
from keras import layers

keras.utils.set_random_seed(17)
rng = np.random.default_rng(17)

N_ZONES = 3


def survey(n):
    """Noisy positions (km) and drift of receivers, label = ring number."""
    zone = rng.integers(0, N_ZONES, n)
    radius = 0.6 + zone + 0.18 * rng.standard_normal(n)
    angle = rng.uniform(0, 2 * np.pi, n)
    position = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    drift = 0.3 * rng.standard_normal((n, 2))
    return np.concatenate([position, drift], axis=1).astype("float32"), zone


class ZoneModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden1 = layers.Dense(64, activation="relu")
        self.hidden2 = layers.Dense(32, activation="relu")
        self.classify = layers.Dense(N_ZONES)

    def call(self, x):
        return self.classify(self.hidden2(self.hidden1(x)))


def main():
    x_train, y_train = survey(3000)
    x_test, y_test = survey(800)

    model = ZoneModel()
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=3e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(x_train, y_train, validation_data=(x_test, y_test),
              epochs=12, batch_size=64, verbose=2)

    pred = model.predict(x_test, verbose=0).argmax(axis=1)
    for zone in range(N_ZONES):
        hit = (pred[y_test == zone] == zone).mean()
        print(f"zone {zone}: recall {hit:.3f}")
    print(f"test accuracy {(pred == y_test).mean():.3f}")


if __name__ == "__main__":
    main()
