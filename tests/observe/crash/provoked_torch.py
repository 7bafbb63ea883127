"""Provokes one crash after another and prints each as a line of JSON; runs in the stack ``torch``."""

import json

import numpy as np
import torch
from torch import nn
from torch.nn import functional


def twice():
    a = torch.ones(3, requires_grad=True)
    loss = (a * a).sum()
    loss.backward()
    loss.backward()


def in_place():
    b = torch.exp(torch.ones(3, requires_grad=True))
    b += 1
    b.sum().backward()


CRASHES = {
    "layer-size-mismatch": lambda: nn.Linear(400, 120)(torch.zeros(10, 256)),
    "channel-mismatch": lambda: nn.Conv2d(3, 4, 3)(torch.zeros(1, 8, 8, 3)),
    "missing-axis": lambda: nn.Conv2d(3, 4, 3)(torch.zeros(8, 8)),
    "window-larger-than-input": lambda: nn.Conv2d(3, 4, 5)(torch.zeros(1, 3, 3, 3)),
    "elementwise-mismatch": lambda: torch.zeros(3, 4) + torch.zeros(3, 5),
    "reshape-size-mismatch": lambda: torch.zeros(10, 16, 4, 4).view(-1, 400),
    "view-of-scattered-memory": lambda: torch.zeros(3, 4).t().view(12),
    "concatenation-mismatch": lambda: torch.cat([torch.zeros(3, 4), torch.zeros(3, 5)], 0),
    "normalization-size-mismatch": lambda: nn.BatchNorm1d(10)(torch.zeros(4, 12)),
    "single-sample-batch": lambda: nn.BatchNorm1d(10)(torch.zeros(1, 10)),
    "state-size-mismatch": lambda: nn.GRU(10, 20)(torch.zeros(5, 3, 10), torch.zeros(1, 4, 20)),
    "batch-size-mismatch": lambda: functional.cross_entropy(torch.zeros(10, 3), torch.zeros(9, dtype=torch.long)),
    "target-encoding": lambda: functional.cross_entropy(torch.zeros(10, 3), torch.zeros(10, 1, dtype=torch.long)),
    "target-dtype": lambda: functional.cross_entropy(torch.zeros(10, 3), torch.zeros(10)),
    "label-out-of-range": lambda: functional.cross_entropy(torch.zeros(10, 3), torch.full((10,), 3)),
    "probabilities-needed": lambda: functional.binary_cross_entropy(torch.full((3,), 2.0), torch.zeros(3)),
    "dtypes-differ": lambda: nn.Linear(4, 2)(torch.zeros(3, 4, dtype=torch.float64)),
    "loss-dtype": lambda: functional.binary_cross_entropy_with_logits(torch.zeros(3), torch.zeros(3, dtype=torch.long)),
    "token-out-of-range": lambda: nn.Embedding(10, 3)(torch.tensor([10])),
    "axis-out-of-range": lambda: torch.zeros(3).sum(1),
    "devices-differ": lambda: torch.zeros(3) + torch.zeros(3, device="meta"),
    "graph-freed": twice,
    "in-place-change": in_place,
    "loss-without-gradient": lambda: torch.ones(3).sum().backward(),
    "loss-not-scalar": lambda: torch.ones(3, requires_grad=True).exp().backward(),
    "array-of-tracked-tensor": lambda: torch.zeros(3, requires_grad=True).numpy(),
    "optimizer-without-parameters": lambda: torch.optim.SGD([], lr=0.1),
    "checkpoint-mismatch": lambda: nn.Linear(2, 2).load_state_dict({}),
    "array-for-tensor": lambda: nn.Linear(2, 2)(np.zeros((2, 2), dtype="float32")),
    "wrong-keyword": lambda: nn.Linear(2, 2, use_bias=True),
    "no-data-found": lambda: torch.utils.data.DataLoader([], shuffle=True),
    "host-memory": lambda: torch.zeros(10**13),
}

for cause, crash in CRASHES.items():
    try:
        crash()
    except Exception as error:
        print(json.dumps([cause, type(error).__name__, str(error)]))
    else:
        print(json.dumps([cause, "", "nothing was raised"]))
