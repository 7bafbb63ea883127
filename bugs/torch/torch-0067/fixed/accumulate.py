"""Trains a regression of room acoustics with gradients accumulated over mini-batches."""

import torch
from torch import nn


def measure(count, generator):
    """Size, height, carpet and curtains of rooms, and how long a sound lasts in them."""
    rooms = torch.rand(count, 4, generator=generator)
    decay = 0.4 + 1.2 * rooms[:, 0] * rooms[:, 1] - 0.5 * rooms[:, 2] - 0.3 * rooms[:, 3]
    return 2 * rooms - 1, decay.unsqueeze(1) + 0.05 * torch.randn(count, 1, generator=generator)


def build():
    return nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 1))


class Trainer:
    """One update for ``accum_grad_n_steps`` mini-batches, so that large batches fit into memory."""

    def __init__(self, model, lr=0.4, accum_grad_n_steps=1):
        self.model, self.accum_grad_n_steps = model, accum_grad_n_steps
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr)
        self.criterion = nn.MSELoss()

    def run_epoch(self, rooms, decay, batch_size):
        self.optimizer.zero_grad()
        total, steps = 0.0, 0
        for start in range(0, len(rooms), batch_size):
            loss = self.criterion(self.model(rooms[start : start + batch_size]), decay[start : start + batch_size])
            (loss / self.accum_grad_n_steps).backward()
            steps += 1
            total += loss.item()
            if steps % self.accum_grad_n_steps == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return total / steps


def main(seed=0, epochs=20):
    """Held-out error of accumulated training, over that of the same training with large batches."""
    generator = torch.Generator().manual_seed(seed)
    rooms, decay = measure(256, generator)
    new_rooms, new_decay = measure(256, generator)
    errors = []
    for batch_size, n_steps in ((128, 1), (16, 8)):
        torch.manual_seed(seed)
        trainer = Trainer(build(), accum_grad_n_steps=n_steps)
        for _ in range(epochs):
            loss = trainer.run_epoch(rooms, decay, batch_size)
        with torch.no_grad():
            errors.append(trainer.criterion(trainer.model(new_rooms), new_decay).item())
        print(f"batches of {batch_size}, {n_steps} per update: train loss {loss:.4f}  held-out {errors[-1]:.4f}")
    return errors[1] / errors[0]


if __name__ == "__main__":
    main()
