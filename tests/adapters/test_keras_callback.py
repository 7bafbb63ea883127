"""``model.fit(…, callbacks=[BuglossCallback()])``, made among the arguments or on a line of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

PROGRAM = """
import hashlib
import numpy as np
import keras
from keras import layers
from bugloss.adapters.keras import BuglossCallback

x = np.random.RandomState(0).normal(size=(128, 8)).astype("float32")
y = (x[:, 0] + x[:, 1] > 0).astype("int32")
kept = []

class Fails(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        if epoch == 1:
            raise ValueError("mine")

def train(make=lambda: [], ready=()):
    keras.utils.set_random_seed(0)
    model = keras.Sequential([layers.Input((8,)), layers.Dense(16, activation="relu"), layers.Dense(2)])
    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer=keras.optimizers.Adam(0.02), loss=loss, metrics=["accuracy"])
    model.fit(x, y, epochs=3, batch_size=16, validation_split=0.25, verbose=0, callbacks=make() or list(ready))
    return hashlib.sha1(b"".join(weight.tobytes() for weight in model.get_weights())).hexdigest()

def made():
    kept.append(BuglossCallback(budget=5))
    return [kept[-1]]

before = keras.Model.fit
plain = train()
print(json.dumps({"same": train(made) == plain, "off": keras.Model.fit is before}))
tell(kept[-1].watch.folder)
callback = BuglossCallback(budget=5)
same = train(ready=[callback]) == plain
callback.watch.stop()
print(json.dumps({"same": same, "off": keras.Model.fit is before}))
tell(callback.watch.folder)
try:
    train(lambda: made() + [Fails()])
except ValueError as error:
    kept[-1].watch.stop(error)
    tell(kept[-1].watch.folder)
"""


@pytest.mark.stack
@pytest.mark.slow
def test_a_fit_is_watched(told: Callable[..., list[dict[str, Any]]]) -> None:
    first, among, second, before, crashed = told("keras3", PROGRAM)
    assert first == second == {"same": True, "off": True}
    for run in (among, before):
        assert (run["outcome"], run["steps"], run["epochs"]) == ("finished", 18, 3)
        assert len(run["evaluated"]) == 3 and not run["failures"]
    # One that is made among the arguments of fit never sees the data, so it cannot compute gradients.
    assert before["sampled"] and not among["sampled"]
    assert (crashed["outcome"], crashed["crash"]) == ("raised", "mine") and crashed["steps"] == 12
