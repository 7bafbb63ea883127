import torch
from torch.utils.data import DataLoader

from detector.net import GridDetector, grid_loss
from detector.shelves import ShelfDataset, detection_collate


def build_loaders(batch_size=8):
    train_loader = DataLoader(ShelfDataset(48, seed=0), batch_size, shuffle=True, collate_fn=detection_collate)
    val_loader = DataLoader(ShelfDataset(16, seed=1), batch_size, collate_fn=detection_collate)
    return train_loader, val_loader


def main(epochs=2):
    torch.manual_seed(0)
    model = GridDetector()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    train_loader, val_loader = build_loaders()
    for epoch in range(epochs):
        for images, targets in train_loader:
            loss = grid_loss(model(images), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        with torch.no_grad():
            val_loss = sum(grid_loss(model(images), targets).item() for images, targets in val_loader) / len(val_loader)
        print(f"epoch {epoch}: train {loss.item():.3f}  val {val_loss:.3f}")


if __name__ == "__main__":
    main()
