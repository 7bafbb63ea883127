"""Healthy: the letters are read and both networks are trained."""

import distil_letters
import oracle

oracle.survives(distil_letters.main)
