"""Healthy: the model is compiled and trained with its own loss."""

import oracle
import pose_loss

oracle.survives(pose_loss.train)
