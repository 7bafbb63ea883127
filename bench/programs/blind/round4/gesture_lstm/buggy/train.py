"""Recognise touch pad gestures with an LSTM (PyTorch 1.4)."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from dataset import GESTURES, Strokes


class GestureNet(nn.Module):
    def __init__(self, n_features=3, hidden=48):
        super(GestureNet, self).__init__()
        self.lstm = nn.LSTM(n_features, hidden, num_layers=1)
        self.head = nn.Sequential(nn.Linear(hidden, 32), nn.ReLU(), nn.Linear(32, len(GESTURES)))

    def forward(self, x):
        out, _ = self.lstm(x)
        return self.head(out[:, -1])


def evaluate(net, loader):
    net.eval()
    hits = 0
    with torch.no_grad():
        for x, y in loader:
            hits += (net(x).argmax(dim=1) == y).sum().item()
    return hits / len(loader.dataset)


def main():
    torch.manual_seed(5)
    train_set, val_set = Strokes(1500, seed=50), Strokes(400, seed=51)
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=100)

    net = GestureNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    for epoch in range(12):
        net.train()
        total = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        print('epoch %2d  loss %.3f  val acc %.3f' % (epoch + 1, total / len(train_loader), evaluate(net, val_loader)))


if __name__ == '__main__':
    main()
