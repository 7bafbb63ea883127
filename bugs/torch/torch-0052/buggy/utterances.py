"""Utterances of digits: frames of filter-bank energies and the digits spoken."""

import torch

DIGITS, BANDS = 6, 12


def speak(count, seed):
    """Most utterances have ten frames per digit; a few come from a hasty speaker."""
    generator = torch.Generator().manual_seed(seed)
    spoken = []
    for _ in range(count):
        digits = 1 + torch.randint(DIGITS, (int(torch.randint(2, 5, (1,), generator=generator)),), generator=generator)
        hasty = torch.rand(1, generator=generator) < 0.04
        frames_per_digit = 3 if hasty else 10
        frames = 0.3 * torch.randn(len(digits) * frames_per_digit, BANDS, generator=generator)
        for place, digit in enumerate(digits.tolist()):
            frames[place * frames_per_digit : (place + 1) * frames_per_digit, digit] += 1.5
        spoken.append((frames, digits))
    return spoken


def pad(batch):
    frames = torch.nn.utils.rnn.pad_sequence([frames for frames, _ in batch], batch_first=True)
    lengths = torch.tensor([len(frames) for frames, _ in batch])
    digits = torch.cat([digits for _, digits in batch])
    return frames, lengths, digits, torch.tensor([len(digits) for _, digits in batch])
