"""Network for photos of stones, written with slim."""

import numpy as np
import tensorflow as tf

slim = tf.contrib.slim


def stone_arg_scope(training):
    normalization = {"is_training": training, "decay": 0.9, "updates_collections": None}
    return slim.arg_scope([slim.conv2d], normalizer_fn=slim.batch_norm, normalizer_params=normalization)


def stone_net(images, scope="StoneNet"):
    with tf.variable_scope(scope):
        net = slim.conv2d(images, 8, [3, 3], stride=2, scope="Conv_1")
        net = slim.conv2d(net, 8, [3, 3], stride=2, scope="Conv_2")
        return slim.fully_connected(slim.flatten(net), 2, activation_fn=None, scope="Logits")


def photos(count, seed):
    rng = np.random.RandomState(seed)
    stone = rng.randint(2, size=count)
    images = rng.normal(0.5, 0.1, size=(count, 12, 12, 1))
    images[stone == 1, ::3] -= 0.4
    return images.astype(np.float32), stone
