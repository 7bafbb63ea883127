"""Compresses signals with peaks to a few numbers."""

import os
import tempfile

import numpy as np
import tensorflow as tf

import journal

LENGTH = 48


def measure(count, seed):
    rng = np.random.RandomState(seed)
    place = np.arange(LENGTH)
    signals = np.zeros((count, LENGTH))
    for _ in range(3):
        centre, height = rng.uniform(4, LENGTH - 4, (count, 1)), rng.uniform(0, 1, (count, 1))
        signals += height * np.exp(-((place - centre) ** 2) / 8)
    return (signals + rng.normal(0, 0.02, signals.shape)).astype("float32")


class Training:
    def __init__(self, path, interval=50):
        layers = tf.keras.layers
        self.net = tf.keras.Sequential([layers.Dense(64, activation="relu"), layers.Dense(8), layers.Dense(64, activation="relu"), layers.Dense(LENGTH)])
        self.optimizer = tf.keras.optimizers.Adam(0.003)
        self.path, self.interval = path, interval

    def loss(self, signals):
        return tf.reduce_mean(tf.square(self.net(signals) - signals))

    @tf.function
    def step(self, signals, number):
        with tf.GradientTape() as tape:
            loss = self.loss(signals)
        variables = self.net.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        if number % self.interval == 0:
            journal.note(self.path, "step", number, "loss", loss)
        return loss


def main(seed=0, steps=400, path=None):
    tf.random.set_seed(seed)
    path = path or os.path.join(tempfile.mkdtemp(), "training.log")
    journal.begin(path)
    training = Training(path)
    data = tf.data.Dataset.from_tensor_slices(measure(1000, seed)).shuffle(1000).repeat().batch(50)
    for number, signals in data.take(steps).enumerate():
        loss = training.step(signals, number)
    print("loss after %d steps: %.4f; log in %s" % (steps, loss, path))
    return path


if __name__ == "__main__":
    print(open(main()).read())
