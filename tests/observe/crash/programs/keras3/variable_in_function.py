import tensorflow as tf


@tf.function
def scale(x):
    factor = tf.Variable(2.0)
    return factor * x


print(scale(tf.constant(1.0)))
