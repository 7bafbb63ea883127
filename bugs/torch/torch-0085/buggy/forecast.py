"""Trains a mixer on substation loads and forecasts the next hours."""

import numpy as np
import torch
from torch.nn.functional import l1_loss

from load_curves import Windows, simulate
from mixer import Mixer

PRECISION = {"32": None, "bf16-mixed": torch.bfloat16}


class Forecaster:
    def __init__(self, precision="bf16-mixed", batch_size=32):
        self.model = Mixer()
        self.dtype = PRECISION[precision]
        self.batch_size = batch_size

    def autocast(self):
        return torch.autocast("cpu", dtype=self.dtype, enabled=self.dtype is not None)

    def fit(self, windows, epochs=8, lr=0.003):
        optimizer = torch.optim.Adam(self.model.parameters(), lr=lr)
        past, future = torch.from_numpy(windows.past), torch.from_numpy(windows.future)
        for epoch in range(epochs):
            losses = []
            for rows in torch.randperm(len(past)).split(self.batch_size):
                with self.autocast():
                    loss = l1_loss(self.model(past[rows]), future[rows])
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
                losses.append(loss.item())
            print(f"epoch {epoch}: mean absolute error {np.mean(losses):.3f}")
        return self

    @torch.no_grad()
    def predict(self, past):
        """Forecasts as an array of windows x hours x substations."""
        self.model.eval()
        forecasts = []
        for batch in torch.from_numpy(past).split(self.batch_size):
            with self.autocast():
                forecasts.append(self.model(batch))
        return torch.vstack(forecasts).numpy()


def main(precision="bf16-mixed"):
    torch.manual_seed(1)
    windows = Windows(simulate())
    forecaster = Forecaster(precision).fit(windows)
    megawatts = windows.in_megawatts(forecaster.predict(windows.past[-4:]))
    print("next hours of substation 0:", megawatts[-1, :, 0].round(1))
    return megawatts


if __name__ == "__main__":
    main()
