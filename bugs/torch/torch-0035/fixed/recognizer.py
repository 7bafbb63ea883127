"""The network: one encoder, one decoder for the command, one for the speaker."""

from torch import nn


class CommandNet(nn.Module):
    def __init__(self, bands=20, width=32, commands=6, speakers=12):
        super().__init__()
        self.encoder = nn.GRU(bands, width, batch_first=True)
        self.command_decoder = nn.Linear(width, commands)
        self.speaker_decoder = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, speakers))

    def forward(self, spectra, with_speaker=True):
        _, state = self.encoder(spectra)
        state = state.squeeze(0)
        speaker_scores = self.speaker_decoder(state) if with_speaker else None
        return self.command_decoder(state), speaker_scores
