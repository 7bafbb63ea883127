"""Healthy: after training, samples of the generator are drawn."""

import coin_forger
import oracle

oracle.survives(coin_forger.main)
