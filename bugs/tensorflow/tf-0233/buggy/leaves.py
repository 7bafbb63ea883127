import numpy as np

SORTS = ["assam", "darjeeling", "ceylon"]


def pluck(count, seed):
    """Measurements of leaves and the numbers of their sorts; the sorts overlap."""
    rng = np.random.RandomState(seed)
    sorts = rng.randint(len(SORTS), size=count)
    centres = np.random.RandomState(5).normal(0, 0.8, (len(SORTS), 6))
    return (centres[sorts] + rng.normal(0, 1.3, (count, 6))).astype("float32"), sorts
