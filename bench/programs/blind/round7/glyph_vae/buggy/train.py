import argparse

import numpy as np
import torch

from vae import VAE, elbo_terms


def random_glyphs(n: int, size: int, seed: int) -> torch.Tensor:
    """Binary pictures of a ring or a bar at a random place, size and orientation."""
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[0:size, 0:size]
    out = np.zeros((n, size, size), dtype=np.float32)
    for i in range(n):
        cy, cx = rng.uniform(size * 0.35, size * 0.65, 2)
        if rng.random() < 0.5:
            r = np.hypot(yy - cy, xx - cx)
            out[i] = np.abs(r - rng.uniform(2.5, 4.5)) < 0.9
        else:
            a = rng.uniform(0, np.pi)
            along = (xx - cx) * np.cos(a) + (yy - cy) * np.sin(a)
            across = -(xx - cx) * np.sin(a) + (yy - cy) * np.cos(a)
            out[i] = (np.abs(across) < 1.2) & (np.abs(along) < rng.uniform(3, 6))
    return torch.from_numpy(out.reshape(n, -1))


def run_epoch(model, x, batch, optimizer=None):
    model.train(optimizer is not None)
    perm = torch.randperm(len(x)) if optimizer is not None else torch.arange(len(x))
    rec_sum = kl_sum = 0.0
    for idx in perm.split(batch):
        with torch.set_grad_enabled(optimizer is not None):
            logits, mu, logvar = model(x[idx])
            rec, kl = elbo_terms(logits, x[idx], mu, logvar)
            loss = rec + kl
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        rec_sum += rec.item() * len(idx)
        kl_sum += kl.item() * len(idx)
    return rec_sum / len(x), kl_sum / len(x)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--latent", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=40)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--seed", type=int, default=0)
    opts = parser.parse_args()

    torch.manual_seed(opts.seed)
    train = random_glyphs(4000, 16, seed=opts.seed + 1)
    val = random_glyphs(800, 16, seed=opts.seed + 2)
    vae = VAE(256, opts.latent)
    adam = torch.optim.Adam(vae.parameters(), lr=1e-3)
    for epoch in range(1, opts.epochs + 1):
        tr, tk = run_epoch(vae, train, opts.batch, adam)
        vr, vk = run_epoch(vae, val, 200)
        if epoch % 5 == 0 or epoch == 1:
            print(f"epoch {epoch:2d}: train rec {tr:.2f} kl {tk:.2f} | val rec {vr:.2f} kl {vk:.2f}"
                  f" | val elbo {-(vr + vk):.2f}")
    pictures = vae.generate(500)
    print("mean ink: data %.3f, generated %.3f" % (val.mean(), pictures.mean()))
