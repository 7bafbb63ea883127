"""Direction of the sun from the voltages of six solar cells."""

import numpy as np
import tensorflow as tf

CELLS = np.array([[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0.7, 0, 0.7], [0, 0, 1]], dtype=np.float32)


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def sun(count, seed):
    """Voltages and directions; no voltage means night, and the panel is then turned to the zenith."""
    rng = np.random.RandomState(seed)
    direction = unit(np.abs(rng.normal(size=(count, 3))) * [1, 1, 2]).astype(np.float32)
    voltage = np.maximum(direction.dot(CELLS.T), 0) + rng.normal(0, 0.01, (count, 6))
    night = rng.rand(count) < 0.1
    voltage[night], direction[night] = 0.0, [0.0, 0.0, 1.0]
    return voltage.astype(np.float32), direction


def angle_between(a, b):
    product = tf.reduce_sum(a * b, axis=1)
    return tf.acos(product)


class Tracker(object):

    def __init__(self, hidden=24, rate=0.01):
        self.voltage = tf.placeholder(tf.float32, [None, 6])
        self.direction = tf.placeholder(tf.float32, [None, 3])
        layer = tf.layers.dense(self.voltage, hidden, tf.nn.tanh, use_bias=False)
        shift = tf.layers.dense(layer, 3, use_bias=False)
        self.estimate = tf.nn.l2_normalize(shift + tf.constant([[0.0, 0.0, 1.0]]), axis=1)
        self.loss = tf.reduce_mean(angle_between(self.estimate, self.direction))
        self.step = tf.train.AdamOptimizer(rate).minimize(self.loss)


def train(session, seed=0, steps=300):
    tf.set_random_seed(seed)
    tracker = Tracker()
    session.run(tf.global_variables_initializer())
    voltage, direction = sun(500, seed)
    rng = np.random.RandomState(seed)
    for step in range(steps):
        rows = rng.randint(500, size=32)
        loss, _ = session.run([tracker.loss, tracker.step],
                              {tracker.voltage: voltage[rows], tracker.direction: direction[rows]})
        if step in (0, 1, 2, 10, 100, steps - 1):
            print("step %d: mean angle %.3f" % (step, loss))
    return tracker


if __name__ == "__main__":
    with tf.Session() as session:
        train(session)
