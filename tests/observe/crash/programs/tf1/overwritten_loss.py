import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
y = tf.placeholder(tf.float32, [None, 1])
outputs = tf.layers.dense(x, 1)
loss = tf.reduce_mean(tf.square(outputs - y))
train = tf.train.AdamOptimizer(0.01).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for step in range(4):
        feed = {x: np.random.rand(5, 3), y: np.random.rand(5, 1)}
        _, loss = session.run([train, loss], feed_dict=feed)
        print(step, loss)
