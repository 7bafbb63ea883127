"""Healthy: the network is built for the scans, trained and applied to new ones."""

import oracle
import segment_leaves

oracle.survives(segment_leaves.main)
