"""Healthy: the network is fitted to the truth table and prints its votes."""

import oracle
import majority_vote

oracle.survives(majority_vote.main)
