import os
import tempfile

import torch

from tiny_lm.loading import load_model
from tiny_lm.model import TinyLM


@torch.no_grad()
def generate(model, start, count=8):
    words = start
    for _ in range(count):
        words = torch.cat([words, model(words)[:, -1:].argmax(dim=-1)], dim=1)
    return words


def main():
    torch.manual_seed(0)
    trained = TinyLM().eval()
    start = torch.tensor([[3, 1, 4]])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.pt")
        torch.save(trained.state_dict(), path)
        loaded = load_model(path)
    print("before saving:", generate(trained, start)[0].tolist())
    print("after loading:", generate(loaded, start)[0].tolist())


if __name__ == "__main__":
    main()
