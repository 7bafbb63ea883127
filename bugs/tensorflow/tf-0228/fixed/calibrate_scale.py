"""Fits the load on a scale from the readings of its strain gauges."""

import numpy as np
import tensorflow as tf

from schedule import Cooling

GAUGES = 8
SENSITIVITY = np.array([0.9, 1.1, 0.8, 1.2, 1.0, 0.7, 1.3, 1.0])


def weigh(count, seed, noise=2.0):
    """Readings of the gauges and the load that was put on the scale."""
    rng = np.random.RandomState(seed)
    readings = rng.normal(size=(count, GAUGES))
    loads = readings @ SENSITIVITY + rng.normal(0, noise, count) if noise else readings @ SENSITIVITY
    return readings.astype("float32"), loads.astype("float32")


class Scale(tf.Module):
    def __init__(self):
        super().__init__()
        self.weights = tf.Variable(tf.zeros([GAUGES]))
        self.zero = tf.Variable(0.0)

    def __call__(self, readings):
        return tf.linalg.matvec(readings, self.weights) + self.zero


def make_step(scale, optimizer):
    @tf.function
    def step(readings, loads):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(scale(readings) - loads)) / 2.0
        variables = scale.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    return step


def calibrate(seed=0, epochs=12):
    tf.random.set_seed(seed)
    scale, cooling = Scale(), Cooling(0.1, 0.67)
    step = make_step(scale, tf.keras.optimizers.SGD(cooling))
    data = tf.data.Dataset.from_tensor_slices(weigh(800, seed)).shuffle(800).batch(4, drop_remainder=True)
    for epoch in range(epochs):
        loss = np.mean([step(*batch) for batch in data])
        if epoch % 4 == 3:
            print("epoch %d: learning rate %.4f, loss %.3f" % (epoch + 1, cooling(), loss))
        cooling.epoch_ends()
    return scale


if __name__ == "__main__":
    calibrate()
