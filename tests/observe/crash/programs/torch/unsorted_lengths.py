import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

sentences = [torch.rand(length, 5) for length in (3, 6, 2)]
lengths = torch.tensor([len(sentence) for sentence in sentences])
padded = pad_sequence(sentences, batch_first=True)
packed = pack_padded_sequence(padded, lengths, batch_first=True)
rnn = nn.GRU(5, 8, batch_first=True)
print(rnn(packed)[1].shape)
