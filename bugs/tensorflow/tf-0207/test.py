"""Healthy: a review is rated the same whenever it is asked for."""

import numpy as np
import tensorflow as tf

import oracle
import sentiment


def largest_difference(seed):
    with tf.Graph().as_default(), tf.Session() as session:
        model = sentiment.train(session, steps=40, seed=seed)
        words, _ = sentiment.reviews(20, seed + 5)
        ratings = [model.rate(session, words) for _ in range(3)]
    return float(np.max(np.abs(np.array(ratings) - ratings[0])))


oracle.value("largest difference between two ratings of a review", largest_difference, at_most=1e-5)
