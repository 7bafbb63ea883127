"""Optimizers by name; ``sparseadam`` updates only the word vectors of the batch."""

import torch


class MultipleOptimizer:
    def __init__(self, *optimizers):
        self.optimizers = optimizers

    def zero_grad(self):
        for optimizer in self.optimizers:
            optimizer.zero_grad()

    def step(self):
        for optimizer in self.optimizers:
            optimizer.step()


def build_optimizer(model, method, lr):
    if method == "adam":
        return torch.optim.Adam(model.parameters(), lr=lr)
    if method == "sgd":
        return torch.optim.SGD(model.parameters(), lr=lr)
    assert method == "sparseadam"
    vectors = [model.source.weight, model.target.weight]
    known = {id(vector) for vector in vectors}
    dense = [parameter for parameter in model.parameters() if id(parameter) not in known]
    return MultipleOptimizer(torch.optim.Adam(dense, lr=lr), torch.optim.SparseAdam(vectors, lr=lr))
