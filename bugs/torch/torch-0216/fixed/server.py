"""Adds up the gradients of several workers and updates the model."""

import torch


class Server:
    def __init__(self, model, rate, workers):
        self.model, self.workers = model, workers
        self.optimizer = torch.optim.SGD(model.parameters(), lr=rate, momentum=0.9)
        for weight in model.parameters():
            weight.grad = torch.zeros_like(weight)

    def receive(self, gradients):
        for weight, gradient in zip(self.model.parameters(), gradients):
            weight.grad += gradient / self.workers

    def update(self):
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=False)
