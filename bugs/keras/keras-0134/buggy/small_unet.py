"""A U-Net with two levels that is trained on the Dice coefficient."""

import keras
from keras import layers, ops


def conv(x, filters, strides=1):
    return layers.Conv2D(filters, 3, strides=strides, padding="same", activation="relu")(x)


def dice_coefficient(y_true, y_pred, smooth=1.0):
    """Overlap of the whole batch, between 0 and 1."""
    y_true = ops.cast(y_true, y_pred.dtype)
    overlap = ops.sum(y_true * y_pred)
    return (2.0 * overlap + smooth) / (ops.sum(y_true) + ops.sum(y_pred) + smooth)


class DiceModel(keras.Model):
    """Minimises one minus the Dice coefficient."""

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        return 1.0 - dice_coefficient(y, y_pred)


def build_unet(side, filters=8):
    picture = keras.Input(shape=(side, side, 1))
    fine = conv(picture, filters, strides=2)
    coarse = conv(conv(fine, 2 * filters, strides=2), 2 * filters)
    up = layers.Conv2DTranspose(filters, 2, strides=2, activation="relu")(coarse)
    x = conv(layers.Concatenate()([fine, up]), filters)
    mask = layers.Conv2DTranspose(1, 2, strides=2, activation="sigmoid")(x)
    return DiceModel(picture, mask, name="small_unet")
