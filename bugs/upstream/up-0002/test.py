"""Healthy: twenty steps of training, with frequencies that are weights."""

import oracle
import train_rotary

oracle.survives(train_rotary.main)
