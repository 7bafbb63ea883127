"""Batches of word numbers for training and whatever else needs them."""

import tensorflow as tf

from messages import LEVELS, WORDS

NUMBERS = tf.lookup.StaticHashTable(
    tf.lookup.KeyValueTensorInitializer(
        tf.constant(WORDS + [level[:4] for level in LEVELS]),
        tf.range(1, len(WORDS) + len(LEVELS) + 1, dtype=tf.int64),
    ),
    0,
)


def encode(text, level):
    return NUMBERS.lookup(tf.strings.split(text)), level


def batches(texts, levels, size=20, repeat=True):
    data = tf.data.Dataset.from_tensor_slices((texts, levels)).map(encode)
    if repeat:
        data = data.shuffle(len(texts)).repeat()
    return data.batch(size).prefetch(2)
