"""Trains a small U-Net that marks cells in microscope images, in mixed precision."""

import torch
import torch.nn.functional as F
from torch import nn

from cells import stain
from unet import UNet


def dice_score(logits, masks, smooth=1.0):
    found = (logits > 0).float()
    overlap = (found * masks).sum(dim=(1, 2, 3))
    return ((2 * overlap + smooth) / (found.sum(dim=(1, 2, 3)) + masks.sum(dim=(1, 2, 3)) + smooth)).mean().item()


def train_net(net, images, masks, epochs=8, batch_size=8, learning_rate=0.1, gradient_clipping=1.0, amp=True):
    optimizer = torch.optim.SGD(net.parameters(), lr=learning_rate, momentum=0.9)
    grad_scaler = torch.amp.GradScaler("cpu", enabled=amp)
    for epoch in range(1, epochs + 1):
        net.train()
        epoch_loss = 0.0
        for rows in torch.randperm(len(images)).split(batch_size):
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=amp):
                logits = net(images[rows])
                loss = F.binary_cross_entropy_with_logits(logits.float(), masks[rows])
            optimizer.zero_grad(set_to_none=True)
            grad_scaler.scale(loss).backward()
            nn.utils.clip_grad_norm_(net.parameters(), gradient_clipping)
            grad_scaler.step(optimizer)
            grad_scaler.update()
            epoch_loss += loss.item() * len(rows)
        print(f"epoch {epoch}: loss {epoch_loss / len(images):.4f}")


@torch.no_grad()
def evaluate(net, images, masks):
    net.eval()
    return dice_score(net(images), masks)


def main(seed=0):
    torch.manual_seed(seed)
    images, masks = stain(96, torch.Generator().manual_seed(seed))
    net = UNet()
    train_net(net, images, masks)
    score = evaluate(net, *stain(32, torch.Generator().manual_seed(seed + 1)))
    print(f"validation Dice score: {score:.3f}")
    return score


if __name__ == "__main__":
    main()
