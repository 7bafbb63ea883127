"""Trains an agent that answers questions, and reports its success per collection."""

from collections import defaultdict

import torch
from torch import nn
from torch.utils.data import DataLoader

from questions import QuestionSet


def train_agent(seed=0, epochs=5):
    torch.manual_seed(seed)
    agent = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4))
    optimizer = torch.optim.Adam(agent.parameters(), lr=0.01)
    for _ in range(epochs):
        for _, features, answers in DataLoader(QuestionSet(600, 40, seed=seed + 50), batch_size=64, shuffle=True):
            loss = nn.functional.cross_entropy(agent(features), answers)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return agent


def batch_success(sources, won):
    """Share of questions answered correctly, for each collection in the batch."""
    by_source = defaultdict(list)
    for source, success in zip(sources, won.tolist()):
        by_source[source].append(success)
    return by_source


@torch.no_grad()
def validate(agent, dataset, val_batch_size=160):
    success_rate_dict = defaultdict(list)
    for sources, features, answers in DataLoader(dataset, batch_size=val_batch_size, shuffle=False):
        won = (agent(features).argmax(dim=1) == answers).float()
        for source, successes in batch_success(sources, won).items():
            success_rate_dict[source] += successes
    return {source: sum(rates) / len(rates) for source, rates in success_rate_dict.items()}


def main():
    agent = train_agent()
    for val_batch_size in (961, 160, 64):
        rates = validate(agent, QuestionSet(), val_batch_size)
        print(f"batches of {val_batch_size}:", {source: round(rate, 3) for source, rate in rates.items()})


if __name__ == "__main__":
    main()
