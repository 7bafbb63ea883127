"""Batches of spectra with the numbers of their engines."""

import tensorflow as tf

from sounds import NAMES

ENGINES = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(tf.constant(NAMES), tf.range(len(NAMES), dtype=tf.int64)), -1
)


def spectrum(wave):
    return tf.math.log1p(tf.abs(tf.signal.rfft(wave)))


def pipeline(waves, names, batch_size=30):
    count = len(waves)
    spectra = tf.data.Dataset.from_tensor_slices(waves).map(spectrum).shuffle(count)
    labels = tf.data.Dataset.from_tensor_slices(names).map(ENGINES.lookup).shuffle(count)
    return tf.data.Dataset.zip((spectra, labels)).batch(batch_size).prefetch(1)
