import torch
from torch import nn

from translate.model import Translator
from translate.optimizers import build_optimizer

WORDS = 30


def make_sentences(count=256, length=6, seed=0):
    """The translation of a sentence is its words in reverse order, each with another number."""
    generator = torch.Generator().manual_seed(seed)
    source = torch.randint(1, WORDS, (count, length), generator=generator)
    target = (source.flip(1) * 7) % WORDS
    previous = torch.cat([torch.zeros(count, 1, dtype=torch.long), target[:, :-1]], dim=1)
    return source, previous, target


def train(method="sparseadam", share_decoder_embeddings=True, epochs=2, batch_size=32):
    torch.manual_seed(0)
    source, previous, target = make_sentences()
    model = Translator(WORDS, WORDS, share_decoder_embeddings=share_decoder_embeddings)
    optimizer = build_optimizer(model, method, lr=5e-3)
    for epoch in range(epochs):
        for rows in torch.randperm(len(source)).split(batch_size):
            scores = model(source[rows], previous[rows])
            loss = nn.functional.cross_entropy(scores.flatten(0, 1), target[rows].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch}: perplexity {loss.exp().item():.1f}")


if __name__ == "__main__":
    train()
