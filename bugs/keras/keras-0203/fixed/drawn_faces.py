import numpy as np

MOODS = ["glad", "sad", "calm"]


def faces(count, seed=0):
    """Two eyes and a mouth that is bent up, down or not at all."""
    rng = np.random.RandomState(seed)
    mood = rng.randint(3, size=count)
    images = rng.uniform(0, 0.2, size=(count, 12, 12, 1))
    images[:, 3, 3] = images[:, 3, 8] = 1.0
    for image, bend in zip(images, np.array([-1, 1, 0])[mood]):
        for column in range(3, 9):
            corner = column in (3, 8)
            image[8 + (bend if corner else 0), column] = 1.0
    return images, mood
