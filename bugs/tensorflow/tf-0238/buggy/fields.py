"""Made-up measurements of fields: soil, weather, seed, and their yield."""

import numpy as np

MEASUREMENTS = 30


def survey(count, seed):
    rng = np.random.RandomState(seed)
    fields = rng.normal(size=(count, MEASUREMENTS))
    yields = 0.8 * fields[:, 0] - 0.6 * fields[:, 1] + 0.5 * fields[:, 2] + rng.normal(0, 1.0, count)
    areas = rng.uniform(1, 3, count)
    return fields.astype("float32"), yields.astype("float32"), areas.astype("float32")
