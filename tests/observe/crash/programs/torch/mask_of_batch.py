import torch
from torch import nn

WIDTH, LENGTH = 8, 6


def padding_mask(lengths):
    return torch.arange(max(lengths))[None, :] >= torch.tensor(lengths)[:, None]


encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(WIDTH, nhead=2), num_layers=1)
x = torch.rand(3, LENGTH, WIDTH)
print(encoder(x, src_key_padding_mask=padding_mask([6, 4, 2])).shape)
