import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from sensors import ACTIVITIES, WristWindows


class ActivityNet(nn.Module):
    def __init__(self):
        super(ActivityNet, self).__init__()
        self.conv1 = nn.Conv1d(3, 16, 7, padding=3)
        self.conv2 = nn.Conv1d(16, 32, 5, padding=2)
        self.pool = nn.MaxPool1d(2)
        self.fc = nn.Linear(32, len(ACTIVITIES))

    def forward(self, x):
        x = self.pool(torch.relu(self.conv1(x)))
        x = torch.relu(self.conv2(x))
        return self.fc(x.mean(dim=2))


def evaluate(model, loader):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for x, y in loader:
            right += (model(x).argmax(dim=1) == y).sum().item()
            total += len(y)
    return float(right) / total


def main():
    torch.manual_seed(0)
    train_loader = DataLoader(WristWindows(2000, seed=1), batch_size=40, shuffle=True)
    val_loader = DataLoader(WristWindows(400, seed=2), batch_size=100)
    model = ActivityNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(1, 9):
        model.train()
        losses = []
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        print('epoch %d  loss %.4f  val acc %.3f' % (epoch, np.mean(losses), evaluate(model, val_loader)))


if __name__ == '__main__':
    main()
