"""Distils a teacher for land cover into a student that sees unlabelled pixels only."""

import torch
import torch.nn.functional as F
from torch import nn

COVERS, BANDS = 4, 6
SPECTRA = torch.tensor(
    [
        [0.1, 0.2, 0.1, 0.7, 0.4, 0.2],
        [0.2, 0.2, 0.3, 0.3, 0.5, 0.4],
        [0.3, 0.2, 0.1, 0.1, 0.0, 0.0],
        [0.3, 0.3, 0.4, 0.4, 0.3, 0.5],
    ]
)


def sense(count, generator):
    covers = torch.randint(COVERS, (count,), generator=generator)
    return (SPECTRA[covers] - 0.3) * 4 + 1.0 * torch.randn(count, BANDS, generator=generator), covers


def network(hidden):
    return nn.Sequential(nn.Linear(BANDS, hidden), nn.ReLU(), nn.Linear(hidden, COVERS))


def train_teacher(pixels, covers, steps=150):
    teacher = network(48)
    optimizer = torch.optim.Adam(teacher.parameters(), lr=0.02)
    for _ in range(steps):
        loss = F.cross_entropy(teacher(pixels), covers)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return teacher.eval()


def distil(teacher, pixels, epochs=4, batch_size=64):
    student = network(12)
    optimizer = torch.optim.SGD(student.parameters(), lr=0.2, momentum=0.9)
    for epoch in range(epochs):
        for rows in torch.randperm(len(pixels)).split(batch_size):
            student_out = F.log_softmax(student(pixels[rows]), dim=1)
            with torch.no_grad():
                teacher_out = F.softmax(teacher(pixels[rows]), dim=1)
            loss_kd = F.kl_div(student_out, teacher_out, reduction="batchmean")
            optimizer.zero_grad()
            loss_kd.backward()
            optimizer.step()
        print(f"epoch {epoch}: distillation loss {loss_kd.item():.3f}")
    return student


def main(seed=0):
    """How far the student's probabilities are from the teacher's on new pixels, on average."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    teacher = train_teacher(*sense(400, generator))
    student = distil(teacher, sense(1500, generator)[0])
    pixels, covers = sense(400, generator)
    with torch.no_grad():
        taught, learned = teacher(pixels).softmax(dim=1), student(pixels).softmax(dim=1)
    agree = (taught.argmax(dim=1) == learned.argmax(dim=1)).float().mean().item()
    divergence = (taught * (taught.clamp(min=1e-8).log() - learned.clamp(min=1e-8).log())).sum(dim=1).mean().item()
    print(f"same answer for {agree:.3f} of the pixels, divergence {divergence:.3f}")
    return divergence


if __name__ == "__main__":
    main()
