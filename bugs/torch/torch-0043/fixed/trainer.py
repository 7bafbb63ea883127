import copy

import torch
from torch import nn


def build_network(steps=24, hidden=96):
    return nn.Sequential(nn.Linear(2 * steps, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, steps))


class Trainer:
    """Trains until the validation loss has not improved for ``patience`` epochs."""

    def __init__(self, model, epochs=50, patience=10, lr=5e-3, batch_size=20):
        self.model, self.epochs, self.patience = model, epochs, patience
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.batch_size = batch_size
        self.best_loss, self.best_epoch, self.best_model_dict = float("inf"), -1, None

    def _loss(self, series, present):
        filled = self.model(torch.cat([series * present, present], dim=1))
        missing = 1 - present
        return ((filled - series) ** 2 * missing).sum() / missing.sum()

    def fit(self, train_set, val_set):
        for epoch in range(self.epochs):
            self.model.train()
            for rows in torch.randperm(len(train_set[0])).split(self.batch_size):
                loss = self._loss(train_set[0][rows], train_set[1][rows])
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            val_loss = self.validate(val_set)
            if val_loss < self.best_loss:
                self.best_loss, self.best_epoch = val_loss, epoch
                self.best_model_dict = copy.deepcopy(self.model.state_dict())
            elif epoch - self.best_epoch >= self.patience:
                break
        self.model.load_state_dict(self.best_model_dict)

    @torch.no_grad()
    def validate(self, val_set):
        self.model.eval()
        return self._loss(*val_set).item()
