"""Regression: heating demand of a house from its area, age and windows."""
from __future__ import print_function

import numpy as np
import tensorflow as tf

n_features = 3
learning_rate = 0.01
batch_size = 30
n_epochs = 15

# ---- data ----
rng = np.random.RandomState(11)
house = rng.rand(300, n_features).astype(np.float32)
demand = (house.dot([[2.0], [1.5], [0.5]]) + 0.3 + 0.05 * rng.randn(300, 1)).astype(np.float32)

# ---- graph ----
X = tf.placeholder(tf.float32, [None, n_features], name="X")
Y = tf.placeholder(tf.float32, [None, 1], name="Y")
W = tf.Variable(tf.zeros([n_features, 1]), name="weights")
b = tf.Variable(tf.zeros([1]), name="bias")
Y_hat = tf.matmul(X, W) + b
loss = tf.losses.huber_loss(Y, Y_hat)
optimizer = tf.train.AdamOptimizer(learning_rate).minimize(loss)


def train(loss):
    history = []
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for epoch in range(n_epochs):
            total = 0.0
            for start in range(0, len(house), batch_size):
                feed = {X: house[start:start + batch_size], Y: demand[start:start + batch_size]}
                _, batch_loss = sess.run([optimizer, loss], feed_dict=feed)
                total += batch_loss
            history.append(total / (len(house) // batch_size))
            print("Epoch {0}: {1:.5f}".format(epoch, history[-1]))
        print("weights", sess.run(W).ravel(), "bias", sess.run(b))
    return history


if __name__ == "__main__":
    train(loss)
