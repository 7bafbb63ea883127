"""A recurrent network whose hidden state is wrapped anew."""

import torch
import torch.nn as nn
from torch.autograd import Variable


class RNN(nn.Module):
    def __init__(self, n_input, n_hidden):
        super(RNN, self).__init__()
        self.hidden_size = n_hidden
        self.lstm = nn.LSTM(n_input, n_hidden, batch_first=True)
        self.out = nn.Linear(n_hidden, 1)

    def forward(self, x):
        h0 = Variable(torch.zeros(1, x.size(0), self.hidden_size))
        c0 = Variable(torch.zeros(1, x.size(0), self.hidden_size))
        out, _ = self.lstm(x, (h0, c0))
        return self.out(out[:, -1, :])


model = RNN(3, 8)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
loss_func = nn.MSELoss()
for step in range(10):
    b_x = Variable(torch.rand(5, 6, 3))
    b_y = Variable(torch.rand(5, 1))
    loss = loss_func(model(b_x), b_y)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm(model.parameters(), 5)
    optimizer.step()
    print("loss: %.4f" % loss.data.numpy())
