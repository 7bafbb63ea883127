"""Healthy: two epochs over shelves with one to three products each."""

import oracle
import train_detector

oracle.survives(train_detector.main)
