import numpy as np
import tensorflow as tf

series = tf.placeholder(tf.float32, [None, 5, 2])
cell = tf.nn.rnn_cell.GRUCell(4)
moments = tf.unstack(series, axis=1)
_, state = tf.nn.dynamic_rnn(cell, moments, dtype=tf.float32)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    print(session.run(state, {series: np.ones((3, 5, 2))}).shape)
