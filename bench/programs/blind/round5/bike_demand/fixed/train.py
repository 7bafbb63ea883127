"""Hourly bike rentals with a robust loss in a custom train step."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops


def make_rentals(n, seed):
    rng = np.random.default_rng(seed)
    hour = rng.integers(0, 24, size=n)
    workday = rng.random(n) < 0.7
    temp = rng.normal(15, 8, size=n)
    rain = rng.random(n) < 0.2
    commute = np.exp(-0.5 * ((hour - 8) / 1.5) ** 2) + np.exp(-0.5 * ((hour - 17.5) / 1.5) ** 2)
    leisure = np.exp(-0.5 * ((hour - 14) / 3.5) ** 2)
    demand = 40 + 260 * np.where(workday, commute, leisure)
    demand *= (0.4 + 0.6 / (1 + np.exp(-(temp - 12) / 4))) * np.where(rain, 0.5, 1.0)
    demand += rng.normal(0, 10, size=n) + (rng.random(n) < 0.02) * rng.normal(0, 200, size=n)
    x = np.column_stack([np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24),
                         hour / 12 - 1, workday, (temp - 15) / 8, rain])
    return x.astype("float32"), (demand / 100).astype("float32")


class RobustRegressor(keras.Model):
    """MLP trained with a Huber loss; reports the mean absolute error."""

    def __init__(self, delta=0.5):
        super().__init__()
        self.delta = delta
        self.body = keras.Sequential([layers.Dense(64, activation="relu"),
                                      layers.Dense(64, activation="relu"),
                                      layers.Dense(1)])
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.mae = keras.metrics.MeanAbsoluteError(name="mae")

    @property
    def metrics(self):
        return [self.loss_tracker, self.mae]

    def call(self, x, training=False):
        return self.body(x, training=training)

    def huber(self, y, pred):
        err = ops.abs(y - ops.squeeze(pred, axis=-1))
        quad = ops.minimum(err, self.delta)
        return ops.mean(0.5 * quad ** 2 + self.delta * (err - quad))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            pred = self(x, training=True)
            loss = self.huber(y, pred)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(grads, self.trainable_variables)
        self.loss_tracker.update_state(loss)
        self.mae.update_state(y, pred)
        return {m.name: m.result() for m in self.metrics}

    def test_step(self, data):
        x, y = data
        pred = self(x, training=False)
        self.loss_tracker.update_state(self.huber(y, pred))
        self.mae.update_state(y, pred)
        return {m.name: m.result() for m in self.metrics}


def main():
    keras.utils.set_random_seed(6)
    x_train, y_train = make_rentals(5000, seed=1)
    x_val, y_val = make_rentals(1000, seed=2)
    train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train))
    train_ds = train_ds.shuffle(5000, seed=6).batch(64).prefetch(1)
    val_ds = tf.data.Dataset.from_tensor_slices((x_val, y_val)).batch(250)

    model = RobustRegressor()
    model.compile(optimizer=keras.optimizers.Adam(2e-3))
    print(f"MAE of the median {np.abs(y_val - np.median(y_train)).mean():.3f}")
    model.fit(train_ds, validation_data=val_ds, epochs=12, verbose=2)

    pred = model.predict(x_val, verbose=0)[:, 0]
    spread = np.std(pred) / np.std(y_val)
    print(f"val MAE {100 * np.abs(pred - y_val).mean():.1f} bikes, relative spread {spread:.2f}")


if __name__ == "__main__":
    main()
