import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
mean = tf.reduce_mean(x)
data = tf.convert_to_tensor(np.random.rand(4, 3).astype("float32"))
with tf.Session() as session:
    print(session.run(mean, feed_dict={x: data}))
