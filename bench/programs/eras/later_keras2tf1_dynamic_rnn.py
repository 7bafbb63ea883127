"""Sequences through a cell, with a session."""

import numpy as np
import tensorflow as tf

n_steps, n_inputs, n_hidden, n_classes = 7, 4, 16, 2
x = tf.placeholder("float", [None, n_steps, n_inputs])
y = tf.placeholder("float", [None, n_classes])
weights = tf.Variable(tf.random_normal([n_hidden, n_classes]))
biases = tf.Variable(tf.random_normal([n_classes]))

lstm_cell = tf.nn.rnn_cell.BasicLSTMCell(n_hidden, forget_bias=1.0)
outputs, states = tf.nn.dynamic_rnn(lstm_cell, x, dtype=tf.float32)
pred = tf.matmul(outputs[:, -1, :], weights) + biases

cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(logits=pred, labels=y))
optimizer = tf.train.AdamOptimizer(learning_rate=0.01).minimize(cost)
correct_pred = tf.equal(tf.argmax(pred, 1), tf.argmax(y, 1))
accuracy = tf.reduce_mean(tf.cast(correct_pred, tf.float32))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(10):
        batch_x = np.random.rand(16, n_steps, n_inputs)
        batch_y = np.eye(2)[(batch_x.mean(axis=(1, 2)) > 0.5).astype(int)]
        sess.run(optimizer, feed_dict={x: batch_x, y: batch_y})
    print(sess.run([cost, accuracy], feed_dict={x: batch_x, y: batch_y}))
