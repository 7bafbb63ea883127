"""Denoising autoencoder for spectra in half precision, to fit on a small device."""

import numpy as np
import tensorflow as tf

BANDS = 24
DTYPE = tf.float16


def spectra(count, seed):
    rng = np.random.RandomState(seed)
    band = np.arange(BANDS)[None, :]
    clean = np.zeros((count, BANDS))
    for _ in range(2):
        peak = rng.uniform(3, BANDS - 3, size=(count, 1))
        clean += rng.uniform(0, 1, size=(count, 1)) * np.exp(-((band - peak) / 2.0) ** 2)
    return clean + rng.normal(0, 0.2, clean.shape), clean


def layer(x, inputs, outputs, name):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [inputs, outputs], DTYPE, tf.random_normal_initializer(stddev=inputs ** -0.5, dtype=DTYPE))
        b = tf.get_variable("b", [outputs], DTYPE, tf.zeros_initializer())
        return tf.matmul(x, w) + b


class Autoencoder(object):

    def __init__(self, hidden=32, rate=2e-3):
        self.noisy = tf.placeholder(DTYPE, [None, BANDS])
        self.clean = tf.placeholder(DTYPE, [None, BANDS])
        code = tf.nn.relu(layer(self.noisy, BANDS, hidden, "encoder"))
        self.output = layer(code, hidden, BANDS, "decoder")
        self.loss = tf.reduce_mean(tf.square(self.output - self.clean))
        self.step = tf.train.AdamOptimizer(rate, epsilon=1e-4).minimize(self.loss)


def train(session, seed=0, steps=400):
    tf.set_random_seed(seed)
    model = Autoencoder()
    session.run(tf.global_variables_initializer())
    noisy, clean = spectra(600, seed)
    rng = np.random.RandomState(seed)
    for step in range(steps):
        rows = rng.randint(600, size=32)
        value, _ = session.run([model.loss, model.step], {model.noisy: noisy[rows], model.clean: clean[rows]})
        if step in (0, 1, 2, 50, steps - 1):
            print("step %d: loss %.4f" % (step, value))
    return model


if __name__ == "__main__":
    with tf.Session() as session:
        train(session)
