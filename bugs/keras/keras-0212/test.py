"""Healthy: the model is trained and its best epoch is stored."""

import joint_limits
import oracle

oracle.survives(joint_limits.train)
