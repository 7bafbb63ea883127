import numpy as np

CLASSES = ["background", "disc", "square", "cross"]


def draw_scene(rng, size=28):
    yy, xx = np.mgrid[0:size, 0:size]
    image = 0.25 * rng.random((3, size, size)) + rng.uniform(0.1, 0.4, (3, 1, 1))
    mask = np.zeros((size, size), dtype=np.int64)
    for _ in range(rng.integers(1, 4)):
        kind = rng.integers(1, 4)
        cy, cx = rng.integers(6, size - 6, 2)
        r = rng.integers(3, 6)
        dy, dx = np.abs(yy - cy), np.abs(xx - cx)
        if kind == 1:
            inside = dy ** 2 + dx ** 2 <= r ** 2
        elif kind == 2:
            inside = (dy <= r) & (dx <= r)
        else:
            inside = ((dy <= r) & (dx <= 1)) | ((dx <= r) & (dy <= 1))
        colour = rng.uniform(0.5, 1.0, 3)
        image[:, inside] = colour[:, None] + 0.1 * rng.standard_normal((3, inside.sum()))
        mask[inside] = kind
    return image, mask


def make_split(count, seed):
    rng = np.random.default_rng(seed)
    pairs = [draw_scene(rng) for _ in range(count)]
    images = np.stack([p[0] for p in pairs]).astype(np.float32)
    masks = np.stack([p[1] for p in pairs])
    return (images - 0.4) / 0.25, masks
