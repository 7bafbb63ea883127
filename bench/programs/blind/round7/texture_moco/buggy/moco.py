import copy

import torch
from torch import nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.backbone = nn.Sequential(
            nn.Conv2d(1, 16, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.project = nn.Sequential(nn.Linear(128, 64), nn.ReLU(), nn.Linear(64, dim))

    def forward(self, x):
        return F.normalize(self.project(self.backbone(x)), dim=1)


class MoCo(nn.Module):
    def __init__(self, dim=32, queue=512, momentum=0.99, temperature=0.2):
        super().__init__()
        self.query = Encoder(dim)
        self.key = copy.deepcopy(self.query)
        for p in self.key.parameters():
            p.requires_grad_(False)
        self.m = momentum
        self.t = temperature
        self.register_buffer("bank", F.normalize(torch.randn(queue, dim), dim=1))
        self.ptr = 0

    @torch.no_grad()
    def update_key(self):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k = k * self.m + q * (1 - self.m)

    @torch.no_grad()
    def enqueue(self, keys):
        idx = (self.ptr + torch.arange(len(keys))) % len(self.bank)
        self.bank[idx] = keys
        self.ptr = (self.ptr + len(keys)) % len(self.bank)

    def forward(self, a, b):
        q = self.query(a)
        with torch.no_grad():
            k = self.key(b)
        positive = (q * k).sum(1, keepdim=True)
        negative = q @ self.bank.clone().T
        logits = torch.cat([positive, negative], dim=1) / self.t
        target = torch.zeros(len(q), dtype=torch.long)
        self.enqueue(k)
        return logits, target
