"""Healthy: all features are read with the settings of the node."""

import collect_features
import oracle

oracle.survives(collect_features.main)
