import torch
from torch.utils.data import DataLoader, Dataset


class Reviews(Dataset):
    def __init__(self, stars):
        self.stars = stars

    def __len__(self):
        return len(self.stars)

    def __getitem__(self, index):
        stars = self.stars.get(index)
        return {"text": torch.rand(4), "stars": stars}


reviews = Reviews({0: 3, 1: None, 2: 5, 3: 1})
for batch in DataLoader(reviews, batch_size=2):
    print(batch["text"].shape, batch["stars"])
