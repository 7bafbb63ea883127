import torch

maps = torch.rand(2, 3, 4)
rows = maps.transpose(1, 2)
print(rows.view(2, 12).shape)
