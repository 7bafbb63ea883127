"""Healthy: a model is saved, loaded again and continues a sentence."""

import generate
import oracle

oracle.survives(generate.main)
