"""The observing probe with Keras of every era: it changes nothing, and what it writes is true."""

from __future__ import annotations

import os
import subprocess
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from bugloss.observe.recording import Recording, read
from bugloss.run.environment import Environment

PROBE = Path(str(files("bugloss.probes") / "observe"))
STACKS = ("keras3", "tf2", "keras2-tf1")

# Old graphs run deterministically only on one thread.
HEADER = """
import hashlib, random
import numpy as np
import tensorflow as tf
IMPORT
layers, models = keras.layers, keras.models
random.seed(3)
np.random.seed(3)
if hasattr(tf, "Session"):
    tf.set_random_seed(3)
    one = tf.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    keras.backend.set_session(tf.Session(config=one))
else:
    keras.utils.set_random_seed(3)
rng = np.random.RandomState(0)
"""

IMPORTS = {"keras3": "import keras", "tf2": "from tensorflow import keras", "keras2-tf1": "import keras"}

HEALTHY = """
def digest(model):
    return hashlib.sha1(b"".join(weight.tobytes() for weight in model.get_weights())).hexdigest()

x = rng.normal(size=(150, 12)).astype("float32")
y = (x[:, 0] > 0).astype("float32")
mlp = models.Sequential([
    layers.Dense(16, activation="relu", input_shape=(12,)),
    layers.Dropout(0.4),
    layers.Dense(1, activation="sigmoid"),
])
mlp.compile(optimizer=keras.optimizers.Adam(0.005), loss="binary_crossentropy", metrics=["accuracy"])
history = mlp.fit(x, y, batch_size=16, epochs=2, validation_data=(x[:40], y[:40]), verbose=0).history
print(digest(mlp), history["loss"], history["val_loss"])
print(mlp.evaluate(x, y, verbose=0), mlp.predict(x, verbose=0).sum())

images = rng.normal(size=(96, 8, 8, 1)).astype("float32")
labels = np.eye(3)[rng.randint(3, size=96)]
entry = layers.Input((8, 8, 1))
inner = layers.Conv2D(6, 3, activation="relu")(entry)
inner = layers.Flatten()(layers.BatchNormalization()(inner))
cnn = models.Model(entry, layers.Dense(3, activation="softmax")(inner))
cnn.compile(optimizer="rmsprop", loss="categorical_crossentropy", metrics=["accuracy"])
print(cnn.fit(images, labels, epochs=2, validation_split=0.25, verbose=0).history["loss"], digest(cnn))

words = rng.randint(1, 30, size=(64, 5))
lstm = models.Sequential([layers.Embedding(30, 6), layers.LSTM(4, dropout=0.2), layers.Dense(2, activation="softmax")])
lstm.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
print(lstm.fit(words, words[:, 0] % 2, epochs=1, verbose=0).history["loss"], digest(lstm))
print(layers.Dense(1).name, np.random.rand(), random.random())
"""

FAULTY = """
log = keras.ops.log if hasattr(keras, "ops") else keras.backend.log
x = rng.normal(size=(96, 8)).astype("float32")

frozen = models.Sequential([layers.Dense(4, input_shape=(8,)), layers.Dense(1)])
frozen.compile(optimizer="sgd", loss="mse")
frozen.layers[0].trainable = False
stop = keras.callbacks.EarlyStopping(monitor="loss", patience=5, mode="max")

def batches():
    while True:
        yield x[:32] * 255, x[:32, :1]

getattr(frozen, "fit_generator", frozen.fit)(batches(), steps_per_epoch=3, epochs=2, callbacks=[stop], verbose=0)

for _ in range(3):
    frozen.train_on_batch(x[:16], x[:16, :1])

entry = layers.Input((8,))
broken = models.Model(entry, layers.Dense(1)(layers.Lambda(log)(layers.Dense(8, activation="relu")(entry))))
broken.compile(optimizer="adam", loss="mse")
broken.fit(x, x[:, :1], epochs=1, verbose=0, class_weight=None, sample_weight=np.zeros(96))
LOOP
broken.fit(x[:, :5], x[:, :1], epochs=1, verbose=0)
"""

TAPE = """
model = models.Sequential([layers.Dense(5, activation="relu", input_shape=(8,)), layers.Dense(2)])
optimizer = keras.optimizers.SGD(0.05)
entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
target = (x[:, 0] > 0).astype("int64")
for part in range(3):
    with tf.GradientTape() as tape:
        loss = entropy(target[:32], model(x[:32], training=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
"""

SESSION = """
given, wanted = tf.placeholder(tf.float32, [None, 8]), tf.placeholder(tf.float32, [None, 2])
with tf.variable_scope("answer"):
    weights = tf.get_variable("kernel", [8, 2])
loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=wanted, logits=tf.matmul(given, weights)))
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)
with tf.Session() as session:
    session.run(tf.global_variables_initializer())
    for part in range(3):
        session.run([train, loss], {given: x[:32], wanted: np.eye(2)[(x[:32, 0] > 0).astype(int)]})
"""


@dataclass(frozen=True, slots=True)
class Ran:
    """A program that ran, plain or observed."""

    code: int
    out: str
    errors: str
    recording: Recording


@pytest.fixture
def runs(tmp_path: Path, stack: Callable[[str], Environment]) -> Callable[..., Ran]:
    """Runs a program in a real environment, observed or not."""

    def run(name: str, program: str, *, observed: bool) -> Ran:
        script, events = tmp_path / "train.py", tmp_path / "events.jsonl"
        script.write_text(textwrap.dedent(HEADER).replace("IMPORT", IMPORTS[name]) + textwrap.dedent(program))
        python = stack(name).python
        settings = f'{{"events": "{events}", "budget": 5}}'
        command = [python, str(PROBE), settings] if observed else [python]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore"}
        done = subprocess.run(
            [*command, str(script)],
            capture_output=True,
            text=True,
            timeout=300,
            env=environment,
            cwd=tmp_path,
            check=False,
        )
        lines = events.read_text().splitlines() if events.exists() else []
        return Ran(done.returncode, done.stdout, done.stderr, read(lines))

    return run


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", STACKS)
def test_training_is_bit_identical_and_told_truly(runs: Callable[..., Ran], name: str) -> None:
    plain, seen = runs(name, HEALTHY, observed=False), runs(name, HEALTHY, observed=True)
    assert (plain.code, seen.code) == (0, 0), seen.errors
    assert seen.out == plain.out
    recording = seen.recording
    assert recording.unread == 0
    assert not recording.failures
    assert not recording.nonfinite
    assert recording.started is not None and recording.started.framework == "keras"
    assert recording.started.backend == "tensorflow" and recording.started.version and recording.started.backend_version
    _check_models(recording)
    _check_samples(recording)
    _check_steps(recording, plain.out)
    _check_data(recording)


def _check_models(recording: Recording) -> None:
    last = {model.model: model for model in recording.models}
    assert [(model.output_activation, model.parameters) for model in last.values()] == [
        ("sigmoid", 225), ("softmax", 735), ("softmax", 366),
    ]  # fmt: skip
    first = last["model-0"].layers[0]
    assert (first.kind, first.settings["units"], first.settings["activation"]) == ("Dense", 16, "relu")
    assert first.site is not None and "layers.Dense(16" in first.site.text
    assert [layer.settings.get("rate") for layer in last["model-0"].layers] == [None, 0.4, None]
    assert all(layer.used for model in last.values() for layer in model.layers)
    assert [loss.kind for loss in recording.losses] == ["binary-cross-entropy", "cross-entropy", "cross-entropy"]
    assert recording.losses[1].output_shape[1:] == recording.losses[1].target_shape[1:] == (3,)
    assert [(optimizer.kind, optimizer.settings["learning_rate"]) for optimizer in recording.optimizers] == [
        ("Adam", 0.005), ("RMSprop", 0.001), ("Adam", 0.001),
    ]  # fmt: skip
    site = recording.optimizers[0].site
    assert site is not None and "Adam(0.005)" in site.text


def _check_samples(recording: Recording) -> None:
    first = recording.samples[0]
    assert (first.step, first.model) == (0, "model-0")
    dense, dropout, head = first.layers.values()
    assert dense.gradient_rms and dense.changed and dense.symmetric is False and dense.bias_maximum == 0
    assert dense.update_ratio is not None and 0.001 < dense.update_ratio < 0.1
    assert dense.dead_share is not None and dense.zero_share is not None and 0.2 < dense.zero_share < 0.8
    assert dropout.weight_rms is None and dropout.output_std
    assert head.saturated_share is not None and head.output_maximum is not None and 0 < head.output_maximum < 1
    models = {sample.model for sample in recording.samples}
    assert models == {"model-0", "model-1", "model-2"}
    norm = next(numbers for sample in recording.samples for name, numbers in sample.layers.items() if "norm" in name)
    assert norm.running_variance == (1.0, 1.0) and norm.running_mean_gap is not None
    rows = next(numbers for sample in recording.samples for name, numbers in sample.layers.items() if "embed" in name)
    assert rows.gradient_rms and rows.changed


def _check_steps(recording: Recording, out: str) -> None:
    steps = [step for step in recording.steps if step.optimizer == "optimizer-0"]
    assert [step.step for step in steps] == list(range(20))
    assert [step.batch for step in steps[8:11]] == [16, 6, 16]
    assert {step.learning_rate for step in steps} == {0.005}
    assert all(step.accuracy is not None and -1e-5 <= step.accuracy <= 1 + 1e-5 for step in steps)
    epoch = recording.epochs[0]
    # The losses of single batches, recovered from running means, must add up to the epoch's.
    mean = sum((step.loss or 0) * (step.batch or 0) for step in steps[:10]) / 150
    assert epoch.loss == pytest.approx(mean, rel=1e-4) and epoch.step == 9
    assert f"{epoch.loss:.5f}"[:6] in out and f"{epoch.validation_loss:.5f}"[:6] in out
    assert len(recording.steps) == 20 + 6 + 2
    evaluation, prediction = recording.evaluations
    assert evaluation.samples == 150 and evaluation.loss is not None and evaluation.accuracy is not None
    assert sum(prediction.predicted.values()) == 150 and prediction.output_spread


def _check_data(recording: Recording) -> None:
    train, validation, images, held_out, words = recording.data
    assert (train.samples, train.batch_size, train.shuffled) == (150, 16, True)
    assert train.targets is not None and train.targets.encoding == "binary"
    assert sum(train.targets.counts.values()) == 150
    assert validation.overlap == 1.0 and held_out.overlap == 0.0
    assert (images.samples, held_out.samples) == (72, 24)
    assert images.targets is not None and (images.targets.encoding, images.targets.classes) == ("one-hot", 3)
    assert words.features is not None and words.features.integer_grid
    assert recording.batches[0].output_spread and recording.batches[0].outputs is not None


@pytest.mark.stack
@pytest.mark.slow
@pytest.mark.parametrize("name", STACKS)
def test_faults_and_other_ways_to_train_are_seen(runs: Callable[..., Ran], name: str) -> None:
    seen = runs(name, FAULTY.replace("LOOP", SESSION if name == "keras2-tf1" else TAPE), observed=True)
    recording = seen.recording
    assert seen.code == 1 and recording.crash is not None
    assert "observe" not in seen.errors
    occasions = {occasion.kind: occasion.facts for occasion in recording.occasions}
    assert len(occasions["set-trainable"]["frozen"]) == 1
    assert occasions["set-trainable"]["effective"] is (name == "keras3")
    stop = occasions["early-stop"]
    # Old callbacks keep the comparison, not the word for it; new ones make the comparison later.
    assert stop.get("mode", "max") == "max" and stop.get("better", "greater") == "greater" and stop["epochs"] == 2
    streamed = [batch for batch in recording.batches if batch.inputs and batch.inputs[0].maximum > 100]
    assert streamed and streamed[0].size == 32
    weights = [data.weights for data in recording.data if data.weights is not None]
    assert weights and weights[0].maximum == 0
    bad = recording.nonfinite[-1]  # unscaled batches have spoilt the other model before
    assert bad.direction == "forward" and "lambda" in bad.layer and bad.inputs[0].nonfinite == 0
    assert bad.site is not None and "Lambda(log)" in bad.site.text
    looped = [step for step in recording.steps if step.optimizer == recording.optimizers[-1].optimizer]
    assert len(looped) == 3 and all(step.loss for step in looped)
    assert recording.optimizers[-1].settings["learning_rate"] == 0.05
    assert recording.losses[-1].kind == "cross-entropy" and recording.losses[-1].from_logits is True
    assert recording.losses[-1].output_shape == (32, 2)
    kernel = next(iter(recording.samples[-1].layers.values()))
    assert kernel.changed and kernel.gradient_rms and kernel.update_ratio


def test_values_of_single_batches_come_back_from_running_means(probe: Callable[[str], Any]) -> None:
    means, values, sizes = probe("keras.fit").Means(), [3.0, 1.0, 4.0, 1.5], [32, 32, 32, 7]
    total = count = 0.0
    for value, size in zip(values, sizes, strict=True):
        total, count = total + value * size, count + size
        assert means.single("loss", total / count, size) == pytest.approx(value)
    means.reset()
    assert means.single("loss", 2.0, 32) == 2.0


@pytest.mark.parametrize(
    ("output", "target", "broadcast"),
    [
        ((32, 1), (32,), False), ((32, 1), (32, 1), False), ((32,), (32, 1), False), ((32, 4), (32, 1), True),
        ((32, 4), (32, 4), False), ((32, 4), (32,), True), ((32, 7, 1), (32, 7), False),
    ],
)  # fmt: skip
def test_shapes_that_keras_stretches(
    probe: Callable[[str], Any], output: tuple[int, ...], target: tuple[int, ...], broadcast: bool
) -> None:
    assert probe("keras.compiled").stretched(output, target) is broadcast


@pytest.mark.parametrize(
    ("loss", "kind"),
    [
        ("mse", "mse"), ("mean_squared_error", "mse"), ("sparse_categorical_crossentropy", "cross-entropy"),
        ("binary_crossentropy", "binary-cross-entropy"), ("kullback_leibler_divergence", "kl-divergence"),
        ("mean_absolute_error", "mae"), ("mean_squared_logarithmic_error", "msle"), ("huber", "huber"),
        ("categorical_hinge", "hinge"), ("logcosh", "log-cosh"), ("something_else", "custom"), (lambda a, b: a, "custom"),
    ],
)  # fmt: skip
def test_losses_have_one_name_in_every_era(probe: Callable[[str], Any], loss: object, kind: str) -> None:
    assert probe("keras.models").loss_facts(loss)["kind"] == kind


def test_arguments_are_found_and_replaced_however_they_are_passed(probe: Callable[[str], Any]) -> None:
    call = probe("keras.calls").CallArguments(["x", "y", "callbacks"], (1, 2), {"epochs": 5})
    assert (call.get("x"), call.get("y"), call.get("epochs"), call.get("callbacks")) == (1, 2, 5, None)
    call.set("x", 7)
    call.set("callbacks", [8])
    assert call.arguments == [7, 2] and call.named == {"epochs": 5, "callbacks": [8]}
