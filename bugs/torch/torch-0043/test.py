"""Healthy: the network that is kept validates as well as the best epoch did."""

import impute
import oracle

oracle.symptom("loss of the kept network over the best validation loss", impute.main, at_most=1.001, seeds=6)
