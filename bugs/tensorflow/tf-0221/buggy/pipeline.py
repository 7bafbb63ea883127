import tensorflow as tf


def split(values, labels, validation_share=0.25, batch_size=20):
    """Shuffled batches for training and for validation."""
    count = len(values)
    held_out = int(validation_share * count)
    records = tf.data.Dataset.from_tensor_slices((values, labels)).shuffle(count)
    validation = records.take(held_out).batch(batch_size)
    training = records.skip(held_out).batch(batch_size)
    return training, validation
