import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None])
out = tf.layers.dense(x, 1)
loss = tf.reduce_mean(tf.square(out[:, 0] - y))
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
session = tf.Session()
for _ in range(3):
    _, value = session.run([step, loss], feed_dict={x: np.random.rand(6, 4), y: np.random.rand(6)})
    print(value)
