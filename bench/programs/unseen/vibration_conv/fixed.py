"""1-D CNN: classify the fault type of a rotating machine from vibration windows."""
import numpy as np
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(3)
rng = np.random.default_rng(3)

CLASSES = ["healthy", "imbalance", "bearing", "gear"]
WINDOW = 96


def simulate(n):
    t = np.arange(WINDOW) / WINDOW
    x = np.zeros((n, 1, WINDOW), dtype=np.float32)
    y = rng.integers(0, len(CLASSES), n)
    for i in range(n):
        phase = rng.uniform(0, 2 * np.pi)
        sig = np.sin(2 * np.pi * 4 * t + phase)
        if y[i] == 1:
            sig = sig * 1.8
        elif y[i] == 2:
            sig[rng.integers(0, 12)::12] += 1.8
        elif y[i] == 3:
            sig += 0.8 * np.sin(2 * np.pi * 17 * t + phase)
        x[i, 0] = sig + 0.35 * rng.standard_normal(WINDOW)
    x /= x.std()
    return torch.from_numpy(x), torch.from_numpy(y)


class VibrationNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv1d(1, 16, 7, padding=3)
        self.conv2 = nn.Conv1d(16, 32, 5, padding=2)
        self.fc = nn.Linear(32 * (WINDOW // 16), len(CLASSES))

    def forward(self, x):
        x = F.max_pool1d(F.relu(self.conv1(x)), 4)
        x = F.max_pool1d(F.relu(self.conv2(x)), 4)
        return self.fc(x.flatten(1))


def run_epoch(model, optimizer, x, y, batch_size=32):
    model.train()
    order = torch.randperm(len(x))
    total, correct = 0.0, 0
    for start in range(0, len(x), batch_size):
        idx = order[start:start + batch_size]
        logits = model(x[idx])
        loss = F.cross_entropy(logits, y[idx])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item() * len(idx)
        correct += (logits.argmax(1) == y[idx]).sum().item()
    return total / len(x), correct / len(x)


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    return (model(x).argmax(1) == y).float().mean().item()


def main():
    x_train, y_train = simulate(2000)
    x_val, y_val = simulate(500)
    model = VibrationNet()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.03, momentum=0.9)
    for epoch in range(5):
        loss, acc = run_epoch(model, optimizer, x_train, y_train)
        print(f"epoch {epoch} loss {loss:.4f} acc {acc:.3f} "
              f"val_acc {evaluate(model, x_val, y_val):.3f}")


if __name__ == "__main__":
    main()
