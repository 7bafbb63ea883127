"""Splits requests into words and gives each known word its number."""

import tensorflow as tf

UNKNOWN = 0


class Encoder:
    """Requests as a ragged tensor of word numbers."""

    def __init__(self, words):
        numbers = tf.range(1, len(words) + 1, dtype=tf.int64)
        self.table = tf.lookup.StaticHashTable(
            tf.lookup.KeyValueTensorInitializer(tf.constant(words), numbers), default_value=UNKNOWN
        )

    def __call__(self, requests):
        words = tf.strings.split(tf.strings.lower(requests))
        return tf.ragged.map_flat_values(self.table.lookup, words)
