import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 12), nn.BatchNorm1d(12), nn.ReLU())
        self.head = nn.Linear(12, 2)

    def forward(self, x):
        return self.head(self.body(x))


def predict(model, sample):
    with torch.no_grad():
        return model(sample.unsqueeze(0)).argmax(1).item()


model = Net()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x, y = torch.rand(32, 6), torch.randint(0, 2, (32,))
for _ in range(3):
    optimizer.zero_grad()
    nn.functional.cross_entropy(model(x), y).backward()
    optimizer.step()
print(predict(model, x[0]))
