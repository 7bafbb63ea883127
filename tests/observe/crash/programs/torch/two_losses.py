import torch
from torch import nn

encoder = nn.Linear(5, 8)
colour, shape = nn.Linear(8, 3), nn.Linear(8, 2)
parameters = [*encoder.parameters(), *colour.parameters(), *shape.parameters()]
optimizer = torch.optim.Adam(parameters, lr=0.01)
x = torch.rand(16, 5)
colours, shapes = torch.randint(0, 3, (16,)), torch.randint(0, 2, (16,))
for _ in range(3):
    code = torch.tanh(encoder(x))
    colour_loss = nn.functional.cross_entropy(colour(code), colours)
    shape_loss = nn.functional.cross_entropy(shape(code), shapes)
    optimizer.zero_grad()
    colour_loss.backward()
    shape_loss.backward()
    optimizer.step()
