"""Healthy: a scan looks different in nearly every epoch."""

import numpy as np
import oracle
from lungs import make_scans
from pipeline import training_batches


def versions(seed):
    """How many different versions of one scan six epochs show."""
    scans, masks = make_scans(1, seed=seed)
    batches = training_batches(scans, masks)
    shown = [np.asarray(scan) for _ in range(6) for scan, _ in batches]
    return len({np.round(scan, 5).tobytes() for scan in shown})


oracle.value("different versions of one scan in six epochs", versions, at_least=5)
