import numpy as np

SIZE = 20


def line(canvas, y0, x0, y1, x1):
    for s in np.linspace(0, 1, 40):
        canvas[int(round(y0 + s * (y1 - y0))), int(round(x0 + s * (x1 - x0)))] = 1.0


def base_glyph(kind, rng):
    """Source task: horizontal, vertical or diagonal single strokes."""
    canvas = np.zeros((SIZE, SIZE))
    a, b = rng.randint(2, 6), rng.randint(14, 18)
    m = rng.randint(5, 15)
    if kind == 0:
        line(canvas, m, a, m, b)
    elif kind == 1:
        line(canvas, a, m, b, m)
    else:
        line(canvas, a, a, b, b)
    return canvas


def target_glyph(kind, rng):
    """Target task: letters made of two or three strokes."""
    canvas = np.zeros((SIZE, SIZE))
    t, l = rng.randint(1, 5, 2)
    h, w = rng.randint(9, 13, 2)
    if kind == 0:      # L
        line(canvas, t, l, t + h, l)
        line(canvas, t + h, l, t + h, l + w)
    elif kind == 1:    # T
        line(canvas, t, l, t, l + w)
        line(canvas, t, l + w // 2, t + h, l + w // 2)
    elif kind == 2:    # V
        line(canvas, t, l, t + h, l + w // 2)
        line(canvas, t + h, l + w // 2, t, l + w)
    elif kind == 3:    # inverted V
        line(canvas, t + h, l, t, l + w // 2)
        line(canvas, t, l + w // 2, t + h, l + w)
    elif kind == 4:    # mirrored L
        line(canvas, t, l + w, t + h, l + w)
        line(canvas, t + h, l, t + h, l + w)
    else:              # inverted T
        line(canvas, t + h, l, t + h, l + w)
        line(canvas, t, l + w // 2, t + h, l + w // 2)
    return canvas


def make_set(draw, classes, count, seed):
    rng = np.random.RandomState(seed)
    labels = rng.randint(0, classes, count)
    images = np.stack([draw(k, rng) for k in labels]) + rng.normal(0, 0.25, (count, SIZE, SIZE))
    return images[..., None].astype('float32'), labels
