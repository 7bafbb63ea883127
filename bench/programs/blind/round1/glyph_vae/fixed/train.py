import torch
from torch.utils.data import DataLoader

from glyphs import SIZE, load
from vae import VAE, elbo_terms


def pixel_error(model, images):
    model.eval()
    with torch.no_grad():
        logits, mu, _ = model(images)
    wrong = ((logits > 0).float() != images).float().mean().item()
    return wrong, mu.std(dim=0).mean().item()


def main(epochs=20, batch_size=64, lr=1e-3, seed=0):
    torch.manual_seed(seed)
    train, val = load(4000, seed), load(500, seed + 1)
    loader = DataLoader(train, batch_size=batch_size, shuffle=True)
    model = VAE(SIZE * SIZE)
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    print(f"share of bright pixels {val.mean():.3f}")
    for epoch in range(1, epochs + 1):
        model.train()
        sums = torch.zeros(2)
        for x in loader:
            logits, mu, logvar = model(x)
            recon, kl = elbo_terms(logits, x, mu, logvar)
            loss = recon + kl
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            sums += torch.tensor([recon.item(), kl.item()]) * len(x)
        if epoch % 5 == 0:
            recon, kl = (sums / len(train)).tolist()
            wrong, spread = pixel_error(model, val)
            print(f"epoch {epoch:2d} recon {recon:.3f} kl {kl:.3f} | val wrong pixels {wrong:.4f} code std {spread:.3f}")


if __name__ == "__main__":
    main()
