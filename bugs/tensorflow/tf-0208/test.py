"""Healthy: the graph is built and trained with melodies of different lengths."""

import hum_query
import oracle

oracle.survives(hum_query.main)
