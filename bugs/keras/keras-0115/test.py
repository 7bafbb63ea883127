"""Healthy: the tagger is trained and evaluated in mixed precision."""

import oracle
import train_tagger

oracle.survives(train_tagger.main)
