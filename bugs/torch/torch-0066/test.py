"""Healthy: fine-tuning wins back some of the accuracy that pruning has cost."""

import compress
import oracle

oracle.symptom("accuracy after fine-tuning minus accuracy after pruning", compress.main, at_least=0.05, seeds=6)
