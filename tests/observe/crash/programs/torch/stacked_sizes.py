import torch
from torch import nn

HIDDEN = 64
net = nn.Sequential(
    nn.Linear(20, HIDDEN),
    nn.ReLU(),
    nn.Linear(32, 3),
)
loss_function = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
inputs, labels = torch.rand(16, 20), torch.randint(0, 3, (16,))
for _ in range(3):
    optimizer.zero_grad()
    loss_function(net(inputs), labels).backward()
    optimizer.step()
