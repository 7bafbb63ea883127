# crack segmentation on small asphalt patches
import numpy as np
import torch
import torch.nn as nn

cfg = dict(size=32, n_train=600, n_val=150, batch=20, epochs=14, lr=2e-3, seed=5)


def make_patches(n, size, seed):
    rng = np.random.default_rng(seed)
    images = rng.normal(0.5, 0.08, (n, 1, size, size))
    masks = np.zeros((n, 1, size, size))
    for i in range(n):
        images[i, 0] += np.linspace(-0.1, 0.1, size)[None, :] * rng.normal()
        for _ in range(rng.integers(1, 3)):
            y, x = rng.uniform(4, size - 4, 2)
            angle = rng.uniform(0, 2 * np.pi)
            for _ in range(rng.integers(20, 45)):
                iy, ix = int(y), int(x)
                if not (0 <= iy < size and 0 <= ix < size):
                    break
                masks[i, 0, iy, ix] = 1
                angle += rng.normal(0, 0.25)
                y, x = y + np.sin(angle), x + np.cos(angle)
        images[i] -= masks[i] * rng.uniform(0.15, 0.3)
    x = torch.tensor(images, dtype=torch.float32)
    return (x - 0.5) / 0.1, torch.tensor(masks, dtype=torch.float32)


def conv(cin, cout):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU(),
                         nn.Conv2d(cout, cout, 3, padding=1), nn.BatchNorm2d(cout), nn.ReLU())


class TinyUNet(nn.Module):
    def __init__(self, c=10):
        super().__init__()
        self.d1 = conv(1, c)
        self.d2 = conv(c, 2 * c)
        self.pool = nn.MaxPool2d(2)
        self.up = nn.ConvTranspose2d(2 * c, c, 2, stride=2)
        self.u1 = conv(2 * c, c)
        self.last = nn.Conv2d(c, 1, 1)

    def forward(self, x):
        a = self.d1(x)
        b = self.up(self.d2(self.pool(a)))
        z = self.u1(torch.cat([a, b], dim=1))
        return torch.sigmoid(self.last(z))


def iou(prob, mask):
    pred = prob > 0.5
    truth = mask > 0.5
    inter = (pred & truth).sum().item()
    union = (pred | truth).sum().item()
    return inter / max(union, 1)


torch.manual_seed(cfg["seed"])
xtr, mtr = make_patches(cfg["n_train"], cfg["size"], seed=10)
xva, mva = make_patches(cfg["n_val"], cfg["size"], seed=11)
print("crack pixels: %.3f" % mtr.mean().item())

net = TinyUNet()
optimizer = torch.optim.Adam(net.parameters(), lr=cfg["lr"])
loss_fn = nn.BCEWithLogitsLoss()

for epoch in range(cfg["epochs"]):
    net.train()
    order = torch.randperm(len(xtr))
    epoch_loss = 0.0
    for idx in order.split(cfg["batch"]):
        optimizer.zero_grad()
        loss = loss_fn(net(xtr[idx]), mtr[idx])
        loss.backward()
        optimizer.step()
        epoch_loss += loss.item() * len(idx)
    net.eval()
    with torch.no_grad():
        p = net(xva)
        val_loss = loss_fn(p, mva).item()
    print("epoch %2d  loss %.4f  val_loss %.4f  val_iou %.3f"
          % (epoch + 1, epoch_loss / len(xtr), val_loss, iou(p, mva)))
