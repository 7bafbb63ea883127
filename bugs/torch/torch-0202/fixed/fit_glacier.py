"""Regression of glacier lengths with a stepwise learning rate and decoupled weight decay."""

import torch
from torch import nn


def glaciers(count=200, seed=4):
    generator = torch.Generator().manual_seed(seed)
    climate = torch.randn(count, 5, generator=generator)
    length = climate @ torch.tensor([[1.0], [-0.5], [0.25], [0.0], [2.0]])
    return climate, length + 0.1 * torch.randn(count, 1, generator=generator)


class Fit(object):

    def __init__(self, milestones=(3, 6, 9), rate=0.1, decay=0.01):
        self.model = nn.Sequential(nn.Linear(5, 16), nn.Tanh(), nn.Linear(16, 1))
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=rate)
        self.schedule = torch.optim.lr_scheduler.MultiStepLR(self.optimizer, milestones=list(milestones), gamma=0.1)
        self.decay = decay
        self.log = []

    def shrink(self, rate):
        with torch.no_grad():
            for weight in self.model.parameters():
                weight.mul_(1 - rate * self.decay)

    def epoch(self, climate, length):
        rate = self.schedule.get_last_lr()[0]
        for rows in torch.randperm(len(climate)).split(20):
            self.optimizer.zero_grad()
            loss = nn.functional.mse_loss(self.model(climate[rows]), length[rows])
            loss.backward()
            self.optimizer.step()
            self.shrink(rate)
        self.log.append((rate, loss.item()))
        self.schedule.step()

    def run(self, epochs=11):
        climate, length = glaciers()
        for _ in range(epochs):
            self.epoch(climate, length)
        return self.log


if __name__ == "__main__":
    torch.manual_seed(0)
    for number, (rate, loss) in enumerate(Fit().run()):
        print("epoch %2d: rate %g, loss %.4f" % (number, rate, loss))
