"""Healthy: what a face gets for its moods is a set of probabilities, which sum to one."""

import numpy as np

import oracle
import mood_camera


def largest_gap(seed):
    model = mood_camera.train(seed)
    faces, _ = mood_camera.make_faces(50, np.random.default_rng(seed + 50_000))
    return float(np.abs(mood_camera.moods_of(model, faces).sum(axis=1) - 1.0).max())


oracle.value("largest gap between a face's probability sum and one", largest_gap, at_most=0.001)
