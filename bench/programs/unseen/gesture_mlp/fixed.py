"""Classify hand gestures from short accelerometer windows (3 axes x 24 samples)."""
import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(11)
np.random.seed(11)
torch.set_num_threads(1)

N_CLASSES = 5
WINDOW = 24


def make_windows(n):
    t = np.linspace(0, 1, WINDOW)
    y = np.random.randint(0, N_CLASSES, n)
    x = np.zeros((n, 3, WINDOW), dtype=np.float32)
    for i, c in enumerate(y):
        phase = np.random.uniform(-0.6, 0.6)
        amp = np.random.uniform(0.7, 1.3)
        x[i, 0] = amp * np.sin(2 * np.pi * (1 + 0.5 * c) * t + phase)
        x[i, 1] = amp * np.cos(2 * np.pi * (1 + 0.3 * c) * t + phase)
        x[i, 2] = amp * (t - 0.5) * (c - 2)
    x += 0.8 * np.random.randn(*x.shape)
    return torch.from_numpy(x.reshape(n, -1).astype(np.float32)), torch.from_numpy(y).long()


def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.normal_(m.weight, mean=0.0, std=0.1)
        nn.init.zeros_(m.bias)


def build_model():
    model = nn.Sequential(
        nn.Linear(3 * WINDOW, 128),
        nn.Tanh(),
        nn.Linear(128, 64),
        nn.Tanh(),
        nn.Linear(64, 32),
        nn.Tanh(),
        nn.Linear(32, N_CLASSES),
    )
    model.apply(init_weights)
    return model


def evaluate(model, x, y, criterion):
    model.eval()
    with torch.no_grad():
        out = model(x)
        return criterion(out, y).item(), (out.argmax(1) == y).float().mean().item()


def main(epochs=15, batch_size=50):
    x_train, y_train = make_windows(3000)
    x_val, y_val = make_windows(600)
    model = build_model()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

    for epoch in range(epochs):
        model.train()
        order = torch.randperm(len(x_train))
        losses = []
        for i in range(0, len(order), batch_size):
            idx = order[i:i + batch_size]
            optimizer.zero_grad()
            loss = criterion(model(x_train[idx]), y_train[idx])
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        val_loss, val_acc = evaluate(model, x_val, y_val, criterion)
        print("epoch %2d | loss %.4f | val_loss %.4f | val_acc %.3f"
              % (epoch + 1, np.mean(losses), val_loss, val_acc))


if __name__ == "__main__":
    main()
