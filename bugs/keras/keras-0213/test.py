"""Healthy: the network is built and reads digits."""

import digit_cnn
import oracle

oracle.survives(digit_cnn.main)
