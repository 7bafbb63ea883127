"""Sorts laundry by its outline: shirts, trousers, dresses and socks, seen as 10 x 10 pixels."""

import torch
from torch import nn

GARMENTS = {
    "shirt": ["##########", "##########", "##.####.##", "...####...", "...####...", "...####...", "...####..."],
    "trousers": ["..######..", "..######..", "..##..##..", "..##..##..", "..##..##..", "..##..##..", "..##..##.."],
    "dress": ["...####...", "....##....", "....##....", "...####...", "..######..", ".########.", ".########."],
    "sock": ["...###....", "...###....", "...###....", "...###....", "...####...", "...######.", "....#####."],
}


def photograph(count, generator):
    """``count`` pictures with noise, shifted by up to one pixel, and the garment on each."""
    outlines = torch.zeros(len(GARMENTS), 12, 12)
    for outline, rows in zip(outlines, GARMENTS.values()):
        drawn = torch.tensor([[float(dot == "#") for dot in row] for row in rows])
        outline[2:9, 1:11] = drawn
    labels = torch.arange(count) % len(GARMENTS)
    shifts = torch.randint(3, (count, 2), generator=generator)
    pictures = torch.stack(
        [outlines[label, down : down + 10, right : right + 10] for label, (down, right) in zip(labels, shifts)]
    )
    pictures = pictures + 0.4 * torch.randn(count, 10, 10, generator=generator)
    return pictures.flatten(1), labels


def build_network(sizes=(100, 64, 64, 48, 32), activation=nn.Sigmoid):
    layers = []
    for inputs, outputs in zip(sizes, sizes[1:]):
        layers += [nn.Linear(inputs, outputs), activation()]
    return nn.Sequential(*layers, nn.Linear(sizes[-1], len(GARMENTS)))


def evaluate(network, criterion, pictures, labels):
    network.eval()
    with torch.no_grad():
        scores = network(pictures)
        correct = (scores.argmax(dim=1) == labels).float().mean().item()
        return criterion(scores, labels).item(), correct


def main(seed=0, epochs=12, batch_size=32):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    pictures, labels = photograph(960, generator)
    held_out = photograph(320, generator)
    mean, deviation = pictures.mean(), pictures.std()
    pictures = (pictures - mean) / deviation
    held_out = ((held_out[0] - mean) / deviation, held_out[1])

    network = build_network()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(network.parameters(), lr=0.03, momentum=0.9)
    for epoch in range(epochs):
        network.train()
        running = 0.0
        for batch in torch.randperm(len(labels)).split(batch_size):
            optimizer.zero_grad()
            loss = criterion(network(pictures[batch]), labels[batch])
            loss.backward()
            optimizer.step()
            running += loss.item() * len(batch)
        held_out_loss, accuracy = evaluate(network, criterion, *held_out)
        print(
            f"[{epoch + 1}/{epochs}] loss: {running / len(labels):.4f}"
            f"  held-out loss: {held_out_loss:.4f}  held-out accuracy: {100 * accuracy:.1f}%"
        )
    return accuracy


if __name__ == "__main__":
    main()
