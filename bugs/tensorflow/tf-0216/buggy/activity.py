"""Recognises what somebody does from the accelerations of a phone."""

import os
import tempfile

import numpy as np
import tensorflow as tf

import recordings

CLASSES = len(recordings.ACTIVITIES)
BATCH = 10


def build():
    x = tf.placeholder(tf.float32, [None, recordings.STEPS, recordings.CHANNELS])
    y = tf.placeholder(tf.float32, [None, CLASSES])
    conv = tf.layers.conv1d(x, 16, 3, activation=tf.nn.relu)
    flat = tf.layers.flatten(tf.layers.max_pooling1d(conv, 2, 2))
    logits = tf.layers.dense(flat, CLASSES)
    loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y, logits=logits))
    return x, y, logits, loss, tf.train.AdamOptimizer(0.005).minimize(loss)


def main(epochs=6):
    path = os.path.join(tempfile.mkdtemp(), "phone.csv")
    recordings.write(path)
    windows, labels = recordings.read(path)
    with tf.Graph().as_default(), tf.Session() as session:
        x, y, logits, loss, step = build()
        session.run(tf.global_variables_initializer())
        for epoch in range(epochs):
            costs = []
            for start in range(0, len(windows), BATCH):
                batch_x, batch_y = windows[start:start + BATCH], labels[start:start + BATCH]
                cost, _ = session.run([loss, step], feed_dict={x: batch_x, y: batch_y})
                costs.append(cost)
            print("epoch %d: loss %.3f" % (epoch, np.mean(costs)))


if __name__ == "__main__":
    main()
