import torch
from torch import nn
from torch.utils.data import DataLoader

from data import PAD, SortDigits, collate
from model import Sorter


def exact_match(model, loader):
    model.eval()
    right = total = 0
    for src, tgt in loader:
        want = tgt[:, 1:]
        got = model.greedy(src)
        width = max(got.shape[1], want.shape[1])
        got = nn.functional.pad(got, (0, width - got.shape[1]), value=PAD)
        want = nn.functional.pad(want, (0, width - want.shape[1]), value=PAD)
        right += (got == want).all(dim=1).sum().item()
        total += len(src)
    return right / total


def main():
    torch.manual_seed(5)
    train = DataLoader(SortDigits(2500, seed=5), batch_size=50, shuffle=True, collate_fn=collate)
    val = DataLoader(SortDigits(200, seed=6), batch_size=100, collate_fn=collate)
    model = Sorter()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss(ignore_index=PAD)
    for epoch in range(1, 6):
        model.train()
        total = 0.0
        for src, tgt in train:
            logits = model(src, tgt[:, :-1])
            loss = criterion(logits.flatten(0, 1), tgt[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: loss {total / len(train):.4f}  val exact match {exact_match(model, val):.3f}")


if __name__ == "__main__":
    main()
