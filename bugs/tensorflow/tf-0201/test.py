"""Healthy: after training, the network of the best epoch is loaded again."""

import oracle

import train_speaker

oracle.survives(train_speaker.train, 30, oracle.base_seed())
