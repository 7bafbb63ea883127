"""Fits the harvest of fields and stores graph and weights."""

import numpy as np
import tensorflow as tf


def fields(count, seed):
    rng = np.random.RandomState(seed)
    x = rng.uniform(0, 1, size=(count, 3)).astype(np.float32)
    return x, (2 * x[:, :1] + x[:, 1:2] - x[:, 2:] ** 2).astype(np.float32)


def train(path, steps=150):
    with tf.Graph().as_default(), tf.Session() as session:
        x = tf.placeholder(tf.float32, [None, 3], name="x")
        y = tf.placeholder(tf.float32, [None, 1], name="y")
        hidden = tf.layers.dense(x, 12, tf.nn.tanh)
        harvest = tf.layers.dense(hidden, 1)
        tf.add_to_collection("harvest", harvest)
        loss = tf.reduce_mean(tf.square(harvest - y))
        step = tf.train.AdamOptimizer(0.02).minimize(loss)
        session.run(tf.global_variables_initializer())
        data = fields(200, seed=0)
        for _ in range(steps):
            session.run(step, {x: data[0], y: data[1]})
        print("loss %.4f" % session.run(loss, {x: data[0], y: data[1]}))
        tf.train.Saver().save(session, path)
