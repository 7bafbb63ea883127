"""The feature graph of the old recognizer, kept as it was in TensorFlow 1: band energies of a short sound."""

import numpy as np
import tensorflow as tf

WINDOW, BANDS = 64, 8


def _triangles():
    """Weights of overlapping triangular bands over the bins of a spectrum."""
    centres = np.linspace(0, WINDOW // 2, BANDS + 2)
    bins = np.arange(WINDOW // 2 + 1)[:, None]
    rising = (bins - centres[:-2]) / (centres[1:-1] - centres[:-2])
    falling = (centres[2:] - bins) / (centres[2:] - centres[1:-1])
    return np.maximum(0.0, np.minimum(rising, falling)).astype("float32")


class FilterBank:
    """Computes features in a session of its own, next to the Keras model."""

    def __init__(self):
        self.graph = tf.Graph()
        with self.graph.as_default():
            self.sound = tf.compat.v1.placeholder(tf.float32, (None, WINDOW))
            bands = tf.compat.v1.get_variable("bands", initializer=_triangles(), trainable=False)
            floor = tf.compat.v1.get_variable("floor", initializer=1e-3, trainable=False)
            power = tf.abs(tf.signal.rfft(self.sound)) ** 2
            self.features = tf.math.log(tf.matmul(power, bands) + floor)
            self.session = tf.compat.v1.Session(graph=self.graph)
            self.session.run(tf.compat.v1.global_variables_initializer())

    def __call__(self, sounds):
        return self.session.run(self.features, {self.sound: sounds})
