import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = nn.Linear(8, classes)

    def forward(self, x):
        return self.head(self.body(x))


state = {name: value.clone() for name, value in Net(5).state_dict().items()}
model = Net(3)
model.load_state_dict(state)
