import numpy as np
import tensorflow as tf


def batches(count):
    for _ in range(count):
        yield np.random.rand(8, 28, 28), np.random.randint(0, 10, 8)


images = tf.placeholder(tf.float32, [None, 784])
labels = tf.placeholder(tf.int64, [None])
weights = tf.Variable(tf.zeros([784, 10]))
logits = tf.matmul(images, weights)
loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for x, y in batches(3):
        session.run(train, feed_dict={images: x, labels: y})
