"""Healthy: the model is trained on all phrases."""

import oracle
import paraphrase

oracle.survives(paraphrase.main, 2)
