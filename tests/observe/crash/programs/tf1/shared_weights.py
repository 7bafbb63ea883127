import numpy as np
import tensorflow as tf


def embed(x):
    with tf.variable_scope("embed"):
        weights = tf.get_variable("weights", [4, 2])
        return tf.matmul(x, weights)


left = tf.placeholder(tf.float32, [None, 4])
right = tf.placeholder(tf.float32, [None, 4])
distance = tf.reduce_sum(tf.square(embed(left) - embed(right)), axis=1)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(distance, {left: np.ones((2, 4)), right: np.zeros((2, 4))}))
