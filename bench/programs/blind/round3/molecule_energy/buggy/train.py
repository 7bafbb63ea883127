import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import N_TYPES, collate, make_molecules
from model import EnergyNet

EPOCHS = 10
BATCH_SIZE = 32
LR = 2e-3


def mean_abs_error(model, loader):
    model.eval()
    err, n = 0.0, 0
    with torch.no_grad():
        for types, edges, batch, energy in loader:
            pred = model(types, edges, batch, len(energy))
            err += (pred - energy).abs().sum().item()
            n += len(energy)
    return err / n


def main():
    torch.manual_seed(3)
    torch.set_num_threads(1)
    train_mols = make_molecules(1500, seed=10)
    test_mols = make_molecules(300, seed=11)
    train_loader = DataLoader(train_mols, batch_size=BATCH_SIZE, shuffle=True, collate_fn=collate)
    test_loader = DataLoader(test_mols, batch_size=100, collate_fn=collate)

    energies = torch.tensor([m["energy"] for m in train_mols])
    print(f"{len(train_mols)} molecules, energy {energies.mean():.2f} +- {energies.std():.2f}")

    model = EnergyNet(N_TYPES)
    optimizer = torch.optim.Adam(model.parameters(), lr=LR)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, EPOCHS)

    for epoch in range(EPOCHS):
        model.train()
        total = 0.0
        for types, edges, batch, energy in train_loader:
            pred = model(types, edges, batch, len(energy))
            loss = F.mse_loss(pred, energy)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item() * len(energy)
        scheduler.step()
        mae = mean_abs_error(model, test_loader)
        print(f"epoch {epoch:2d}  train mse {total / len(train_mols):.4f}  test mae {mae:.4f}")


if __name__ == "__main__":
    main()
