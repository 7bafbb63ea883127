import numpy as np
import tensorflow as tf

graph = tf.Graph()
with graph.as_default():
    x = tf.placeholder(tf.float32, [None, 2])
    y = tf.layers.dense(x, 1)
    start = tf.global_variables_initializer()

session = tf.Session()
session.run(start)
print(session.run(y, {x: np.ones((1, 2))}))
