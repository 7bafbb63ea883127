"""Classify one-second street recordings: yelp, wail, two-tone, background."""
import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from model import SirenNet, accuracy, count_parameters

SR = 4000
CLASSES = ["yelp", "wail", "two_tone", "background"]


def synth(kind, rng):
    t = np.arange(SR) / SR
    if kind == 0:
        f = 900 + 300 * np.sin(2 * np.pi * rng.uniform(4, 6) * t + rng.uniform(0, 6))
    elif kind == 1:
        f = 900 + 300 * np.sin(2 * np.pi * rng.uniform(0.5, 1.0) * t + rng.uniform(0, 6))
    elif kind == 2:
        f = np.where((t * rng.uniform(2, 3) + rng.uniform()) % 1 < 0.5, 700.0, 1000.0)
    else:
        return rng.normal(0, 1.0, SR)
    phase = 2 * np.pi * np.cumsum(f) / SR
    return rng.uniform(0.3, 0.8) * np.sin(phase) + rng.normal(0, 0.8, SR)


def make_data(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, len(CLASSES), n)
    x = np.stack([synth(k, rng) for k in y]).astype(np.float32)
    return torch.from_numpy(x), torch.from_numpy(y)


def log_spec(wave, n_fft, hop):
    window = torch.hann_window(n_fft)
    s = torch.stft(wave, n_fft, hop_length=hop, window=window, center=False, return_complex=True)
    return torch.log1p(s.abs())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--n-fft", type=int, default=128)
    ap.add_argument("--hop", type=int, default=100)
    ap.add_argument("--epochs", type=int, default=8)
    ap.add_argument("--lr", type=float, default=1e-3)
    args = ap.parse_args()

    torch.manual_seed(11)
    xtr, ytr = make_data(900, seed=1)
    xva, yva = make_data(300, seed=2)
    str_, sva = log_spec(xtr, args.n_fft, args.hop), log_spec(xva, args.n_fft, args.hop)
    mean, std = str_.mean(), str_.std()
    str_, sva = (str_ - mean) / std, (sva - mean) / std

    loader = DataLoader(TensorDataset(str_, ytr), batch_size=32, shuffle=True)
    model = SirenNet(SR, args.n_fft, args.hop, len(CLASSES))
    print("parameters:", count_parameters(model))
    opt = torch.optim.Adam(model.parameters(), lr=args.lr)

    for epoch in range(args.epochs):
        model.train()
        running = 0.0
        for xb, yb in loader:
            loss = F.cross_entropy(model(xb), yb)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item() * len(yb)
        model.eval()
        with torch.no_grad():
            out = model(sva)
        print(f"epoch {epoch + 1}: loss {running / len(ytr):.4f}  "
              f"val loss {F.cross_entropy(out, yva):.4f}  val acc {accuracy(out, yva):.3f}")


if __name__ == "__main__":
    main()
