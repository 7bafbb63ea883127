from pathlib import Path

import torch


class Checkpoints:
    """The newest weights of a model; older ones are deleted."""

    def __init__(self, folder, keep):
        self.folder, self.keep = Path(folder), keep

    def save(self, step, model):
        torch.save(model.state_dict(), self.folder / f"vowels-{step:05d}.pt")
        for old in self._files()[: -self.keep]:
            old.unlink()

    def newest(self):
        return self._files()[-1]

    def _files(self):
        return sorted(self.folder.glob("vowels-*.pt"))
