import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader


def collate(samples):
    tokens = pad_sequence([torch.tensor(one) for one, _ in samples], batch_first=True)
    labels = torch.tensor([label for _, label in samples])


data = [([1, 2, 3], 0), ([4, 5], 1), ([6], 0), ([7, 8, 9, 1], 1)]
table = nn.EmbeddingBag(10, 4)
for tokens, labels in DataLoader(data, batch_size=2, collate_fn=collate):
    print(table(tokens).shape, labels)
