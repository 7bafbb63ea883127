"""Linear model of the quality of wine; the rows come from an input queue."""

import argparse

import numpy as np
import tensorflow as tf

FEATURES = 6


def wine(rows=400, seed=3):
    rng = np.random.RandomState(seed)
    x = rng.uniform(-1, 1, size=(rows, FEATURES)).astype(np.float32)
    y = x.dot(np.linspace(-1, 1, FEATURES)).astype(np.float32) + rng.normal(0, 0.05, rows).astype(np.float32)
    return x, y


def input_pipeline(batch_size):
    x, y = wine()
    row, quality = tf.train.slice_input_producer([tf.constant(x), tf.constant(y)], shuffle=True)
    return tf.train.batch([row, quality], batch_size=batch_size, capacity=4 * batch_size)


def build(batch_size, rate):
    rows, quality = input_pipeline(batch_size)
    weights = tf.get_variable("weights", [FEATURES, 1])
    bias = tf.get_variable("bias", [], initializer=tf.zeros_initializer())
    estimate = tf.squeeze(tf.matmul(rows, weights), axis=1) + bias
    loss = tf.reduce_mean(tf.square(estimate - quality))
    return loss, tf.train.GradientDescentOptimizer(rate).minimize(loss)


def main(steps=200, batch_size=20, rate=0.2, seconds=4):
    tf.reset_default_graph()
    loss, step = build(batch_size, rate)
    config = tf.ConfigProto(operation_timeout_in_ms=int(1000 * seconds))
    with tf.Session(config=config) as sess:
        sess.run(tf.global_variables_initializer())
        coord = tf.train.Coordinator()
        print("training for %d steps" % steps)
        for i in range(steps):
            value, _ = sess.run([loss, step])
            if i % 50 == 0:
                print("step %d: loss %.4f" % (i, value))
        coord.request_stop()
    return value


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=4, help="limit for one call of run")
    options = parser.parse_args()
    main(options.steps, seconds=options.seconds)
