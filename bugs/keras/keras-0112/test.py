"""Healthy: the translator is built, trained and asked about new dates."""

import oracle
import read_dates

oracle.survives(read_dates.main)
