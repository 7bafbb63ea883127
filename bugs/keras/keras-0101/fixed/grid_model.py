"""A small one-stage detector: a backbone and a head that gives one box and one score per cell."""

import keras
from keras import layers, ops

SIDE = 32
CELLS = 4


def conv_block(x, filters):
    """Convolution, batch normalisation, activation; halves the resolution."""
    x = layers.Conv2D(filters, 3, strides=2, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    return layers.LeakyReLU(negative_slope=0.1)(x)


def decode(raw):
    """Turns the raw map into (score, centre x, centre y, width, height) for every cell."""
    score, centre, size = raw[..., :1], raw[..., 1:3], raw[..., 3:]
    boxes = ops.concatenate([ops.sigmoid(score), ops.sigmoid(centre), ops.exp(size)], axis=-1)
    return layers.Reshape((CELLS * CELLS, 5))(boxes)


def build_detector():
    image = keras.Input(shape=(SIDE, SIDE, 1))
    x = conv_block(image, 8)
    x = conv_block(x, 16)
    x = conv_block(x, 32)
    raw = layers.Conv2D(5, 1)(x)
    return keras.Model(image, decode(raw), name="grid_detector")


def detection_loss(true, predicted):
    """Cross-entropy of the score; squared error of the box in cells that hold an object."""
    present = true[..., :1]
    score = ops.clip(predicted[..., :1], 1e-6, 1.0 - 1e-6)
    found = -present * ops.log(score) - (1.0 - present) * ops.log(1.0 - score)
    box = present * ops.square(true[..., 1:] - predicted[..., 1:])
    return ops.mean(found) + ops.sum(box) / ops.maximum(ops.sum(present), 1.0)
