"""Healthy: the trained client is sure of the right gas for most sniffs of the test set."""

import oracle
import train_sniffer

oracle.symptom("test loss after training", train_sniffer.main, at_most=0.4, seeds=6)
