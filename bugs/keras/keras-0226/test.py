"""Healthy: features are computed, and the classifier is trained on them."""

import instruments
import oracle

oracle.survives(instruments.main)
