import numpy as np

TAGS = ["hum", "beep", "chirp", "clicks", "hiss"]
BANDS, FRAMES = 24, 40


def spectrogram(active, rng):
    """Log-energy picture (frames x bands) of the sounds in `active`."""
    pic = 0.5 * rng.standard_normal((FRAMES, BANDS))
    if active[0]:
        pic[:, rng.integers(0, 4)] += 1.5
    if active[1]:
        start, band = rng.integers(0, FRAMES - 10), rng.integers(8, 16)
        pic[start:start + 10, band] += 2.0
    if active[2]:
        start = rng.integers(0, FRAMES - 14)
        for k in range(14):
            pic[start + k, 6 + k] += 2.0
    if active[3]:
        pic[rng.integers(0, 8)::8] += 1.0
    if active[4]:
        pic[:, 18:] += 0.6
    return pic


def make_clips(count, seed):
    rng = np.random.default_rng(seed)
    tags = (rng.random((count, len(TAGS))) < 0.45).astype("float32")
    pics = np.stack([spectrogram(row, rng) for row in tags])
    return pics[..., None].astype("float32"), tags
