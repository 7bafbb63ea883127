"""Images of a rig with their camera matrices, mirrored at random for training."""

import numpy as np
import torch
from torch.utils.data import Dataset

WIDTH, HEIGHT = 32, 16


def project(points, camera):
    """Pixel columns and rows of points in front of a camera."""
    seen = points @ camera.T
    return seen[:, :2] / seen[:, 2:]


class RigDataset(Dataset):
    """Each item: an image with one bright dot per point, the camera, the points (as they are mirrored)."""

    def __init__(self, count=64, points=3, flip_image_prob=0.5, seed=0):
        self.rng = np.random.default_rng(seed)
        self.count, self.points, self.flip_image_prob = count, points, flip_image_prob

    def __len__(self):
        return self.count

    def _capture(self, index):
        rng = np.random.default_rng(1000 + index)
        camera = np.array([[16.0, 0, rng.uniform(13, 19)], [0, 16.0, 8], [0, 0, 1]])
        depth = rng.uniform(2, 5, (self.points, 1))
        points = np.concatenate([rng.uniform(-0.6, 0.6, (self.points, 1)), rng.uniform(-0.3, 0.3, (self.points, 1))], axis=1) * depth
        points = np.concatenate([points, depth], axis=1)
        image = np.zeros((HEIGHT, WIDTH), dtype=np.float32)
        for column, row in np.floor(project(points, camera)).astype(int):
            if 0 <= column < WIDTH and 0 <= row < HEIGHT:
                image[row, column] = 1.0
        return image, camera, points

    def __getitem__(self, index):
        image, camera, points = self._capture(index)
        if self.rng.random() < self.flip_image_prob:
            image = np.fliplr(image)
            camera[0, 2] = WIDTH - camera[0, 2]
            points[:, 0] = -points[:, 0]
        return torch.from_numpy(image.copy()), torch.from_numpy(camera).float(), torch.from_numpy(points).float()
