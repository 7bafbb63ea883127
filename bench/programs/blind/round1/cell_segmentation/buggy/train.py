import torch
from torch import nn
from torch.utils.data import DataLoader

from data import make_dataset
from unet import UNet


def dice(logits, mask):
    pred = (logits > 0).float()
    inter = (pred * mask).sum(dim=(1, 2, 3))
    return (2 * inter + 1) / (pred.sum(dim=(1, 2, 3)) + mask.sum(dim=(1, 2, 3)) + 1)


def run_epoch(model, loader, criterion, optimizer=None):
    model.train(optimizer is not None)
    loss_sum, dice_sum, seen = 0.0, 0.0, 0
    with torch.set_grad_enabled(optimizer is not None):
        for image, mask in loader:
            logits = model(image)
            loss = criterion(logits, mask)
            if optimizer is not None:
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
            loss_sum += loss.item() * len(image)
            dice_sum += dice(logits.detach(), mask).sum().item()
            seen += len(image)
    return loss_sum / seen, dice_sum / seen


if __name__ == "__main__":
    torch.manual_seed(1)
    train_loader = DataLoader(make_dataset(160, seed=1), batch_size=8, shuffle=True)
    val_loader = DataLoader(make_dataset(40, seed=2), batch_size=8)
    model = UNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(1, 7):
        loss, _ = run_epoch(model, train_loader, criterion, optimizer)
        val_loss, val_dice = run_epoch(model, val_loader, criterion)
        print(f"[{epoch}] train loss {loss:.4f} | val loss {val_loss:.4f} | val dice {val_dice:.3f}")
