import torch
from torch import nn

WIDTH = 30
attention = nn.MultiheadAttention(WIDTH, num_heads=4, batch_first=True)
tokens = torch.rand(2, 5, WIDTH)
print(attention(tokens, tokens, tokens)[0].shape)
