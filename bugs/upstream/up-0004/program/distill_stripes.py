"""A vision transformer learns from a teacher's decisions, through a token of its own."""

import torch
from torch import nn
from vit_pytorch.distill import DistillableViT, DistillWrapper


class StripeTeacher(nn.Module):
    """Knows the answer: compares the differences along rows and columns."""

    def forward(self, images):
        across = images.diff(dim=3).abs().mean(dim=(1, 2, 3))
        down = images.diff(dim=2).abs().mean(dim=(1, 2, 3))
        return 20 * torch.stack([across - down, down - across], dim=1)


def make_images(count):
    labels = torch.randint(0, 2, (count,))
    stripes = torch.sign(torch.sin(torch.arange(16) * 1.6)).expand(16, 16)
    images = torch.where(labels.view(-1, 1, 1) == 1, stripes.T, stripes).unsqueeze(1)
    return images + 0.3 * torch.randn(count, 1, 16, 16), labels


def train(steps=60):
    student = DistillableViT(
        image_size=16, patch_size=4, channels=1, num_classes=2, dim=32, depth=1, heads=2, mlp_dim=32, dim_head=16
    )
    distiller = DistillWrapper(teacher=StripeTeacher(), student=student, hard=True, alpha=0.5)
    optimizer = torch.optim.Adam(distiller.parameters(), lr=3e-3)
    for _ in range(steps):
        images, labels = make_images(32)
        loss = distiller(images, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return distiller


def agreement(distiller, images):
    """How often the answer at the distillation token is that of the teacher."""
    distiller.eval()
    with torch.no_grad():
        _, tokens = distiller.student(images, distill_token=distiller.distillation_token)
        answers = distiller.distill_mlp(tokens).argmax(dim=1)
    return (answers == distiller.teacher(images).argmax(dim=1)).float().mean().item()


def main():
    torch.manual_seed(0)
    distiller = train()
    print("agreement with the teacher", agreement(distiller, make_images(200)[0]))


if __name__ == "__main__":
    main()
