"""Recognises gestures from accelerations; training and validation have different inputs."""

import numpy as np
import tensorflow as tf

from motion_data import GESTURES, SAMPLES, record


def recognise(motion, drop):
    net = tf.layers.conv1d(motion, 12, 5, activation=tf.nn.relu)
    net = tf.layers.max_pooling1d(net, 4, 4)
    net = tf.layers.flatten(net)
    net = tf.layers.dropout(net, rate=drop, training=drop > 0)
    return tf.layers.dense(net, len(GESTURES))


def run(seed=0, steps=250, batch=32):
    motion, kind = record(500, seed)
    new_motion, new_kind = record(200, seed + 1)
    with tf.Graph().as_default(), tf.Session() as sess:
        tf.set_random_seed(seed)
        train_motion = tf.placeholder(tf.float32, [None, SAMPLES, 3])
        train_kind = tf.placeholder(tf.int32, [None])
        with tf.name_scope("training"):
            train_logits = recognise(train_motion, drop=0.3)
        loss = tf.losses.sparse_softmax_cross_entropy(train_kind, train_logits)
        step = tf.train.AdamOptimizer(0.01).minimize(loss)

        with tf.name_scope("validation"):
            valid_logits = recognise(tf.constant(new_motion), drop=0.0)
        hits = tf.equal(tf.argmax(valid_logits, 1, output_type=tf.int32), new_kind)
        accuracy = tf.reduce_mean(tf.cast(hits, tf.float32))

        sess.run(tf.global_variables_initializer())
        rng = np.random.RandomState(seed)
        for number in range(steps):
            rows = rng.randint(len(motion), size=batch)
            value, _ = sess.run([loss, step], {train_motion: motion[rows], train_kind: kind[rows]})
            if number % 50 == 0:
                print("step %3d: loss %.3f, validation accuracy %.3f" % (number, value, sess.run(accuracy)))
        return float(sess.run(accuracy))


if __name__ == "__main__":
    print("validation accuracy %.3f" % run())
