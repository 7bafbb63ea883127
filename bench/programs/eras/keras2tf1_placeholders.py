"""A linear regression with a session of TensorFlow."""

import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.Variable(tf.zeros([3, 1]))
b = tf.Variable(tf.zeros([1]))
loss = tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

data = np.random.rand(64, 3)
target = data.dot([[1.0], [2.0], [3.0]])
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(50):
        _, value = session.run([train, loss], feed_dict={x: data, y: target})
    print(value)
