import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class Houses(Dataset):
    def __init__(self, records):
        self.values = np.array([[r["area"], r["rooms"], r["kept"]] for r in records], dtype=object)
        self.prices = np.array([r["price"] for r in records], dtype="float32")

    def __len__(self):
        return len(self.prices)

    def __getitem__(self, index):
        return torch.from_numpy(self.values[index]), self.prices[index]


records = [{"area": 40.0 + i, "rooms": i % 4, "kept": i % 2 == 0, "price": 100.0 + 3 * i} for i in range(12)]
net = torch.nn.Linear(3, 1)
for values, prices in DataLoader(Houses(records), batch_size=4):
    loss = (net(values).squeeze(1) - prices).abs().mean()
    loss.backward()
