"""Grades coffee from twelve laboratory values, learned from a small tasting.

A panel has tasted 120 lots and called each mild, balanced or strong; now and then it is wrong.
Another 300 lots, tasted by another panel, are for validation.
"""

import torch
from torch import nn

GRADES = ("mild", "balanced", "strong")
VALUES = 12


def taste(lots, generator, mistakes=0.12):
    """Laboratory values of ``lots`` lots and the grades that the panel gave them."""
    typical = torch.randn(len(GRADES), VALUES, generator=torch.Generator().manual_seed(3))
    grades = torch.arange(lots) % len(GRADES)
    values = typical[grades] + torch.randn(lots, VALUES, generator=generator)
    other = (grades + torch.randint(1, 3, (lots,), generator=generator)) % len(GRADES)
    wrong = torch.rand(lots, generator=generator) < mistakes
    return values, torch.where(wrong, other, grades)


def main(seed=0, epochs=50, batch_size=24):
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    values, grades = taste(120, generator)
    valid_values, valid_grades = taste(300, generator)
    mean, deviation = values.mean(dim=0), values.std(dim=0)
    values = (values - mean) / deviation
    valid_values = (valid_values - mean) / deviation

    model = nn.Sequential(nn.Linear(VALUES, 48), nn.ReLU(), nn.Linear(48, len(GRADES)))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-7)

    for epoch in range(1, epochs + 1):
        model.train()
        train_loss = 0.0
        for batch in torch.randperm(len(grades)).split(batch_size):
            optimizer.zero_grad()
            loss = criterion(model(values[batch]), grades[batch])
            loss.backward()
            optimizer.step()
            train_loss += loss.item() * len(batch) / len(grades)

        model.eval()
        with torch.no_grad():
            scores = model(valid_values)
            valid_loss = criterion(scores, valid_grades).item()
            accuracy = (scores.argmax(dim=1) == valid_grades).float().mean().item()
        print(
            f"| epoch {epoch:03d} | train loss {train_loss:.3f}"
            f" | valid loss {valid_loss:.3f} | valid accuracy {accuracy:.3f}"
        )
    return valid_loss


if __name__ == "__main__":
    main()
