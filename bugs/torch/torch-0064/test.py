"""Healthy: a training needs memory for a step or two at a time, however many steps it has."""

import build_molecules
import oracle
import torch

build_molecules.Agent().train(3)  # the first steps also load parts of the framework


def megabytes(seed):
    torch.manual_seed(seed)
    agent = build_molecules.Agent()
    agent.step()
    return oracle.peak_megabytes(agent.train, 150)


oracle.cost("megabytes at the peak of 150 steps", megabytes, ratio=3.0, repeats=4)
