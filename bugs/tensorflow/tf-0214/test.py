"""Healthy: coins that are measured one at a time are sorted right."""

import numpy as np
import tensorflow as tf

import coin_sorter
import oracle


def accuracy(seed):
    with tf.Graph().as_default(), tf.Session() as session:
        sorter = coin_sorter.train(session, seed)
        new, kind = coin_sorter.coins(80, seed + 4000)
        found = [coin_sorter.sort_one(session, sorter, coin) for coin in new]
    return float(np.mean(np.array(found) == kind))


oracle.symptom("share of single coins that are sorted right", accuracy, at_least=0.8, seeds=6)
