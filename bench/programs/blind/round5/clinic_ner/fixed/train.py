"""BiGRU tagger for drugs, doses and symptoms in clinical notes."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader

from notes import PAD, PAD_TAG, TAGS, VOCAB, collate, make_corpus


class Tagger(nn.Module):
    def __init__(self, emb=32, hidden=32):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, emb, padding_idx=PAD)
        self.drop = nn.Dropout(0.2)
        self.gru = nn.GRU(emb, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, len(TAGS) + 1)     # one more for padding

    def forward(self, tokens):
        h, _ = self.gru(self.drop(self.emb(tokens)))
        return self.out(h)


def entity_scores(model, loader):
    """Micro precision and recall over all tags but O."""
    model.eval()
    tp = fp = fn = 0
    with torch.no_grad():
        for tokens, tags in loader:
            pred = model(tokens)[..., : len(TAGS)].argmax(dim=-1)
            real = tokens != PAD
            pred, gold = pred[real], tags[real]
            tp += ((pred == gold) & (gold > 0)).sum().item()
            fp += ((pred != gold) & (pred > 0)).sum().item()
            fn += ((pred != gold) & (gold > 0)).sum().item()
    precision = tp / max(tp + fp, 1)
    recall = tp / max(tp + fn, 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def main():
    torch.manual_seed(13)
    train_loader = DataLoader(make_corpus(1500, 1), batch_size=32, shuffle=True, collate_fn=collate)
    val_loader = DataLoader(make_corpus(300, 2), batch_size=64, collate_fn=collate)

    model = Tagger()
    criterion = nn.CrossEntropyLoss(ignore_index=PAD_TAG)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)

    for epoch in range(1, 7):
        model.train()
        total = 0.0
        for tokens, tags in train_loader:
            logits = model(tokens)
            loss = criterion(logits.flatten(0, 1), tags.flatten())
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
            optimizer.step()
            total += loss.item()
        p, r, f1 = entity_scores(model, val_loader)
        print(f"epoch {epoch}  loss {total / len(train_loader):.4f}  "
              f"val precision {p:.3f} recall {r:.3f} F1 {f1:.3f}")


if __name__ == "__main__":
    main()
