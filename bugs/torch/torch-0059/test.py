"""Healthy: the translator with shared vectors is trained for two epochs."""

import oracle
import train_translator

oracle.survives(train_translator.train)
