from __future__ import print_function

import numpy as np
import tensorflow as tf

FEATURES = 12
HIDDEN = 32
BATCH = 100
EPOCHS = 15
LEARNING_RATE = 2e-3


def make_applicants(n, seed):
    rng = np.random.RandomState(seed)
    x = rng.randn(n, FEATURES).astype(np.float32)
    score = 1.5 * x[:, 0] - x[:, 1] * x[:, 2] + np.sin(2 * x[:, 3]) + 0.5 * x[:, 4] ** 2
    y = (score + 0.3 * rng.randn(n) > 0.4).astype(np.float32)
    return x, y.reshape(-1, 1)


def dense(x, n_out, name, activation=None):
    with tf.variable_scope(name):
        w = tf.get_variable("w", [int(x.shape[1]), n_out], initializer=tf.glorot_uniform_initializer())
        b = tf.get_variable("b", [n_out], initializer=tf.zeros_initializer())
        h = tf.matmul(x, w) + b
        return activation(h) if activation is not None else h


def build_network(x):
    h = dense(x, HIDDEN, "layer1", tf.nn.relu)
    h = dense(h, HIDDEN, "layer2", tf.nn.relu)
    return dense(h, 1, "out")


def batches(x, y, rng):
    order = rng.permutation(len(x))
    for i in range(0, len(x), BATCH):
        idx = order[i:i + BATCH]
        yield x[idx], y[idx]


def main():
    tf.set_random_seed(0)
    rng = np.random.RandomState(0)
    x_train, y_train = make_applicants(5000, seed=1)
    x_test, y_test = make_applicants(1000, seed=2)

    x_in = tf.placeholder(tf.float32, [None, FEATURES], name="x")
    y_in = tf.placeholder(tf.float32, [None, 1], name="y")
    logits = build_network(x_in)
    loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=y_in, logits=logits))
    correct = tf.equal(tf.cast(logits > 0, tf.float32), y_in)
    accuracy = tf.reduce_mean(tf.cast(correct, tf.float32))

    step = tf.train.get_or_create_global_step()
    rate = tf.train.exponential_decay(LEARNING_RATE, step, 200, 0.9)
    train_op = tf.train.AdamOptimizer(rate).minimize(loss, global_step=step)
    init = tf.global_variables_initializer()

    with tf.Session() as sess:
        sess.run(init)
        print("before training: test accuracy %.3f" % sess.run(accuracy, {x_in: x_test, y_in: y_test}))
        for epoch in range(EPOCHS):
            losses = []
            for bx, by in batches(x_train, y_train, rng):
                _, value = sess.run([train_op, loss], {x_in: bx, y_in: by})
                losses.append(value)
            acc = sess.run(accuracy, {x_in: x_test, y_in: y_test})
            print("epoch %2d  loss %.4f  test accuracy %.3f" % (epoch + 1, np.mean(losses), acc))


if __name__ == "__main__":
    main()
