"""Healthy: the estimated direction of the sun is close to the real one by day."""

import numpy as np
import tensorflow as tf

import oracle
import sun_angle


def mean_angle(seed):
    with tf.Graph().as_default(), tf.Session() as session:
        tracker = sun_angle.train(session, seed)
        voltage, direction = sun_angle.sun(300, seed + 50)
        day = voltage.any(axis=1)
        estimate = session.run(tracker.estimate, {tracker.voltage: voltage[day]})
    return float(np.mean(np.arccos(np.clip(np.sum(estimate * direction[day], axis=1), -1, 1))))


oracle.symptom("mean angle between estimated and real direction", mean_angle, at_most=0.2, seeds=5)
