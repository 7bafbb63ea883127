import numpy as np
import tensorflow as tf

points = tf.placeholder(tf.float32, [None, 3])
slope = tf.Variable(tf.ones([3, 1]))
height = tf.matmul(points, slope)


def heights(session, rows):
    tf.global_variables_initializer()
    return session.run(height, {points: rows})


with tf.Session() as main_session:
    print(heights(main_session, np.ones((2, 3))))
