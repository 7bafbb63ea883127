"""Healthy: most whole recordings that were not used for training are read without a mistake."""

import digit_strings
import numpy as np
import oracle
import tone_strings


def share_read(seed):
    model = digit_strings.train(seed=seed)
    rng = np.random.RandomState(seed + 31)
    right = total = 0
    while total < 60:
        energies, digits = tone_strings.recording(rng)
        if len(energies) > 2:
            total += 1
            right += digit_strings.read(model, energies) == (digits - 1).tolist()
    return right / float(total)


oracle.value("share of recordings that are read without a mistake", share_read, at_least=0.5)
