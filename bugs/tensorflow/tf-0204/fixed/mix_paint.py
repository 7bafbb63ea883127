"""Finds the shares of pigments that give a wanted colour, with as few pigments as possible."""

import numpy as np
import tensorflow as tf

PIGMENTS = 12
BANDS = 31


def pigment_spectra(seed=5):
    rng = np.random.RandomState(seed)
    band = np.linspace(0, 1, BANDS)
    peak, width = rng.uniform(0, 1, PIGMENTS), rng.uniform(0.05, 0.3, PIGMENTS)
    return np.exp(-((band[None, :] - peak[:, None]) / width[:, None]) ** 2).astype(np.float32)


def wanted_colour(spectra, seed):
    rng = np.random.RandomState(seed)
    shares = np.zeros(PIGMENTS, np.float32)
    shares[rng.choice(PIGMENTS, 3, replace=False)] = rng.dirichlet([3, 3, 3])
    return shares.dot(spectra)


def entropy(shares):
    """A pigment that is not used contributes nothing."""
    used = shares > 0
    safe = tf.where(used, shares, tf.ones_like(shares))
    terms = shares * tf.log(safe)
    return -tf.reduce_sum(terms)


def find_shares(spectra, colour, steps=400, rate=0.02, sparsity=1e-3, seed=0):
    with tf.Graph().as_default():
        tf.set_random_seed(seed)
        amounts = tf.get_variable("amounts", [PIGMENTS], initializer=tf.random_normal_initializer(0.5, 0.5))
        positive = tf.nn.relu(amounts)
        shares = positive / (tf.reduce_sum(positive) + 1e-8)
        mixed = tf.squeeze(tf.matmul(tf.expand_dims(shares, 0), tf.constant(spectra)), 0)
        loss = tf.reduce_mean(tf.square(mixed - colour)) + sparsity * entropy(shares)
        step = tf.train.AdamOptimizer(rate).minimize(loss)
        with tf.Session() as session:
            session.run(tf.global_variables_initializer())
            for number in range(steps):
                value, _ = session.run([loss, step])
                if number in (0, 1, 2, 10, 100, steps - 1):
                    print("step %3d: loss %.5f" % (number, value))
            return session.run(shares)


if __name__ == "__main__":
    spectra = pigment_spectra()
    print(np.round(find_shares(spectra, wanted_colour(spectra, 1)), 2))
