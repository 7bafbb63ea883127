"""Healthy: one point for each step, for ever, is worth nearly ten at a discount of 0.9."""

import oracle
import train_agent


def worth(seed):
    agent = train_agent.train(seed=seed)
    return float(agent.values([[0.0, 1.0]]).max())


oracle.value("expected points in the middle", worth, at_least=6.0)
