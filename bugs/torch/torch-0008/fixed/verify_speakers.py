"""Learns voice prints: embeddings in which the utterances of one speaker lie close together.

The loss follows the generalised end-to-end recipe for speaker verification. A batch holds some
speakers with some utterances each; every utterance is compared with the mean voice print of every
speaker (for its own speaker without the utterance itself) and has to be most similar to its own.
"""

import torch
import torch.nn.functional as F
from torch import nn

SPEAKERS = 8
UTTERANCES = 6
FEATURES = 40


def record_voices(voices, generator):
    """A batch of utterances, SPEAKERS x UTTERANCES x FEATURES; ``voices`` are the true voices."""
    shape = (SPEAKERS, UTTERANCES, FEATURES)
    chosen = voices[torch.randperm(len(voices), generator=generator)[:SPEAKERS]]
    return chosen.unsqueeze(1) + 1.5 * torch.randn(shape, generator=generator)


class VoicePrint(nn.Module):
    def __init__(self, size=16):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(FEATURES, 64), nn.ReLU(), nn.Linear(64, size))
        self.weight = nn.Parameter(torch.tensor(10.0))
        self.bias = nn.Parameter(torch.tensor(-5.0))

    def forward(self, utterances):
        return F.normalize(self.layers(utterances), dim=-1)


def similarities(prints):
    """Cosines of all utterances (speakers x utterances) with the mean print of every speaker."""
    speakers, utterances, _ = prints.shape
    means = prints.mean(dim=1).expand(speakers, utterances, -1, -1)
    without_own = (prints.sum(dim=1, keepdim=True) - prints) / (utterances - 1)
    same = torch.eye(speakers, dtype=torch.bool).view(speakers, 1, speakers, 1)
    means = torch.where(same, without_own.unsqueeze(2), means)
    return F.cosine_similarity(prints.unsqueeze(2), means, dim=3)


def end_to_end_loss(model, batch):
    scores = model.weight * similarities(model(batch)) + model.bias
    speakers = torch.arange(batch.shape[0]).repeat_interleave(batch.shape[1])
    return F.cross_entropy(scores.flatten(0, 1), speakers)


def train(model, voices, generator, steps):
    """Trains the model in place and returns the loss of every step."""
    optimizer = torch.optim.Adam(model.parameters(), lr=0.005)
    losses = []
    for _ in range(steps):
        loss = end_to_end_loss(model, record_voices(voices, generator))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def run(seed=0, steps=40):
    """Trains a fresh model on batches from thirty voices and returns its losses."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    voices = torch.randn(30, FEATURES, generator=generator)
    return train(VoicePrint(), voices, generator, steps)


if __name__ == "__main__":
    losses = run()
    print("loss: %.3f at first, %.3f at last" % (losses[0], losses[-1]))
