import numpy as np
import torch
from torch.utils.data import Dataset

SIZE = 40


def render(rng):
    yy, xx = np.mgrid[0:SIZE, 0:SIZE]
    frame = rng.uniform(0.0, 0.3) + 0.1 * rng.standard_normal((SIZE, SIZE))
    # a crossbar as a distractor
    row = rng.integers(0, SIZE - 2)
    frame[row:row + 2] += 0.4
    r = rng.uniform(3.0, 7.0)
    cx, cy = rng.uniform(r, SIZE - r, size=2)
    ball = (xx - cx) ** 2 + (yy - cy) ** 2 <= r ** 2
    is_white = rng.random() < 0.5
    frame[ball] = 0.95 if is_white else 0.65
    box = np.array([cx, cy, 2 * r, 2 * r], dtype=np.float32)
    return frame.astype(np.float32), box, int(is_white)


class BallFrames(Dataset):
    """Frames with one ball and its box as (cx, cy, w, h)."""

    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        frames, boxes, kinds = zip(*[render(rng) for _ in range(n)])
        self.frames = torch.from_numpy(np.stack(frames)).unsqueeze(1)
        self.boxes = torch.from_numpy(np.stack(boxes)) / SIZE
        self.kinds = torch.tensor(kinds)

    def __len__(self):
        return len(self.kinds)

    def __getitem__(self, i):
        return self.frames[i], self.boxes[i], self.kinds[i]
