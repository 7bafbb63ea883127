"""Healthy: the detector is built, trained and applied to new pictures."""

import oracle
import train_detector

oracle.survives(train_detector.main)
