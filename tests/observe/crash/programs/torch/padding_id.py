import torch
from torch import nn

sentences = ["the cat sat", "the dog", "a bird sang loudly today"]
words = sorted({word for sentence in sentences for word in sentence.split()})
ids = {word: at for at, word in enumerate(words)}
PAD = len(ids)


def encode(sentence, length=5):
    known = [ids[word] for word in sentence.split()]
    return known + [PAD] * (length - len(known))


batch = torch.tensor([encode(sentence) for sentence in sentences])


class Reader(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.table = nn.Embedding(words, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, batch):
        return self.head(self.table(batch).mean(1))


model = Reader(len(ids))
print(model(batch).shape)
