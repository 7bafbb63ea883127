import copy

import torch
from torch import nn

MINIMIZED = {"loss", "perplexity"}
METRICS = {"bleu": False, "chrf": False, "token_accuracy": False, "sequence_accuracy": False}


class TrainManager:
    """Trains and keeps the weights of the best validation."""

    def __init__(self, model, config):
        self.model, self.config = model, config
        self.optimizer = torch.optim.Adam(model.parameters(), lr=config.learning_rate)
        if config.early_stopping_metric in MINIMIZED:
            self.minimize_metric = True
        else:
            self.minimize_metric = METRICS[config.eval_metric]
        self.best_score = float("inf") if self.minimize_metric else -float("inf")
        self.best_state, self.best_epoch = None, None

    def is_best(self, score):
        return score < self.best_score if self.minimize_metric else score > self.best_score

    def train_and_validate(self, train_set, valid_set):
        source, target = train_set
        for epoch in range(self.config.epochs):
            self.model.train()
            for rows in torch.randperm(len(source)).split(self.config.batch_size):
                scores = self.model(source[rows])
                loss = nn.functional.cross_entropy(scores.flatten(0, 1), target[rows].flatten())
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
            self._validate(epoch, loss.item(), valid_set)
        self.model.load_state_dict(self.best_state)

    def _validate(self, epoch, loss, valid_set):
        accuracy = sequence_accuracy(self.model, *valid_set)
        score = loss if self.config.early_stopping_metric == "loss" else accuracy
        mark = ""
        if self.is_best(score):
            self.best_score, self.best_epoch = score, epoch
            self.best_state, mark = copy.deepcopy(self.model.state_dict()), "  new best, checkpoint saved"
        print(f"validation {epoch}: loss {loss:.3f}  sequence accuracy {accuracy:.3f}{mark}")


@torch.no_grad()
def sequence_accuracy(model, source, target):
    model.eval()
    return (model(source).argmax(dim=-1) == target).all(dim=1).float().mean().item()
