import torch
from torch import nn
from torch.utils.data import DataLoader


def collate(samples):
    series = [torch.tensor(values) for values, _ in samples]
    labels = torch.tensor([label for _, label in samples])
    return torch.stack(series), labels


data = [([0.1 * i] * (3 + i % 3), i % 2) for i in range(8)]
rnn, head = nn.GRU(1, 6, batch_first=True), nn.Linear(6, 2)
for series, labels in DataLoader(data, batch_size=4, collate_fn=collate):
    _, last = rnn(series.unsqueeze(-1))
    print(nn.functional.cross_entropy(head(last[0]), labels).item())
