"""Healthy: what the network is taught of a scene with water and wood is water and wood."""

import numpy as np

import oracle
import pipeline
import scenes


def other_ground(seed):
    photos, masks = scenes.fly_over(20, seed + 900, kinds=(0, 4))
    taught = np.concatenate([mask.numpy().ravel() for _, mask in pipeline.batches(photos, masks)])
    return int((~np.isin(taught, (0, 4))).sum())


oracle.value("pixels with other ground than water and wood", other_ground, at_most=0)
