import torch

RIVERS, COUNTRIES = 120, 12


def make_triples():
    """Rivers that flow through countries and into each other, in regions, so that there is something to learn."""
    random = torch.Generator().manual_seed(2)
    triples = []
    for river in range(RIVERS):
        region = river % COUNTRIES
        for step in range(3):
            triples.append((river, 0, RIVERS + (region + step) % COUNTRIES))
        other = int(torch.randint(RIVERS // COUNTRIES, (1,), generator=random)) * COUNTRIES + region
        triples.append((river, 1, other))
    return torch.tensor(triples), RIVERS + COUNTRIES, 2
