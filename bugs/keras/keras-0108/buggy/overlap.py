"""A score that compares two masks by their overlap."""

import tensorflow as tf

SMOOTH = 1.0


def iou_score(truth, estimate):
    """Smoothed intersection over union of every image."""
    axes = (1, 2, 3)
    intersection = tf.reduce_sum(truth * estimate, axis=axes)
    union = tf.reduce_sum(truth + estimate, axis=axes) - intersection
    return (intersection + SMOOTH) / (union + SMOOTH)
