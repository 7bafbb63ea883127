"""A recurrent cell from the part of TensorFlow that others contributed."""

import numpy as np
import tensorflow as tf

inputs = tf.placeholder(tf.float32, [None, 5, 3])
target = tf.placeholder(tf.float32, [None, 1])
cell = tf.contrib.rnn.BasicLSTMCell(8)
outputs, state = tf.nn.dynamic_rnn(cell, inputs, dtype=tf.float32)
prediction = tf.contrib.layers.fully_connected(outputs[:, -1], 1, activation_fn=None)
cost = tf.losses.mean_squared_error(target, prediction)
step = tf.train.RMSPropOptimizer(0.01).minimize(cost)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(20):
        x = np.random.rand(10, 5, 3)
        sess.run(step, {inputs: x, target: x.sum(axis=(1, 2)).reshape(-1, 1)})
