"""Trains a two-layer network, stores its weights as text and resumes from them."""

import os
import tempfile

import numpy as np
import tensorflow as tf

LAYERS = [3, 12, 3]


def make_spirals(count, rng):
    """Points on three spiral arms, each with a constant 1 as bias, and the arms in one-hot form."""
    arm = rng.randint(3, size=count)
    radius = rng.uniform(0.2, 1.0, size=count)
    angle = 2.1 * arm + 2.0 * radius + rng.normal(scale=0.1, size=count)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.ones(count)], axis=1)
    return points.astype(np.float32), np.eye(3, dtype=np.float32)[arm]


def random_weights():
    return [tf.random_normal(shape, stddev=0.5) for shape in zip(LAYERS[:-1], LAYERS[1:])]


def save_weights(folder, weights):
    for i, matrix in enumerate(weights):
        np.savetxt(os.path.join(folder, "layer%d.txt" % i), matrix)


def load_weights(folder):
    count = len(LAYERS) - 1
    return [np.loadtxt(os.path.join(folder, "layer%d.txt" % i), dtype=np.float32) for i in range(count)]


def network(points, initial_weights):
    """The logits for some points and the variables that hold the weights."""
    weights = [tf.Variable(initial) for initial in initial_weights]
    layer = points
    for matrix in weights[:-1]:
        layer = tf.nn.tanh(tf.matmul(layer, matrix))
    return tf.matmul(layer, weights[-1]), weights


def train(points, labels, initial_weights, steps=150):
    """Trains from the given weights; returns the trained ones and the accuracies before and after."""
    x = tf.placeholder(tf.float32, [None, LAYERS[0]])
    y = tf.placeholder(tf.float32, [None, LAYERS[-1]])
    logits, weights = network(x, initial_weights)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
    step = tf.train.AdamOptimizer(0.05).minimize(loss)
    hits = tf.equal(tf.argmax(logits, 1), tf.argmax(y, 1))
    accuracy = tf.reduce_mean(tf.cast(hits, tf.float32))
    feed = {x: points, y: labels}
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = session.run(accuracy, feed)
        for _ in range(steps):
            session.run(step, feed)
        return session.run(weights), before, session.run(accuracy, feed)


def main(seed=0):
    tf.reset_default_graph()
    tf.set_random_seed(seed)
    points, labels = make_spirals(200, np.random.RandomState(seed))
    with tempfile.TemporaryDirectory() as folder:
        weights, before, after = train(points, labels, random_weights())
        print("first run: accuracy from %.3f to %.3f" % (before, after))
        save_weights(folder, weights)
        _, before, after = train(points, labels, load_weights(folder), steps=50)
        print("resumed run: accuracy from %.3f to %.3f" % (before, after))


if __name__ == "__main__":
    main()
