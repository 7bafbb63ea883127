import numpy as np
import torch
from torch import nn

CHUNK = 40
STREAMS = 16
HIDDEN = 32
EPOCHS = 25
LR = 5e-3


def simulate_river(n_steps, rng):
    """Rain falls in showers, the catchment fills and drains slowly into the river."""
    rain = np.where(rng.random(n_steps) < 0.12, rng.gamma(2.0, 1.0, n_steps), 0.0)
    soil, level = 0.0, 0.0
    levels = np.zeros(n_steps)
    for t in range(n_steps):
        soil = 0.95 * soil + 0.3 * rain[t]
        level = 0.85 * level + 0.1 * soil
        levels[t] = level
    return rain.astype(np.float32), levels.astype(np.float32)


def make_streams(n_streams, n_steps, seed):
    rng = np.random.default_rng(seed)
    rains, levels = zip(*[simulate_river(n_steps, rng) for _ in range(n_streams)])
    return torch.tensor(np.stack(rains)).unsqueeze(-1), torch.tensor(np.stack(levels)).unsqueeze(-1)


class RiverLSTM(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, 1)

    def initial_state(self, batch):
        h = torch.zeros(1, batch, self.lstm.hidden_size)
        return h, h.clone()

    def forward(self, x, state):
        h, state = self.lstm(x, state)
        return self.out(h), state


def repackage(state):
    """Carry the values of the hidden state into the next chunk."""
    return tuple(s.clone() for s in state)


def run_epoch(model, rain, level, criterion, optimizer=None):
    model.train(optimizer is not None)
    state = model.initial_state(rain.shape[0])
    losses = []
    for start in range(0, rain.shape[1], CHUNK):
        x = rain[:, start:start + CHUNK]
        y = level[:, start:start + CHUNK]
        state = repackage(state)
        pred, state = model(x, state)
        loss = criterion(pred, y)
        if optimizer is not None:
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
        losses.append(loss.item())
    return float(np.mean(losses))


def main():
    torch.manual_seed(0)
    torch.set_num_threads(1)
    rain, level = make_streams(STREAMS, 800, seed=1)
    rain_test, level_test = make_streams(8, 800, seed=2)
    mean, std = level.mean(), level.std()
    level, level_test = (level - mean) / std, (level_test - mean) / std

    model = RiverLSTM(HIDDEN)
    criterion = nn.MSELoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=LR)
    for epoch in range(EPOCHS):
        train_loss = run_epoch(model, rain, level, criterion, optimizer)
        with torch.no_grad():
            test_loss = run_epoch(model, rain_test, level_test, criterion)
        print(f"epoch {epoch + 1:2d}: train {train_loss:.4f}  test {test_loss:.4f}")


if __name__ == "__main__":
    main()
