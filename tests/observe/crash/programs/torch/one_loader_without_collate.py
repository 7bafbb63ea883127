import torch
from torch.utils.data import DataLoader, Dataset


class Clips(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, index):
        return torch.rand(3 + index, 2), index % 2


def pad(samples):
    clips = [clip for clip, _ in samples]
    return torch.nn.utils.rnn.pad_sequence(clips, batch_first=True), torch.tensor([label for _, label in samples])


train = DataLoader(Clips(), batch_size=2, collate_fn=pad)
valid = DataLoader(Clips(), batch_size=3)
for loader in (train, valid):
    for clips, labels in loader:
        print(clips.shape, labels)
