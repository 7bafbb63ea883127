"""Marks the nuclei in small microscope pictures, pixel by pixel, with a fully convolutional network."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

SIZE = 16


def stain(count, generator):
    """``count`` pictures with up to three bright nuclei each, and the masks of the nuclei."""
    rows = torch.arange(SIZE).view(1, -1, 1)
    columns = torch.arange(SIZE).view(1, 1, -1)
    masks = torch.zeros(count, SIZE, SIZE)
    for _ in range(3):
        centre = torch.randint(2, SIZE - 2, (2, count, 1, 1), generator=generator)
        radius = 3 + 2 * torch.rand(count, 1, 1, generator=generator)
        distance = ((rows - centre[0]) ** 2 + (columns - centre[1]) ** 2).sqrt()
        masks = torch.maximum(masks, (distance < radius).float())
    noise = 0.6 * torch.randn(count, SIZE, SIZE, generator=generator)
    pictures = 2 * masks - 1 + noise
    return pictures.unsqueeze(1), masks.unsqueeze(1)


class Segmenter(nn.Module):
    def __init__(self, channels=8):
        super().__init__()
        self.encode = nn.Conv2d(1, channels, 3, padding=1)
        self.widen = nn.Conv2d(channels, channels, 3, padding=1)
        self.decode = nn.Conv2d(channels, 1, 3, padding=1)

    def forward(self, pictures):
        features = F.relu(self.encode(pictures))
        features = F.relu(self.widen(features))
        return self.decode(features)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.criterion = nn.BCEWithLogitsLoss()
        self.optimizer = torch.optim.Adam(model.parameters(), lr=0.02, betas=(0.9, 0.1))

    def train_epoch(self, loader):
        self.model.train()
        losses = []
        for pictures, masks in loader:
            self.optimizer.zero_grad()
            loss = self.criterion(self.model(pictures), masks)
            loss.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def dice(self, pictures, masks):
        """Overlap of the predicted and the true masks: 1 is perfect."""
        self.model.eval()
        predicted = (self.model(pictures) > 0).float()
        return (2 * (predicted * masks).sum() / (predicted.sum() + masks.sum())).item()


def main(seed=0, epochs=15):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    loader = DataLoader(TensorDataset(*stain(96, generator)), batch_size=8, shuffle=True)
    held_out = stain(64, generator)
    trainer = Trainer(Segmenter())
    history = []
    for epoch in range(epochs):
        history.append(trainer.train_epoch(loader))
        print(f"epoch: {epoch:2d}  train loss: {history[-1]:.4g}  dice: {trainer.dice(*held_out):.4f}")
    return history


if __name__ == "__main__":
    main()
