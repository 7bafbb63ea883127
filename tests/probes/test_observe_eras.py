"""The probe in stacks of other times: it sees the training, nothing in it fails, and the weights are the same to the bit."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import bugloss.probes
from bugloss.observe.recording import Recording, read
from bugloss.run.environment import Environment

PROBE = Path(bugloss.probes.__file__).parent / "observe"

KERAS = """
import hashlib
import numpy as np
import tensorflow as tf
from keras.layers import Dense, Dropout
from keras.models import Sequential

np.random.seed(1)
if hasattr(tf, "Session"):  # threads add in an order of their own
    from keras import backend
    tf.set_random_seed(1)
    one = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    backend.set_session(tf.Session(config=one))
else:
    tf.keras.utils.set_random_seed(1)
x = np.random.rand(64, 6)
y = (x[:, 0] > 0.5).astype("float32")
model = Sequential()
model.add(Dense(8, input_dim=6, activation="relu"))
model.add(Dropout(0.2))
model.add(Dense(1, activation="sigmoid"))
model.compile(loss="binary_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(x, y, batch_size=16, EPOCHS=3, verbose=0)
print(hashlib.sha1(b"".join(part.tobytes() for part in model.get_weights())).hexdigest())
"""

TORCH = """
import hashlib
import torch
from torch import nn
from torch.autograd import Variable

torch.manual_seed(1)
model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Dropout(0.2), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(12):
    loss = nn.MSELoss(size_average=True)(model(Variable(torch.rand(16, 6))), Variable(torch.rand(16, 1)))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(hashlib.sha1(b"".join(part.detach().numpy().tobytes() for part in model.parameters())).hexdigest())
"""

PROGRAMS = {
    "keras1": KERAS.replace("EPOCHS", "nb_epoch"),
    "tf1-early": KERAS.replace("EPOCHS", "epochs"),
    "tf2-keras2": KERAS.replace("EPOCHS", "epochs"),
    "torch1": TORCH,
}


def run(environment: Environment, folder: Path, text: str, *before: str) -> str:
    (folder / "program.py").write_text(text)
    variables = {"PATH": "/usr/bin:/bin", "TF_CPP_MIN_LOG_LEVEL": "2", "OMP_NUM_THREADS": "1", **environment.variables}
    variables |= {"TF_NUM_INTRAOP_THREADS": "1", "TF_NUM_INTEROP_THREADS": "1", "HOME": str(folder)}
    command = [environment.python, *before, "program.py"]
    done = subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.stack
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_training_is_observed_and_stays_what_it_is(
    stack: Callable[[str], Environment], tmp_path: Path, name: str
) -> None:
    environment = stack(name)
    plain = run(environment, tmp_path, PROGRAMS[name])
    events = tmp_path / "events.jsonl"
    settings = json.dumps({"events": str(events), "budget": 1.0, "properties": True})
    assert run(environment, tmp_path, PROGRAMS[name], str(PROBE), settings) == plain
    with events.open() as lines:
        recording: Recording = read(lines)
    assert recording.failures == ()
    assert len(recording.steps) == 12
    assert len(recording.loss_values) == 12
    assert len(recording.models[0].layers) == (3 if name != "torch1" else 4)
