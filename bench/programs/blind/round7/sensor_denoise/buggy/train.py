import argparse
import os
import tempfile

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def parse_args():
    p = argparse.ArgumentParser(description="1-D denoising autoencoder for vibration sensors")
    p.add_argument("--epochs", type=int, default=12)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--lr", type=float, default=2e-3)
    p.add_argument("--noise", type=float, default=0.4)
    p.add_argument("--width", type=int, default=16)
    p.add_argument("--out", default=None, help="folder for the checkpoint")
    return p.parse_args()


def clean_signals(n, rng, length=128):
    t = np.linspace(0, 1, length)
    x = np.zeros((n, length))
    for _ in range(3):
        amp = rng.uniform(0.3, 1.0, (n, 1))
        freq = rng.uniform(1, 8, (n, 1))
        x += amp * np.sin(2 * np.pi * (freq * t + rng.uniform(0, 1, (n, 1))))
    return torch.tensor(x, dtype=torch.float32).unsqueeze(1)


class Denoiser(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.encode = nn.Sequential(
            nn.Conv1d(1, width, 9, stride=2, padding=4), nn.ReLU(),
            nn.Conv1d(width, 2 * width, 9, stride=2, padding=4), nn.ReLU(),
        )
        self.decode = nn.Sequential(
            nn.ConvTranspose1d(2 * width, width, 8, stride=2, padding=3), nn.ReLU(),
            nn.ConvTranspose1d(width, 1, 8, stride=2, padding=3),
        )

    def forward(self, x):
        return self.decode(self.encode(x))


def validate(model, noisy, clean):
    model.eval()
    with torch.no_grad():
        return nn.functional.mse_loss(model(noisy), clean).item()


def save_checkpoint(path, model, optimizer, epoch, val_loss, args):
    state = {
        "epoch": epoch,
        "val_loss": val_loss,
        "model": model.state_dict(),
        "optimizer": optimizer.state_dict(),
        "args": args,
    }
    torch.save(state, path)


def main():
    args = parse_args()
    folder = args.out or tempfile.mkdtemp(prefix="denoise_")
    ckpt = os.path.join(folder, "best.pt")
    torch.manual_seed(0)
    rng = np.random.default_rng(0)

    train_clean, val_clean, test_clean = (clean_signals(n, rng) for n in (2000, 400, 400))
    val_noisy = val_clean + args.noise * torch.randn_like(val_clean)
    test_noisy = test_clean + args.noise * torch.randn_like(test_clean)
    loader = DataLoader(TensorDataset(train_clean), batch_size=args.batch_size, shuffle=True)

    model = Denoiser(args.width)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    best = float("inf")
    for epoch in range(args.epochs):
        model.train()
        total = 0.0
        for (clean,) in loader:
            noisy = clean + args.noise * torch.randn_like(clean)
            loss = nn.functional.mse_loss(model(noisy), clean)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(clean)
        val = validate(model, val_noisy, val_clean)
        print(f"epoch {epoch:2d}  train {total / len(train_clean):.4f}  val {val:.4f}")
        if val < best:
            best = val
            save_checkpoint(ckpt, model, optimizer, epoch, best, args)

    state = torch.load(ckpt, map_location="cpu")
    final = Denoiser(args.width)
    final.load_state_dict(state["model"])
    print(f"best epoch {state['epoch']} (val {state['val_loss']:.4f})")
    print(f"test mse: input {nn.functional.mse_loss(test_noisy, test_clean).item():.4f}, "
          f"denoised {validate(final, test_noisy, test_clean):.4f}")


if __name__ == "__main__":
    main()
