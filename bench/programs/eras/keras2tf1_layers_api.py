"""The layers of TensorFlow before Keras took over."""

import numpy as np
import tensorflow as tf

images = tf.placeholder(tf.float32, [None, 8, 8, 1])
labels = tf.placeholder(tf.int64, [None])
net = tf.layers.conv2d(images, 4, 3, activation=tf.nn.relu)
net = tf.layers.flatten(net)
net = tf.layers.dropout(net, rate=0.2, training=True)
logits = tf.layers.dense(net, 10)
loss = tf.losses.sparse_softmax_cross_entropy(labels=labels, logits=logits)
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(10):
        batch = {images: np.random.rand(16, 8, 8, 1), labels: np.random.randint(0, 10, 16)}
        print(sess.run([loss, train], batch)[0])
