"""Healthy: next to the goal the value is about the chance to reach it, which is below 1."""

import oracle
import train_dqn

oracle.symptom("value of the state next to the goal", train_dqn.main, at_most=1.2, seeds=6)
