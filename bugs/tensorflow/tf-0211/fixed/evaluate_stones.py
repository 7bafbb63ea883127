"""Trains the network, stores it, and evaluates what was stored in a fresh graph."""

import os
import tempfile

import numpy as np
import tensorflow as tf

import stone_net


def train(path, steps=60):
    with tf.Graph().as_default(), tf.Session() as sess:
        images = tf.placeholder(tf.float32, [None, 12, 12, 1])
        stone = tf.placeholder(tf.int64, [None])
        with stone_net.stone_arg_scope(training=True):
            logits = stone_net.stone_net(images)
        loss = tf.losses.sparse_softmax_cross_entropy(stone, logits)
        step = tf.train.AdamOptimizer(0.01).minimize(loss)
        sess.run(tf.global_variables_initializer())
        for i in range(steps):
            x, y = stone_net.photos(32, seed=i)
            sess.run(step, {images: x, stone: y})
        tf.train.Saver(tf.global_variables("StoneNet")).save(sess, path)


def evaluate(path):
    with tf.Graph().as_default(), tf.Session() as sess:
        images = tf.placeholder(tf.float32, [None, 12, 12, 1])
        with stone_net.stone_arg_scope(training=False):
            logits = stone_net.stone_net(images)
        tf.train.Saver().restore(sess, path)
        x, y = stone_net.photos(200, seed=5000)
        return np.mean(sess.run(logits, {images: x}).argmax(axis=1) == y)


def main():
    path = os.path.join(tempfile.mkdtemp(), "stones.ckpt")
    train(path)
    print("accuracy of the restored network: %.2f" % evaluate(path))


if __name__ == "__main__":
    main()
