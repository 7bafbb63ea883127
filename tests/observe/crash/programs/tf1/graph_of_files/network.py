import tensorflow as tf


def logits_of(inputs, classes):
    hidden = tf.layers.dense(inputs, 12, activation=tf.nn.relu)
    return tf.layers.dense(hidden, classes)


def loss_of(logits, labels):
    costs = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    return tf.reduce_mean(costs)
