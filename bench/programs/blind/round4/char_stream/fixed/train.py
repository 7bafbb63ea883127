"""Character model on a long stream, trained chunk by chunk with carried state."""
import random

import torch
from torch import nn

SUBJECTS = ["the pump", "valve two", "the boiler", "line seven", "the mixer"]
VERBS = ["reports", "shows", "lost", "regained", "exceeds"]
OBJECTS = ["pressure", "normal flow", "the heat limit", "signal", "its set point"]


def write_log(n_sentences, seed):
    rnd = random.Random(seed)
    parts = [f"{rnd.choice(SUBJECTS)} {rnd.choice(VERBS)} {rnd.choice(OBJECTS)}. " for _ in range(n_sentences)]
    return "".join(parts)


class StreamBatches:
    """Cuts the text into parallel rows and walks over them in chunks."""

    def __init__(self, ids, rows, chunk):
        width = (len(ids) - 1) // rows
        self.inputs = ids[:rows * width].view(rows, width)
        self.targets = ids[1:rows * width + 1].view(rows, width)
        self.chunk = chunk

    def __iter__(self):
        width = self.inputs.size(1)
        for start in range(0, width - self.chunk + 1, self.chunk):
            yield self.inputs[:, start:start + self.chunk], self.targets[:, start:start + self.chunk]


class CharModel(nn.Module):
    def __init__(self, vocab, dim=24, hidden=96):
        super().__init__()
        self.embed = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, vocab)

    def forward(self, ids, state=None):
        features, (h, c) = self.lstm(self.embed(ids), state)
        return self.out(features), (h.detach(), c.detach())


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.criterion = nn.CrossEntropyLoss()

    def train_epoch(self, batches):
        self.model.train()
        state, total, count = None, 0.0, 0
        for x, y in batches:
            logits, state = self.model(x, state)
            loss = self.criterion(logits.flatten(0, 1), y.flatten())
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            total += loss.item()
            count += 1
        return total / count

    @torch.no_grad()
    def evaluate(self, batches):
        self.model.eval()
        state, total, count = None, 0.0, 0
        for x, y in batches:
            logits, state = self.model(x, state)
            total += self.criterion(logits.flatten(0, 1), y.flatten()).item()
            count += 1
        return total / count


@torch.no_grad()
def sample(model, stoi, itos, prompt, length):
    model.eval()
    state, text = None, prompt
    ids = torch.tensor([[stoi[ch] for ch in prompt]])
    for _ in range(length):
        logits, state = model(ids, state)
        ids = torch.multinomial(logits[:, -1].softmax(-1), 1)
        text += itos[ids.item()]
    return text


def main():
    torch.manual_seed(1)
    text = write_log(2200, seed=3)
    chars = sorted(set(text))
    stoi = {ch: i for i, ch in enumerate(chars)}
    ids = torch.tensor([stoi[ch] for ch in text])
    cut = int(0.9 * len(ids))
    train_batches = StreamBatches(ids[:cut], rows=32, chunk=40)
    val_batches = StreamBatches(ids[cut:], rows=8, chunk=40)

    model = CharModel(len(chars))
    trainer = Trainer(model, lr=5e-3)
    for epoch in range(8):
        train_loss = trainer.train_epoch(train_batches)
        print(f"epoch {epoch}: train {train_loss:.3f}  val {trainer.evaluate(val_batches):.3f}")
    print(sample(model, stoi, chars, "the ", 80))


if __name__ == "__main__":
    main()
