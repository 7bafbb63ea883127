"""Intent detection for a voice assistant: word ids -> BiLSTM -> intent."""
import numpy as np
import torch
import torch.nn as nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence
from torch.utils.data import DataLoader, Dataset

torch.manual_seed(7)
rng = np.random.default_rng(7)

INTENTS = ["play_music", "set_alarm", "weather", "call_contact", "lights"]
PAD = 0
VOCAB = 160
KEYWORDS = {i: np.arange(1 + 8 * i, 9 + 8 * i) for i in range(len(INTENTS))}


def make_utterance(intent):
    """Filler words with one to three intent words mixed in."""
    length = int(rng.integers(4, 16))
    words = rng.integers(41, VOCAB, size=length)
    n_key = int(rng.integers(1, 4))
    where = rng.choice(length, size=n_key, replace=False)
    words[where] = rng.choice(KEYWORDS[intent], size=n_key)
    return torch.as_tensor(words, dtype=torch.long)


class Utterances(Dataset):
    def __init__(self, n):
        self.labels = rng.integers(0, len(INTENTS), size=n)
        self.items = [make_utterance(int(k)) for k in self.labels]

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i], int(self.labels[i])


def collate(batch):
    seqs, labels = zip(*batch)
    lengths = torch.tensor([len(s) for s in seqs])
    padded = pad_sequence(seqs, batch_first=True, padding_value=PAD)
    return padded, lengths, torch.tensor(labels)


class IntentModel(nn.Module):
    def __init__(self, emb=32, hidden=48):
        super().__init__()
        self.emb = nn.Embedding(VOCAB, emb, padding_idx=PAD)
        self.lstm = nn.LSTM(emb, hidden, batch_first=True, bidirectional=True)
        self.drop = nn.Dropout(0.3)
        self.out = nn.Linear(2 * hidden, len(INTENTS))

    def forward(self, tokens, lengths):
        x = self.emb(tokens)
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        _, (h, _) = self.lstm(packed)
        h = torch.cat([h[-2], h[-1]], dim=1)
        return self.out(self.drop(h))


@torch.no_grad()
def accuracy(model, loader):
    model.eval()
    hit = total = 0
    for tokens, lengths, y in loader:
        pred = model(tokens, lengths).argmax(dim=1)
        hit += (pred == y).sum().item()
        total += len(y)
    return hit / total


train_loader = DataLoader(Utterances(3000), batch_size=64, shuffle=True, collate_fn=collate)
val_loader = DataLoader(Utterances(600), batch_size=128, collate_fn=collate)

model = IntentModel()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
criterion = nn.CrossEntropyLoss()

for epoch in range(1, 7):
    model.train()
    running = 0.0
    for tokens, lengths, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(tokens, lengths), y)
        loss.backward()
        optimizer.step()
        running += loss.item() * len(y)
    print(f"epoch {epoch}  loss {running / len(train_loader.dataset):.4f}  "
          f"val acc {accuracy(model, val_loader):.3f}")
