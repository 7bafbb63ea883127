"""Healthy: five steps of a classifier that pools its tokens to one vector for each sequence."""

import oracle
import pool_tokens

oracle.survives(pool_tokens.main)
