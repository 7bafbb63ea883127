import numpy as np
import tensorflow as tf

rows = tf.placeholder(tf.float32, [None, 3])
matrix = tf.Variable(np.eye(3))
turned = tf.matmul(rows, matrix)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(turned, {rows: np.ones((2, 3))}))
