"""Images of four cameras; one of them sees a crack."""

import numpy as np

CAMERAS = 4
SIDE = 10


def shot(rng):
    images = rng.uniform(0.6, 0.9, size=(CAMERAS, SIDE, SIDE, 1))
    camera = rng.randint(CAMERAS)
    column = rng.randint(2, SIDE - 2)
    for row in range(SIDE):
        images[camera, row, column + rng.randint(-1, 2)] = 0.0
    return images, np.eye(CAMERAS)[camera]


def shots(batch_size, seed):
    rng = np.random.RandomState(seed)
    while True:
        images, answers = zip(*[shot(rng) for _ in range(batch_size)])
        yield np.stack(images, axis=1), np.stack(answers)
