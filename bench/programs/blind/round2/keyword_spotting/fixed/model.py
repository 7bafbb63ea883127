import torch
from torch import nn


class SpotterNet(nn.Module):
    def __init__(self, bands, classes, width=48):
        super().__init__()
        self.conv1 = nn.Conv1d(bands, width, 5, padding=2)
        self.conv2 = nn.Conv1d(width, width, 5, padding=2)
        self.rnn = nn.GRU(width, width, batch_first=True, bidirectional=True)
        self.head = nn.Linear(2 * width, classes)

    def forward(self, clips, lengths):
        steps = torch.arange(clips.shape[1])
        mask = (steps[None, :] < lengths[:, None]).unsqueeze(-1).float()
        h = torch.relu(self.conv1(clips.transpose(1, 2))).transpose(1, 2) * mask
        h = torch.relu(self.conv2(h.transpose(1, 2))).transpose(1, 2) * mask
        packed = nn.utils.rnn.pack_padded_sequence(
            h, lengths, batch_first=True, enforce_sorted=False)
        out, _ = nn.utils.rnn.pad_packed_sequence(self.rnn(packed)[0], batch_first=True)
        pooled = (out * mask).sum(1) / lengths[:, None]
        return self.head(pooled)
