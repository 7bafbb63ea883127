import numpy as np
import tensorflow as tf

from network import logits_of, loss_of

CLASSES = 4
inputs = tf.placeholder(tf.float32, [None, 6])
labels = tf.placeholder(tf.int32, [None, CLASSES])
loss = loss_of(logits_of(inputs, CLASSES), labels)
train = tf.train.AdamOptimizer().minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    answers = np.eye(CLASSES)[np.random.randint(0, CLASSES, 10)]
    session.run(train, {inputs: np.random.rand(10, 6), labels: answers})
