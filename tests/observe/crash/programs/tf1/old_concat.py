import tensorflow as tf

left = tf.ones([2, 3])
right = tf.zeros([2, 4])
both = tf.concat(1, [left, right])
with tf.Session() as session:
    print(session.run(both).shape)
