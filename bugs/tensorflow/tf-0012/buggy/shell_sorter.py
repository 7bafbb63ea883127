"""Sorts shells into three kinds by four measurements in millimetres."""

import numpy as np
import tensorflow as tf

KINDS = 3


def make_shells(count, seed):
    random = np.random.RandomState(seed)
    kinds = random.randint(0, KINDS, count)
    means = np.array([[40, 60, 25, 80], [44, 55, 28, 86], [37, 63, 22, 90]])
    return (means[kinds] + random.normal(0, 1.0, (count, 4))).astype("float32"), kinds


def build_graph():
    shells = tf.placeholder(tf.float32, [None, 4])
    kinds = tf.placeholder(tf.int64, [None])
    training = tf.placeholder(tf.bool)
    hidden = tf.layers.dense(shells, 16)
    hidden = tf.nn.relu(tf.layers.batch_normalization(hidden, momentum=0.9, training=training))
    logits = tf.layers.dense(hidden, KINDS)
    loss = tf.losses.sparse_softmax_cross_entropy(kinds, logits)
    step = tf.train.AdamOptimizer(0.01).minimize(loss)
    return shells, kinds, training, logits, loss, step


def accuracy_of_new_shells(seed=0):
    tf.reset_default_graph()
    tf.set_random_seed(seed)
    random = np.random.RandomState(seed)
    shells, kinds, training, logits, loss, step = build_graph()
    data, labels = make_shells(480, seed)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for number in range(300):
            rows = random.randint(0, len(data), 32)
            value, _ = session.run([loss, step], {shells: data[rows], kinds: labels[rows], training: True})
            if number % 100 == 90:
                print("step %d: loss %.3f" % (number, value))
        others, truth = make_shells(200, seed + 1000)
        scores = session.run(logits, {shells: others, training: False})
    return float((scores.argmax(axis=1) == truth).mean())


if __name__ == "__main__":
    print("accuracy with training=False: %.2f" % accuracy_of_new_shells())
