import torch
from torch import nn

net = nn.Linear(4, 3)
inputs, labels = torch.rand(10, 4), torch.randint(0, 3, (10,))


def count_right(outputs, labels):
    right = 0
    predicted = outputs.argmax(1)
    if predicted == labels:
        right += 1
    return right


print(count_right(net(inputs), labels))
