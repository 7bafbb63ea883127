"""Keeps what the best epoch has left behind."""

import numpy as np


class Best:
    def __init__(self):
        self.loss = np.inf
        self.model_weights = self.optimizer_weights = None

    def update(self, loss, model, optimizer):
        if loss < self.loss:
            self.loss = loss
            self.model_weights = [weight.copy() for weight in model.get_weights()]
            self.optimizer_weights = [variable.numpy() for variable in optimizer.variables]

    def restore(self, model, optimizer):
        model.set_weights(self.model_weights)
        for variable, weight in zip(optimizer.variables, self.optimizer_weights):
            variable.assign(weight)
