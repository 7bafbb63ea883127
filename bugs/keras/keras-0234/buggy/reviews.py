"""Made-up reviews of restaurants as numbers of words: good and bad words among many others."""

import numpy as np

VOCABULARY = 60
LENGTH = 20
GOOD, BAD = range(1, 7), range(7, 13)


def load(count, seed):
    """Reviews, and a column with 1 for those that praise."""
    rng = np.random.default_rng(seed)
    reviews = rng.integers(13, VOCABULARY, (count, LENGTH))
    praise = rng.integers(0, 2, count)
    for review, positive in zip(reviews, praise):
        places = rng.choice(LENGTH, 5, replace=False)
        likely, unlikely = (GOOD, BAD) if positive else (BAD, GOOD)
        review[places[:4]] = rng.choice(list(likely), 4)
        review[places[4:]] = rng.choice(list(unlikely), 1)
    return reviews.astype("int32"), praise[:, None].astype("float32")
