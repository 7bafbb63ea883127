import torch
from torch import nn

ids = torch.tensor([1.0, 2.0, 0.0])
table = nn.Embedding(4, 2)
print(table(ids).shape)
