"""Fits the response of a gas sensor array with a linear readout, on as many devices as there are."""

import numpy as np
import tensorflow as tf

from devices import open_strategy

SENSORS = 16


def measure(count, seed):
    """Readings that share a common drift, and the concentrations of two gases."""
    rng = np.random.RandomState(seed)
    readings = rng.normal(size=(count, SENSORS)) + 0.5 * rng.normal(size=(count, 1))
    mixing = np.random.RandomState(7).normal(0.0, 0.5, (SENSORS, 2))
    gases = readings @ mixing + rng.normal(0.0, 0.1, (count, 2))
    return readings.astype("float32"), gases.astype("float32")


class Readout(tf.Module):
    def __init__(self):
        super().__init__()
        self.kernel = tf.Variable(tf.zeros([SENSORS, 2]), name="kernel")
        self.bias = tf.Variable(tf.zeros([2]), name="bias")

    def __call__(self, readings):
        return readings @ self.kernel + self.bias


class Calibration:
    def __init__(self, strategy, learning_rate=0.25, batch_size=128):
        self.strategy, self.batch_size = strategy, batch_size
        with strategy.scope():
            self.readout = Readout()
            self.optimizer = tf.keras.optimizers.SGD(learning_rate)

    def loss(self, readings, gases):
        errors = tf.reduce_sum(tf.square(self.readout(readings) - gases), axis=1) / 2.0
        return tf.nn.compute_average_loss(errors, global_batch_size=self.batch_size)

    @tf.function
    def step(self, readings, gases):
        def on_device(readings, gases):
            with tf.GradientTape() as tape:
                loss = self.loss(readings, gases)
            variables = self.readout.trainable_variables
            self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
            return loss

        return self.strategy.run(on_device, args=(readings, gases))

    def fit(self, readings, gases, epochs):
        data = tf.data.Dataset.from_tensor_slices((readings, gases)).shuffle(len(readings))
        data = self.strategy.experimental_distribute_dataset(data.batch(self.batch_size, drop_remainder=True))
        for epoch in range(epochs):
            for batch in data:
                losses = self.step(*batch)
            parts = ["%.4g" % loss for loss in self.strategy.experimental_local_results(losses)]
            print("epoch %d: loss %s" % (epoch + 1, ", ".join(parts)))


def main(seed=0, epochs=6):
    tf.random.set_seed(seed)
    calibration = Calibration(open_strategy())
    calibration.fit(*measure(1024, seed), epochs=epochs)
    return calibration.readout


if __name__ == "__main__":
    main()
