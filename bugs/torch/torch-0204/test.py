"""Healthy: in evaluation mode the network gives one answer, however often it is asked."""

import citation_graph
import oracle
import torch


def difference(seed):
    features, adjacency, field = citation_graph.citation_graph(seed=seed)
    model = citation_graph.train(features, adjacency, field, epochs=20)
    model.eval()
    with torch.no_grad():
        first, second = model(features, adjacency), model(features, adjacency)
    return (first - second).abs().max().item()


oracle.value("largest difference between two answers", difference, at_most=1e-6)
