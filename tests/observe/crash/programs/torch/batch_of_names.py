import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Signals(Dataset):
    def __len__(self):
        return 12

    def __getitem__(self, index):
        return {"signal": torch.rand(10), "label": index % 2}


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(10, 2)

    def forward(self, signals):
        return self.layer(signals)


net = Net()
for batch in DataLoader(Signals(), batch_size=4):
    label = batch.pop("label")
    print(nn.functional.cross_entropy(net(**batch), label).item())
