"""A graph of papers: papers of one field cite each other more often."""

import torch

FIELDS = 3


def citation_graph(papers=90, words=20, seed=0):
    generator = torch.Generator().manual_seed(seed)
    field = torch.arange(papers) % FIELDS
    same = field.unsqueeze(0) == field.unsqueeze(1)
    likely = torch.where(same, torch.tensor(0.15), torch.tensor(0.01))
    cites = (torch.rand(papers, papers, generator=generator) < likely).float()
    adjacency = ((cites + cites.t() + torch.eye(papers)) > 0).float()
    degree = adjacency.sum(1)
    normal = adjacency / torch.sqrt(degree.unsqueeze(0) * degree.unsqueeze(1))
    features = torch.rand(papers, words, generator=generator)
    features[torch.arange(papers), field * 5] += 0.7
    return features, normal, field
