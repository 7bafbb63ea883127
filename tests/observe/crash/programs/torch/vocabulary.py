import torch
from torch import nn

words = "the quick brown fox jumps over the lazy dog".split()
index = {word: number for number, word in enumerate(sorted(set(words)), start=1)}
table = nn.Embedding(len(index), 6)
ids = torch.tensor([index[word] for word in words])
print(table(ids).shape)
