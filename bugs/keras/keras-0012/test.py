"""Healthy: the trained network knows which cells live on after one step of boards it has not seen."""

import oracle

import life_network


def living_cells_found(seed):
    return life_network.train(seed)[0]


oracle.symptom("share of living cells found", living_cells_found, at_least=0.8, seeds=5)
