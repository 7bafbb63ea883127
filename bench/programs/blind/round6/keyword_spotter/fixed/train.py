import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence
from torch.utils.data import DataLoader

from data import KeywordClips, N_BANDS, WORDS, pad_collate


class Spotter(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.rnn = nn.GRU(N_BANDS, hidden, batch_first=True)
        self.out = nn.Linear(hidden, len(WORDS))

    def forward(self, clips, lengths):
        packed = pack_padded_sequence(clips, lengths, batch_first=True, enforce_sorted=False)
        _, h = self.rnn(packed)
        return self.out(h[-1])


@torch.no_grad()
def evaluate(model, loader):
    model.eval()
    right = total = 0
    for clips, lengths, labels in loader:
        right += (model(clips, lengths).argmax(1) == labels).sum().item()
        total += len(labels)
    return right / total


def main():
    torch.manual_seed(3)
    train_set = KeywordClips(1200, seed=1)
    val_set = KeywordClips(300, seed=2)
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True, collate_fn=pad_collate)
    val_loader = DataLoader(val_set, batch_size=100, collate_fn=pad_collate)

    model = Spotter()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(6):
        model.train()
        running = 0.0
        for clips, lengths, labels in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(clips, lengths), labels)
            loss.backward()
            optimizer.step()
            running += loss.item() * len(labels)
        acc = evaluate(model, val_loader)
        print(f"epoch {epoch + 1}  loss {running / len(train_set):.4f}  val acc {acc:.3f}")


if __name__ == "__main__":
    main()
