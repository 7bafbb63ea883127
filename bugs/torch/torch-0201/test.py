"""Healthy: the clips of two epochs are all jittered in their own way."""

import augment_loader
import oracle


def different_jitters(seed):
    batches = augment_loader.loader(workers=2)
    drawn = [gain for _ in range(2) for batch in batches for gain in batch[3].tolist()]
    return len(set(drawn)) / float(len(drawn))


oracle.value("share of clips with a gain of their own", different_jitters, at_least=0.95)
