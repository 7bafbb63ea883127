"""Healthy: reconstructed frames show more than the mean frame."""

import compress_frames
import oracle

oracle.symptom("error relative to the mean frame", compress_frames.main, at_most=0.75, seeds=6)
