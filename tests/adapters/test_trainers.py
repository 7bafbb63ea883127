"""The callbacks for Lightning and Hugging Face's Trainer: with stand-ins everywhere, with the packages where they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Told = Callable[..., list[dict[str, Any]]]

DATA = """
import hashlib, torch, warnings
from torch import nn
import torch.nn.functional as F
warnings.filterwarnings("ignore")
D = torch.utils.data

def digest(model):
    return hashlib.sha1(b"".join(v.numpy().tobytes() for v in model.state_dict().values())).hexdigest()
"""

LIGHTNING = """
import logging
import lightning as L
from bugloss.adapters.lightning import BuglossCallback
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
logging.getLogger("lightning.fabric").setLevel(logging.ERROR)

class Net(L.LightningModule):
    def __init__(self, fails):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))
        self.fails = fails

    def training_step(self, batch, index):
        if self.fails and self.current_epoch == 1:
            raise ValueError("mine")
        return self.loss(batch)

    def loss(self, batch):
        return F.cross_entropy(self.body(batch[0]), batch[1])

    def validation_step(self, batch, index):
        self.log("val_loss", self.loss(batch))

    def test_step(self, batch, index):
        self.log("test_loss", self.loss(batch))

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.01)

def train(callbacks, fails=False, parts=1):
    torch.manual_seed(0)
    x = torch.randn(160, 8)
    y = (x[:, 0] + x[:, 1] > 0).long()
    model = Net(fails)
    loaders = [D.DataLoader(D.TensorDataset(x[:128], y[:128]), 16, shuffle=True), D.DataLoader(D.TensorDataset(x[128:], y[128:]), 16)]
    trainer = L.Trainer(max_epochs=3, accelerator="cpu", logger=False, enable_checkpointing=False,
        enable_progress_bar=False, enable_model_summary=False, callbacks=callbacks, accumulate_grad_batches=parts)
    trainer.fit(model, *loaders)
    trainer.test(model, loaders[1], verbose=False)
    return digest(model)
"""

HUGGING_FACE = """
from transformers import Trainer, TrainingArguments
from bugloss.adapters.huggingface import BuglossCallback

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 2))

    def forward(self, inputs=None, labels=None):
        logits = self.body(inputs)
        return {"loss": F.cross_entropy(logits, labels), "logits": logits}

class Rows(D.Dataset):
    def __init__(self, x, fails=False):
        self.x, self.y, self.fails, self.asked = x, (x[:, 0] + x[:, 1] > 0).long(), fails, 0

    def __len__(self):
        return len(self.x)

    def __getitem__(self, place):
        self.asked += 1
        if self.fails and self.asked > 170:
            raise ValueError("mine")
        return {"inputs": self.x[place], "labels": self.y[place]}

def train(callbacks, fails=False, parts=1):
    torch.manual_seed(0)
    x = torch.randn(160, 8)
    model = Net()
    settings = TrainingArguments(output_dir="out", num_train_epochs=3, per_device_train_batch_size=16, learning_rate=0.01,
        report_to=[], save_strategy="no", eval_strategy="epoch", use_cpu=True, disable_tqdm=True, logging_strategy="no",
        gradient_accumulation_steps=parts)
    trainer = Trainer(model=model, args=settings, train_dataset=Rows(x[:128], fails), eval_dataset=Rows(x[128:]),
        callbacks=callbacks)
    trainer.train()
    trainer.evaluate()
    return digest(model)
"""

TRIALS = """
before = nn.Module.__call__
plain = train([])
callback = BuglossCallback(budget=5)
print(json.dumps({"same": train([callback]) == plain, "off": nn.Module.__call__ is before}))
tell(callback.watch.folder)
again = train([callback])
tell(callback.watch.folder)
callback = BuglossCallback(budget=5)
print(json.dumps({"same": train([callback], parts=2) == train([], parts=2), "off": nn.Module.__call__ is before}))
tell(callback.watch.folder)
callback = BuglossCallback(budget=5)
try:
    train([callback], fails=True)
except ValueError as error:
    print(json.dumps({"same": str(error) == "mine", "off": nn.Module.__call__ is before}))
tell(callback.watch.folder)
from bugloss.probes.observe import core
callback = BuglossCallback(budget=5)
callback.watch._start = lambda framework: 1 / 0
print(json.dumps({"same": train([callback]) == plain, "off": nn.Module.__call__ is before}))
"""


def check(lines: list[dict[str, Any]]) -> None:
    first, once, twice, second, parts, third, crashed, fourth = lines
    assert all(line == {"same": True, "off": True} for line in (first, second, third, fourth))
    assert once["outcome"] == twice["outcome"] == parts["outcome"] == "finished" and once["id"] != twice["id"]
    for told, steps, backwards in ((once, 24, 1), (twice, 24, 1), (parts, 12, 2)):
        assert (told["steps"], told["epochs"], told["backwards"]) == (steps, 3, [backwards])
        assert told["models"] == ["Net"] and len(told["optimizers"]) == 1 and told["sampled"]
        assert len(told["evaluated"]) == 3 and not told["failures"] and told["crash"] is None
        assert 0.5 < told["losses"][0] < 0.9 and told["losses"][-1] < told["losses"][0]
    assert (crashed["outcome"], crashed["crash"]) == ("raised", "mine") and crashed["steps"] >= 8


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("program", [LIGHTNING, HUGGING_FACE], ids=["lightning", "transformers"])
def test_a_trainer_s_callback_watches_its_training(told: Told, program: str) -> None:
    check(told("torch", DATA + program + TRIALS, stand_ins=True))


@pytest.mark.slow
@pytest.mark.parametrize("program", [LIGHTNING, HUGGING_FACE], ids=["lightning", "transformers"])
def test_the_same_with_the_real_package(told: Told, real: str, program: str) -> None:
    check(told("", DATA + program + TRIALS, real))
