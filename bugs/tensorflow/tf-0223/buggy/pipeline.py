"""From photos and masks of full size to batches for the network."""

import tensorflow as tf

SIDE = 28


def load(photo, mask):
    photo = tf.image.resize(photo, (SIDE, SIDE)) / 255.0
    mask = tf.image.resize(mask[..., None], (SIDE, SIDE))
    return photo, tf.cast(mask[..., 0], tf.int32)


def mirror(photo, mask):
    if tf.random.uniform([]) < 0.5:
        photo, mask = tf.reverse(photo, [1]), tf.reverse(mask, [1])
    return photo, mask


def batches(photos, masks, batch_size=8, train=True):
    data = tf.data.Dataset.from_tensor_slices((photos, masks)).map(load).cache()
    if train:
        data = data.shuffle(len(photos)).map(mirror)
    return data.batch(batch_size).prefetch(1)
