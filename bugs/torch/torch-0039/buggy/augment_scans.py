"""Loads scans for a 3-D segmentation network: each scan is shifted, mirrored and brightened at random."""

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class RandomShift:
    """Shifts a volume along its first axis; volume and label get the same shift."""

    def __init__(self, random_state, furthest=6):
        self.random_state, self.furthest = random_state, furthest

    def __call__(self, volume, label):
        shift = self.random_state.randint(-self.furthest, self.furthest + 1)
        return np.roll(volume, shift, axis=0), np.roll(label, shift, axis=0)


class RandomMirror:
    def __init__(self, random_state):
        self.random_state = random_state

    def __call__(self, volume, label):
        if self.random_state.uniform() < 0.5:
            return volume[:, ::-1].copy(), label[:, ::-1].copy()
        return volume, label


class RandomBrightness:
    def __init__(self, random_state, strength=0.3):
        self.random_state, self.strength = random_state, strength

    def __call__(self, volume, label):
        return volume + self.random_state.uniform(-self.strength, self.strength), label


class ScanDataset(Dataset):
    """Scans in memory and what is done to each of them when it is read."""

    def __init__(self, volumes, labels, seed=47):
        self.volumes, self.labels = volumes, labels
        self.random_state = np.random.RandomState(seed)
        self.transforms = [kind(self.random_state) for kind in (RandomShift, RandomMirror, RandomBrightness)]

    def __len__(self):
        return len(self.volumes)

    def __getitem__(self, index):
        volume, label = self.volumes[index], self.labels[index]
        for transform in self.transforms:
            volume, label = transform(volume, label)
        return torch.from_numpy(volume.astype("float32")), torch.from_numpy(label.astype("int64"))


def seed_worker(worker_id):
    """Each worker has numbers of its own."""
    np.random.seed(torch.initial_seed() % 2**32)


def create_loader(volumes, labels, batch_size=1, workers=2):
    dataset = ScanDataset(volumes, labels)
    return DataLoader(dataset, batch_size=batch_size, num_workers=workers, shuffle=False, worker_init_fn=seed_worker)


def make_scans(count=12, side=16, seed=5):
    rng = np.random.RandomState(seed)
    volumes = rng.normal(size=(count, side, side, side))
    return volumes, (volumes > 1.0).astype(np.int64)


def main():
    loader = create_loader(*make_scans())
    for epoch in range(2):
        means = [float(volume.mean()) for volume, _ in loader]
        print(f"epoch {epoch}:", " ".join(f"{mean:+.3f}" for mean in means))


if __name__ == "__main__":
    main()
