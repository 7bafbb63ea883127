import torch
from torch import nn

from table_encoder import FIELDS, FraudDetector


def make_payments(count, seed):
    generator = torch.Generator().manual_seed(seed)
    rows = torch.stack([torch.randint(size, (count,), generator=generator) for size in FIELDS], dim=1)
    fraud = (rows[:, 2] > 14) & (rows[:, 3] != 0) & (rows[:, 1] % 4 == 3)
    return rows, fraud.float()


def train(model, rows, fraud, epochs=4, batch_size=64):
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(epochs):
        for batch in torch.randperm(len(rows)).split(batch_size):
            loss = nn.functional.binary_cross_entropy_with_logits(model(rows[batch]), fraud[batch])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: loss {loss.item():.3f}")


def main():
    torch.manual_seed(0)
    model = FraudDetector()
    train(model, *make_payments(1024, seed=1))
    model.eval()
    rows, _ = make_payments(4, seed=2)
    with torch.no_grad():
        together = model(rows)
        alone = torch.cat([model(row.unsqueeze(0)) for row in rows])
    print("in one batch:", [round(score, 4) for score in together.tolist()])
    print("one by one:  ", [round(score, 4) for score in alone.tolist()])


if __name__ == "__main__":
    main()
