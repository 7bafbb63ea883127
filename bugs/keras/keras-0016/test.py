"""Healthy: the calibration runs to its end and prints what it found."""

import oracle

import calibrate

oracle.survives(calibrate.main, oracle.base_seed())
