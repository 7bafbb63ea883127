"""A learning rate that falls after each epoch."""

import tensorflow as tf


class Cooling:
    def __init__(self, start, factor):
        self.rate, self.factor = tf.Variable(start, trainable=False), factor

    def __call__(self):
        return self.rate

    def epoch_ends(self):
        self.rate.assign(self.rate * self.factor)
