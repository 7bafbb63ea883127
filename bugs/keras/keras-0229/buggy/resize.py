"""Brings images and masks to the size of the network."""

import keras
import tensorflow as tf

SIZE = (32, 32)


def resize_pair(image, mask):
    image = tf.image.resize(image, SIZE)
    mask = tf.image.resize(mask, SIZE)
    return image, tf.cast(tf.round(mask), tf.int32)


def batches(images, masks, batch_size=8):
    dataset = tf.data.Dataset.from_tensor_slices((images, masks))
    return dataset.map(resize_pair).cache().batch(batch_size)


def smooth(x, filters):
    """Two convolutions that keep the size."""
    x = keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
