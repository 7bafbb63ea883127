"""Batch normalization after Ioffe and Szegedy."""

import tensorflow as tf


class BatchNorm(object):

    def __init__(self, size, epsilon=1e-3, momentum=0.9, name="batch_norm"):
        with tf.variable_scope(name):
            self.gamma = tf.get_variable("gamma", [size], initializer=tf.ones_initializer())
            self.beta = tf.get_variable("beta", [size], initializer=tf.zeros_initializer())
            self.mean = tf.get_variable("mean", [size], initializer=tf.zeros_initializer(), trainable=False)
            self.variance = tf.get_variable("variance", [size], initializer=tf.ones_initializer(), trainable=False)
        self.epsilon, self.momentum = epsilon, momentum

    def __call__(self, x, train=True):
        if not train:
            return tf.nn.batch_normalization(x, self.mean, self.variance, self.beta, self.gamma, self.epsilon)
        mean, variance = tf.nn.moments(x, [0])
        kept = self.momentum
        updates = [tf.assign(self.mean, kept * self.mean + (1 - kept) * mean),
                   tf.assign(self.variance, kept * self.variance + (1 - kept) * variance)]
        with tf.control_dependencies(updates):
            x = tf.identity(x)
        return tf.nn.batch_normalization(x, mean, variance, self.beta, self.gamma, self.epsilon)
