import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from corpus import VOCAB, make_reviews
from model import ReviewNet


def evaluate(model, reviews, labels, batch_size=1):
    """Serving is one review at a time, so the evaluation is as well."""
    model.eval()
    right = 0
    with torch.no_grad():
        for i in range(0, len(reviews), batch_size):
            logit = model(reviews[i:i + batch_size])
            right += ((logit > 0).float() == labels[i:i + batch_size]).sum().item()
    return right / len(reviews)


def main():
    torch.manual_seed(2)
    train_x, train_y = make_reviews(4000, seed=10)
    val_x, val_y = make_reviews(600, seed=11)
    loader = DataLoader(TensorDataset(train_x, train_y), batch_size=50, shuffle=True)

    model = ReviewNet(VOCAB)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.BCEWithLogitsLoss()
    for epoch in range(1, 9):
        model.train()
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            total += loss.item() * len(x)
        print(f"epoch {epoch}: train loss {total / len(train_x):.4f}, val acc {evaluate(model, val_x, val_y):.3f}")


if __name__ == "__main__":
    main()
