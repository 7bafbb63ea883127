"""Healthy: the loss on scans of the validation set is as low as on those of the training set."""

import classify_scans
import oracle

oracle.symptom("validation loss after training", classify_scans.main, at_most=0.7, seeds=6)
