import math

import torch
from torch.utils.data import Dataset
from torch.nn.utils.rnn import pad_sequence

WORDS = ["yes", "no", "stop", "go"]
N_BANDS = 12


class KeywordClips(Dataset):
    """Synthetic log-mel clips. Every word is a different sweep over the bands."""

    def __init__(self, n_clips, seed):
        g = torch.Generator().manual_seed(seed)
        self.clips, self.labels = [], []
        bands = torch.arange(N_BANDS).float()
        for _ in range(n_clips):
            label = int(torch.randint(len(WORDS), (1,), generator=g))
            frames = int(torch.randint(20, 41, (1,), generator=g))
            t = torch.linspace(0, 1, frames)
            if label == 0:
                centre = 2 + 8 * t
            elif label == 1:
                centre = 10 - 8 * t
            elif label == 2:
                centre = 6 + 4 * torch.sin(2 * math.pi * t)
            else:
                centre = 6 - 4 * torch.sin(2 * math.pi * t)
            clip = torch.exp(-0.5 * (bands[None, :] - centre[:, None]) ** 2)
            clip = clip + 0.4 * torch.randn(frames, N_BANDS, generator=g)
            self.clips.append(clip)
            self.labels.append(label)

    def __len__(self):
        return len(self.clips)

    def __getitem__(self, i):
        return self.clips[i], self.labels[i]


def pad_collate(items):
    clips, labels = zip(*items)
    lengths = torch.tensor([len(c) for c in clips])
    return pad_sequence(clips, batch_first=True), lengths, torch.tensor(labels)
