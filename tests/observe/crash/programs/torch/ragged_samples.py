import torch
from torch.utils.data import DataLoader, Dataset


class Sentences(Dataset):
    lengths = [4, 7, 5, 6]

    def __len__(self):
        return len(self.lengths)

    def __getitem__(self, index):
        tokens = torch.ones(self.lengths[index], dtype=torch.long)
        return tokens


for batch in DataLoader(Sentences(), batch_size=2):
    print(batch.shape)
