import numpy as np
import tensorflow as tf

inputs = tf.placeholder(tf.float32, [None, 2])
keep = tf.placeholder(tf.float32)
weights = tf.Variable(tf.ones([2, 1]))
output = tf.nn.dropout(tf.matmul(inputs, weights), keep_prob=keep)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(output, feed_dict={inputs: np.ones((3, 2))}))
