import torch


def split(rows, share):
    if not 0 < share < 1:
        raise ValueError(f"share is {share}")
    cut = int(len(rows) * share)
    return rows[:cut], rows[cut:]


SHARE = 80
train, test = split(torch.arange(10), SHARE)
print(len(train), len(test))
