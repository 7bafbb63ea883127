"""The pipeline that feeds the network: reads scans, varies them at random, makes batches."""

import tensorflow as tf

RANDOMNESS = tf.random.Generator.from_seed(2024)


def normalize(scan, mask):
    """Slow on real scans, which is why its result is kept."""
    return (scan - tf.reduce_mean(scan)) / (tf.math.reduce_std(scan) + 1e-6), mask


def vary(scan, mask):
    """Mirrors scan and mask together and makes the scan lighter or darker."""
    if RANDOMNESS.uniform(()) < 0.5:
        scan, mask = tf.image.flip_left_right(scan), tf.image.flip_left_right(mask)
    if RANDOMNESS.uniform(()) < 0.5:
        scan, mask = tf.image.flip_up_down(scan), tf.image.flip_up_down(mask)
    return scan * RANDOMNESS.uniform((), 0.8, 1.2), mask


def training_batches(scans, masks, batch_size=10):
    dataset = tf.data.Dataset.from_tensor_slices((scans, masks))
    dataset = dataset.map(normalize, num_parallel_calls=tf.data.AUTOTUNE)
    dataset = dataset.map(vary, num_parallel_calls=tf.data.AUTOTUNE)
    dataset = dataset.cache()
    dataset = dataset.shuffle(len(scans))
    return dataset.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def validation_batches(scans, masks, batch_size=10):
    return tf.data.Dataset.from_tensor_slices((scans, masks)).map(normalize).batch(batch_size)
