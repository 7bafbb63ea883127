"""Synthetic spoken-command clips turned into log filterbank frames."""
import numpy as np
import torch
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import Dataset

RATE = 4000
FRAME, HOP = 160, 80
WORDS = ["up", "down", "steady", "wobble"]


def synth(word, rng):
    seconds = rng.uniform(0.4, 0.9)
    t = np.arange(int(seconds * RATE)) / RATE
    base = rng.uniform(500, 900)
    pos = t / seconds
    if word == "up":
        freq = base + 500 * pos
    elif word == "down":
        freq = base + 500 * (1 - pos)
    elif word == "steady":
        freq = np.full_like(t, base + 250)
    else:
        freq = base + 250 + 200 * np.sin(2 * np.pi * 5 * t)
    wave = np.sin(2 * np.pi * np.cumsum(freq) / RATE)
    return wave + 0.4 * rng.standard_normal(len(t))


def log_spectrum(wave):
    starts = range(0, len(wave) - FRAME + 1, HOP)
    frames = np.stack([wave[s:s + FRAME] for s in starts]) * np.hanning(FRAME)
    power = np.abs(np.fft.rfft(frames, axis=1))[:, 12:68] ** 2
    bands = power.reshape(len(frames), 28, 2).mean(axis=2)
    return np.log(bands + 1e-3).astype(np.float32)


class CommandClips(Dataset):
    def __init__(self, count, seed):
        rng = np.random.default_rng(seed)
        self.labels = rng.integers(0, len(WORDS), count)
        self.clips = [log_spectrum(synth(WORDS[k], rng)) for k in self.labels]

    def standardize(self, mean, std):
        self.clips = [(clip - mean) / std for clip in self.clips]

    def __len__(self):
        return len(self.clips)

    def __getitem__(self, index):
        return torch.from_numpy(self.clips[index]), int(self.labels[index])


def pad_clips(batch):
    clips, labels = zip(*batch)
    lengths = torch.tensor([len(clip) for clip in clips])
    return pad_sequence(clips, batch_first=True), lengths, torch.tensor(labels)
