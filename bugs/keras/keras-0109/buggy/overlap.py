"""The score by which masks are compared."""

from keras import ops


def dice(truth, estimate):
    """Dice coefficient of every image, after rounding the estimate."""
    estimate = ops.cast(estimate > 0.5, "float32")
    truth = ops.cast(truth, "float32")
    shared = ops.sum(truth * estimate, axis=(1, 2, 3))
    total = ops.sum(truth, axis=(1, 2, 3)) + ops.sum(estimate, axis=(1, 2, 3))
    return (2.0 * shared + 1.0) / (total + 1.0)
