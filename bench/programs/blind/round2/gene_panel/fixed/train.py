"""Tumour subtype classifier on a (simulated) gene expression panel."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

SUBTYPES = 10
GENES = 200
EPOCHS = 16


def simulate_panel(n, rng, programs, loadings):
    subtype = rng.integers(0, SUBTYPES, n)
    activity = programs[subtype] + 0.9 * rng.standard_normal((n, programs.shape[1]))
    expression = activity @ loadings + 1.0 * rng.standard_normal((n, GENES))
    return np.exp(0.3 * expression), subtype


class PanelNet(nn.Module):
    def __init__(self, genes, classes, p=0.5):
        super().__init__()
        self.fc1 = nn.Linear(genes, 64)
        self.fc2 = nn.Linear(64, 32)
        self.fc3 = nn.Linear(32, classes)
        self.p = p

    def forward(self, x):
        x = F.dropout(F.relu(self.fc1(x)), self.p, training=self.training)
        x = F.dropout(F.relu(self.fc2(x)), self.p, training=self.training)
        return self.fc3(x)


def main():
    torch.manual_seed(11)
    rng = np.random.default_rng(11)
    programs = 1.3 * rng.standard_normal((SUBTYPES, 10))
    loadings = rng.standard_normal((10, GENES)) / np.sqrt(10)
    x_train, y_train = simulate_panel(2000, rng, programs, loadings)
    x_val, y_val = simulate_panel(500, rng, programs, loadings)

    x_train, x_val = np.log(x_train), np.log(x_val)
    mean, std = x_train.mean(0), x_train.std(0)
    x_train = torch.tensor((x_train - mean) / std, dtype=torch.float32)
    x_val = torch.tensor((x_val - mean) / std, dtype=torch.float32)
    y_train, y_val = torch.tensor(y_train), torch.tensor(y_val)

    model = PanelNet(GENES, SUBTYPES)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)
    batch = 64

    for epoch in range(EPOCHS):
        model.train()
        order = torch.randperm(len(x_train))
        total = 0.0
        for i in range(0, len(order), batch):
            idx = order[i:i + batch]
            loss = F.cross_entropy(model(x_train[idx]), y_train[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(idx)

        model.eval()
        with torch.no_grad():
            logits = model(x_val)
            val_loss = F.cross_entropy(logits, y_val).item()
            acc = (logits.argmax(1) == y_val).float().mean().item()
        if (epoch + 1) % 2 == 0:
            print(f"epoch {epoch + 1:2d}  train loss {total / len(order):.3f}  "
                  f"val loss {val_loss:.3f}  val acc {acc:.3f}")


if __name__ == "__main__":
    main()
