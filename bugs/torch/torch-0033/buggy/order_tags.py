"""Tags orders by their items; an order is a line of item numbers, padded with zeros."""

import torch
from torch import nn

ITEMS, LONGEST, TAGS = 30, 9, 3


def make_orders(count=400):
    generator = torch.manual_seed(4)
    orders = torch.randint(1, ITEMS, (count, LONGEST), generator=generator)
    lengths = torch.randint(3, LONGEST + 1, (count, 1), generator=generator)
    orders[torch.arange(LONGEST).expand(count, LONGEST) >= lengths] = 0
    return orders, orders[:, :3].sum(1) % TAGS


class OrderTagger(nn.Module):
    """Weighs the items of an order and tags their weighted mean."""

    def __init__(self, width=16):
        super(OrderTagger, self).__init__()
        self.items = nn.Embedding(ITEMS, width)
        self.score = nn.Linear(width, 1)
        self.out = nn.Linear(width, TAGS)

    def forward(self, orders):
        padding = orders == 0
        vectors = self.items(orders)
        scores = self.score(vectors).squeeze(2)
        real = 1 - padding
        weights = torch.exp(scores) * real.float()
        weights = weights / weights.sum(1, keepdim=True)
        return self.out((weights.unsqueeze(2) * vectors).sum(1))


def main():
    orders, tags = make_orders()
    model = OrderTagger()
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(2):
        for rows in torch.randperm(len(orders)).split(50):
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(orders[rows]), tags[rows])
            loss.backward()
            optimizer.step()
        print("epoch %d: loss %.3f" % (epoch, loss.item()))


if __name__ == "__main__":
    main()
