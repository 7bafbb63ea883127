"""``python train_torch.py MODEL WAY``: waits for a line, trains a small model on noise, prints its seconds as JSON."""

import contextlib
import json
import sys
import time

import torch
from torch import nn

STEPS = 400


def mlp():
    model = nn.Sequential(
        nn.Linear(256, 512), nn.ReLU(), nn.Dropout(0.1), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10)
    )
    return model, torch.randn(128, 256)


def cnn():
    model = nn.Sequential(
        nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(32 * 64, 64), nn.ReLU(), nn.Linear(64, 10),
    )  # fmt: skip
    return model, torch.randn(16, 3, 32, 32)


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
        self.embed = nn.Embedding(200, 64)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(64, 10)

    def forward(self, tokens):
        return self.head(self.encoder(self.embed(tokens)).mean(dim=1))


def transformer():
    return Transformer(), torch.randint(0, 200, (8, 32))


def check_every_batch(model, outputs, loss):
    """What DeepLocalize-style tools do: look at every value of every layer after every batch."""
    for tensor in (*outputs, loss, *(p for p in model.parameters()), *(p.grad for p in model.parameters())):
        if tensor is not None:
            bool(torch.isfinite(tensor).all())
            float(tensor.abs().mean())


def main(name, way):
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model, batch = {"mlp": mlp, "cnn": cnn, "transformer": transformer}[name]()
    labels = torch.randint(0, 10, (len(batch),))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    outputs = []
    if way == "every-batch":
        for layer in model.modules():
            if not list(layer.children()):
                layer.register_forward_hook(lambda module, given, output: outputs.append(output))
    mode = torch.autograd.set_detect_anomaly(True) if way == "anomaly" else contextlib.nullcontext()
    print("ready", flush=True)
    sys.stdin.readline()
    with mode:
        step(model, batch, labels, optimizer, criterion)  # the first step allocates
        start = time.perf_counter()
        for _ in range(STEPS):
            outputs.clear()
            loss = step(model, batch, labels, optimizer, criterion)
            if way == "every-batch":
                check_every_batch(model, outputs, loss)
        seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "steps": STEPS, "loss": loss.item()}))


def step(model, batch, labels, optimizer, criterion):
    optimizer.zero_grad()
    loss = criterion(model(batch), labels)
    loss.backward()
    optimizer.step()
    return loss


if __name__ == "__main__":
    main(*sys.argv[1:3])
