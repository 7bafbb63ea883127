"""Healthy: the network is trained on the recordings."""

import activity
import oracle

oracle.survives(activity.main)
