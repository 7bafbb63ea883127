"""Healthy: the output is closer to the clean spectra than the noisy input."""

import numpy as np
import tensorflow as tf

import half_precision
import oracle


def remaining_noise(seed):
    with tf.Graph().as_default(), tf.Session() as session:
        model = half_precision.train(session, seed)
        noisy, clean = half_precision.spectra(200, seed + 999)
        output = session.run(model.output, {model.noisy: noisy}).astype(np.float64)
    return float(np.mean((output - clean) ** 2) / np.mean((noisy - clean) ** 2))


oracle.symptom("share of the noise that remains", remaining_noise, at_most=0.8, seeds=5)
