"""Healthy: the network is clearly better than bilinear interpolation."""

import enlarge
import oracle

oracle.symptom("gain over bilinear interpolation in dB", enlarge.main, at_least=5.0, seeds=6)
