"""Short sound clips as spectrogram-like vectors, and the pipeline that feeds them to the network."""

import numpy as np
import tensorflow as tf

BANDS = 40
WORDS = 4


def make_clips(count=240, seed=0):
    """Clips of four words; every fifth label is wrong, as in the crowd-sourced recordings."""
    rng = np.random.default_rng(seed)
    word = rng.integers(WORDS, size=count)
    shape = np.random.default_rng(42).normal(0.0, 0.35, (WORDS, BANDS))
    clips = shape[word] + rng.normal(0.0, 1.0, (count, BANDS))
    wrong = rng.uniform(size=count) < 0.2
    word[wrong] = rng.integers(WORDS, size=wrong.sum())
    return clips.astype("float32"), word


def split_clips(clips, words, held_out=0.25, batch_size=16):
    """Training and validation pipelines; the clips are mixed because they are stored by speaker."""
    count = len(clips)
    validation_size = int(held_out * count)
    dataset = tf.data.Dataset.from_tensor_slices((clips, words))
    dataset = dataset.shuffle(count, reshuffle_each_iteration=False)
    validation = dataset.take(validation_size).batch(batch_size)
    training = dataset.skip(validation_size).batch(batch_size)
    return training.prefetch(2), validation.prefetch(2)
