"""Healthy: the loss on the test clips settles at a low level and stays there to the end."""

import classify_clips
import oracle


def late_test_loss(seed):
    return sum(classify_clips.main(seed)[-5:]) / 5


oracle.symptom("test loss, mean of the last five epochs", late_test_loss, at_most=1.2, seeds=6)
