"""A recurrent network that reads a sine wave piece by piece and follows it with a cosine."""

import numpy as np
import torch
from torch import nn

TIME_STEP = 10
INPUT_SIZE = 1
LR = 0.02


class RNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.rnn = nn.RNN(input_size=INPUT_SIZE, hidden_size=32, num_layers=1, batch_first=True)
        self.out = nn.Linear(32, 1)

    def forward(self, x, h_state):
        r_out, h_state = self.rnn(x, h_state)
        return self.out(r_out), h_state


def piece(step):
    steps = np.linspace(step * np.pi, (step + 1) * np.pi, TIME_STEP, dtype=np.float32, endpoint=False)
    x = torch.from_numpy(np.sin(steps)).view(1, TIME_STEP, 1)
    y = torch.from_numpy(np.cos(steps)).view(1, TIME_STEP, 1)
    return x, y


def main(steps=60):
    torch.manual_seed(1)
    rnn = RNN()
    optimizer = torch.optim.Adam(rnn.parameters(), lr=LR)
    loss_func = nn.MSELoss()
    h_state = None
    losses = []
    for step in range(steps):
        x, y = piece(step)
        prediction, h_state = rnn(x, h_state)
        h_state = h_state.detach()
        loss = loss_func(prediction, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if step % 10 == 0:
            print("step %d loss %.4f" % (step, losses[-1]))
    return losses


if __name__ == "__main__":
    main()
