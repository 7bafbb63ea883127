"""Healthy: with a pretrained backbone forty examples are enough."""

import fine_tune
import oracle

oracle.symptom("accuracy on new images", fine_tune.main, at_least=0.7, seeds=6)
