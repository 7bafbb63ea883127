"""Training loop of one process, with accumulated gradients."""

from contextlib import nullcontext

import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler


class Trainer:
    """Updates the weights after every ``accum_grad`` batches."""

    def __init__(self, model, rank, world_size, accum_grad=4, lr=0.01, use_ddp=True):
        self.rank, self.world_size = rank, world_size
        self.accum_grad, self.use_ddp = accum_grad, use_ddp
        self.model = DistributedDataParallel(model) if use_ddp else model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)

    def train_epoch(self, dataset, epoch, batch_size=8):
        sampler = DistributedSampler(dataset, self.world_size, self.rank, shuffle=True)
        sampler.set_epoch(epoch)
        loader = DataLoader(dataset, batch_size, sampler=sampler, drop_last=True)
        total = 0.0
        self.optimizer.zero_grad()
        for batch_idx, (features, labels) in enumerate(loader):
            my_context = nullcontext
            if self.use_ddp:
                # Gradients only have to travel once per update.
                my_context = self.model.no_sync if batch_idx % self.accum_grad != 0 else my_context
            with my_context():
                loss = nn.functional.cross_entropy(self.model(features), labels)
                (loss / self.accum_grad).backward()
            total += loss.item()
            if (batch_idx + 1) % self.accum_grad == 0:
                self.optimizer.step()
                self.optimizer.zero_grad()
        return total / len(loader)

    def weights(self):
        return torch.cat([parameter.detach().flatten() for parameter in self.model.parameters()])
