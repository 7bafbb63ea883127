from torch import nn


class Training:
    def __init__(self, model, optimizer, watchers=()):
        self.model, self.optimizer, self.watchers = model, optimizer, list(watchers)

    def step(self, inputs, targets):
        loss = nn.functional.mse_loss(self.model(inputs), targets)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()
        for watcher in self.watchers:
            watcher(self.model, loss.item())
