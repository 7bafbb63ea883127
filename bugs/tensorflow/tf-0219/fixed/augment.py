"""Random changes of training images, so that a small set goes further."""

import tensorflow as tf

MAX_SHIFT = 4


def random_shift(image, label):
    """Moves the image by up to four pixels in both directions; what leaves on one side enters on the other."""
    shift = tf.random.uniform([2], -MAX_SHIFT, MAX_SHIFT + 1, dtype=tf.int32)
    return tf.roll(image, shift=shift, axis=[0, 1]), label


def random_brightness(image, label):
    return tf.image.random_brightness(image, 0.2), label
