import tensorflow as tf

weights = tf.Variable(tf.ones((3, 1)))
measures = tf.constant([[1, 2, 3], [4, 5, 6]])
print(tf.matmul(measures, weights))
