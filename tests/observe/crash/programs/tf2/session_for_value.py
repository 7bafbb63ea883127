import tensorflow as tf


def share(answers, labels):
    equal = tf.cast(tf.equal(answers, labels), tf.float32)
    mean = tf.reduce_mean(equal)
    with tf.Session() as session:
        return session.run(mean)


print(share(tf.constant([1, 2, 3]), tf.constant([1, 2, 2])))
