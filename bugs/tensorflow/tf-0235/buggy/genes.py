import numpy as np

BASES = "ACGT"
MOTIF = "TATAA"


def read_sequences(count, seed, length=30):
    """One-hot sequences; half of them contain the motif."""
    rng = np.random.RandomState(seed)
    sequences = rng.randint(4, size=(count, length))
    labels = rng.randint(2, size=count)
    for row in np.flatnonzero(labels):
        start = rng.randint(length - len(MOTIF))
        sequences[row, start : start + len(MOTIF)] = [BASES.index(base) for base in MOTIF]
    return np.eye(4, dtype="float32")[sequences], labels.astype("float32")
