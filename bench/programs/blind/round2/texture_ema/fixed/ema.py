import copy

import torch


class AveragedModel:
    """Exponential moving average of a network, used for evaluation."""

    def __init__(self, model, decay=0.98):
        self.decay = decay
        self.module = copy.deepcopy(model).eval()
        for p in self.module.parameters():
            p.requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        mine = self.module.state_dict()
        for name, value in model.state_dict().items():
            if value.dtype.is_floating_point:
                mine[name].lerp_(value, 1.0 - self.decay)
            else:
                mine[name].copy_(value)
