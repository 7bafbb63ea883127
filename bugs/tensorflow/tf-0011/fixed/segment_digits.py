"""Recognises five seven-segment digits with one hidden layer."""

import numpy as np
import tensorflow as tf

SEGMENTS, DIGITS = 7, 5
SHAPES = np.array([[1, 1, 1, 0, 1, 1, 1], [0, 0, 1, 0, 0, 1, 0], [1, 0, 1, 1, 1, 0, 1], [1, 0, 1, 1, 0, 1, 1], [0, 1, 1, 1, 0, 1, 0]])


def make_readings(count=400):
    random = np.random.RandomState(5)
    digits = random.randint(0, DIGITS, count)
    readings = SHAPES[digits] + 0.2 * random.normal(size=(count, SEGMENTS))
    return readings.astype("float32"), np.eye(DIGITS, dtype="float32")[digits]


def build_graph():
    readings = tf.placeholder(tf.float32, [None, SEGMENTS])
    wanted = tf.placeholder(tf.float32, [None, DIGITS])
    hidden = tf.layers.dense(readings, 16, activation=tf.nn.relu)
    scores = tf.layers.dense(hidden, DIGITS)
    cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=wanted, logits=scores))
    step = tf.train.AdamOptimizer(0.01).minimize(cost)
    return readings, wanted, cost, step


def main():
    tf.set_random_seed(5)
    data, labels = make_readings()
    readings, wanted, cost, step = build_graph()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for epoch in range(5):
            for start in range(0, len(data), 50):
                batch = {readings: data[start : start + 50], wanted: labels[start : start + 50]}
                _, reached = session.run([step, cost], batch)
            print("epoch %d: cost %.3f" % (epoch, reached))


if __name__ == "__main__":
    main()
