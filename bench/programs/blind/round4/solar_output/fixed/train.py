import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader

from data import PlantWindows, simulate
from model import GRUForecaster

WINDOW = 24
EPOCHS = 8


def evaluate(model, loader, power_std):
    model.eval()
    total, count = 0.0, 0
    with torch.no_grad():
        for x, y in loader:
            total += (model(x) - y).abs().sum().item()
            count += len(y)
    return total / count * power_std


def main():
    torch.manual_seed(7)
    series = simulate(days=150, seed=7)
    cut_val, cut_test = 100 * 24, 125 * 24
    train_part = series[:cut_val]
    mean, std = train_part.mean(axis=0), train_part.std(axis=0)

    train_set = PlantWindows(train_part, WINDOW, mean, std)
    val_set = PlantWindows(series[cut_val:cut_test], WINDOW, mean, std)
    test_set = PlantWindows(series[cut_test:], WINDOW, mean, std)
    train_loader = DataLoader(train_set, batch_size=64, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=256)
    test_loader = DataLoader(test_set, batch_size=256)

    model = GRUForecaster(series.shape[1])
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

    for epoch in range(EPOCHS):
        model.train()
        running = 0.0
        for x, y in train_loader:
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            running += loss.item() * len(y)
        mae = evaluate(model, val_loader, std[0])
        print(f"epoch {epoch + 1}: train mse {running / len(train_set):.4f}  val mae {mae:.2f} kW")

    print(f"test mae {evaluate(model, test_loader, std[0]):.2f} kW")


if __name__ == "__main__":
    main()
