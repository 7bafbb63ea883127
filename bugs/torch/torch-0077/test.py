"""Healthy: a model is trained for four epochs."""

import oracle
import segment_fields

oracle.survives(segment_fields.train_segmentation_model)
