import numpy as np


def hand_signs(count, seed):
    """A palm with two, three or four fingers."""
    rng = np.random.RandomState(seed)
    fingers = rng.randint(2, 5, size=count)
    images = rng.uniform(0, 0.3, size=(count, 14, 14, 1))
    for image, number in zip(images, fingers):
        left = rng.randint(0, 4)
        image[8:13, left:left + 9] = 1
        for finger in range(number):
            image[2:8, left + 2 * finger] = 1
    return images, fingers - 2
