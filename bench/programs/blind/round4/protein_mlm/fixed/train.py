"""Masked residue modelling, then filling gaps in sequences the model has not seen."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from masking import IGNORE, mask_tokens
from sequences import LENGTH, MASK, VOCAB_SIZE, make_ancestors, make_sequences, to_text


class ResidueEncoder(nn.Module):
    def __init__(self, dim=64, heads=4, layers=2):
        super().__init__()
        self.tokens = nn.Embedding(VOCAB_SIZE, dim)
        self.positions = nn.Parameter(torch.randn(LENGTH, dim) * 0.1)
        layer = nn.TransformerEncoderLayer(dim, heads, dim_feedforward=2 * dim, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, layers)
        self.out = nn.Linear(dim, VOCAB_SIZE)

    def forward(self, ids):
        return self.out(self.encoder(self.tokens(ids) + self.positions))


def train_epoch(model, loader, optimizer, criterion):
    model.train()
    total = 0.0
    for (ids,) in loader:
        inputs, labels = mask_tokens(ids, rate=0.2)
        loss = criterion(model(inputs).flatten(0, 1), labels.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total / len(loader)


@torch.no_grad()
def masked_accuracy(model, ids, seed=0):
    model.eval()
    generator = torch.Generator().manual_seed(seed)
    inputs, labels = mask_tokens(ids.clone(), rate=0.2, generator=generator)
    pred = model(inputs).argmax(dim=-1)
    scored = labels != IGNORE
    return (pred[scored] == labels[scored]).float().mean().item()


@torch.no_grad()
def fill(model, damaged):
    model.eval()
    pred = model(damaged).argmax(dim=-1)
    return torch.where(damaged == MASK, pred, damaged)


def main():
    torch.manual_seed(4)
    rng = np.random.default_rng(4)
    ancestors = make_ancestors(8, rng)
    train_ids = make_sequences(ancestors, 2000, rng)
    val_ids = make_sequences(ancestors, 300, rng)

    model = ResidueEncoder()
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    criterion = nn.CrossEntropyLoss(ignore_index=IGNORE)
    loader = DataLoader(TensorDataset(train_ids), batch_size=64, shuffle=True)
    for epoch in range(10):
        loss = train_epoch(model, loader, optimizer, criterion)
        print(f"epoch {epoch + 1:2d}: loss {loss:.3f}  val masked acc {masked_accuracy(model, val_ids):.3f}")

    # sequences with a gap of three residues, as they come from the sequencer
    whole = make_sequences(ancestors, 3, rng)
    damaged = whole.clone()
    damaged[:, 10:13] = MASK
    for original, broken, repaired in zip(whole, damaged, fill(model, damaged)):
        print(to_text(original), to_text(broken), to_text(repaired))


if __name__ == "__main__":
    main()
