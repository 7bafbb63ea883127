"""Healthy: three epochs in half precision run to their end."""

import oracle
import rank_answers

oracle.survives(rank_answers.train)
