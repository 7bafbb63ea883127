"""Programs that crash in real stacks: the cause, the line to change, and an edit after which they run to their end."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from bugloss.core.cause import Cause
from bugloss.core.codec import decode
from bugloss.observe.crash import explain
from bugloss.observe.crash.known import Known
from bugloss.observe.recording import Crash
from bugloss.run.environment import Environment
from bugloss.workflows.crash_causes import parameters_of

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
PROBES = HERE.parents[2] / "src" / "bugloss" / "probes"
FRAMEWORKS = {
    "torch": ("torch", "torch"),
    "torch1": ("torch1", "torch"),
    "keras3": ("keras3", "keras"),
    "tf2": ("tf2-keras2", "tensorflow"),
    "tf1": ("keras2-tf1", "tensorflow"),
}
# By program: the cause, and the line to change as it reads; None where no edit can be known.
EXPECTED: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "torch": {
        "block_without_return": ("missing-value", "x = x + torch.relu(self.layer(x))"),
        "double_signals": ("dtypes-differ", "signals = np.random.rand(6, 2, 50)"),
        "flat_answers": ("target-output-mismatch", "loss = criterion(net(x), y)"),
        "joined_features": ("concatenation-mismatch", "both = torch.cat([self.text(text), self.image(image)])"),
        "left_behind": ("devices-differ", "x = torch.rand(4, 5)"),
        "list_of_outputs": ("loss-without-gradient", "loss = nn.functional.mse_loss(torch.tensor(guess), y)"),
        "mean_value": ("single-sample-batch", "with torch.no_grad():"),
        "misspelt_key": ("missing-key", 'settings = {"hidden": 12, "inputs": 4, "outputs": 3, "dropout": 0.1}'),
        "third_value": ("unpacking", "for x, y in loader:"),
        "two_rows_ahead": ("index-out-of-range", "return len(self.values)"),
        "batch_of_names": ("wrong-keyword", "print(nn.functional.cross_entropy(net(**batch), label).item())"),
        "collate_without_return": ("missing-value", "labels = torch.tensor([label for _, label in samples])"),
        "compared_tensors": ("ambiguous-truth", "if predicted == labels:"),
        "double_table": ("dtypes-differ", "return self.layer(x @ self.turn)"),
        "enumerated_loader": ("array-for-tensor", "for inputs, labels in enumerate(loader):"),
        "extra_dimension": ("axis-out-of-range", "predicted = logits.argmax(dim=2)"),
        "leaf_update": ("in-place-change", "weights -= rate * weights.grad"),
        "list_for_tensor": ("array-for-tensor", "scores = net(rows)"),
        "loader_in_file": ("index-out-of-range", "return len(self.table)"),
        "mask_of_batch": (
            "batch-axis",
            "encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(WIDTH, nhead=2), num_layers=1)",
        ),
        "missing_label": ("uncollatable-sample", 'return {"text": torch.rand(4), "stars": stars}'),
        "net_in_file": ("layer-size-mismatch", 'settings = {"features": 24, "width": 32, "lr": 0.01}'),
        "object_column": ("objects-in-array", "return torch.from_numpy(self.values[index]), self.prices[index]"),
        "padding_id": ("token-out-of-range", "model = Reader(len(ids))"),
        "parallel_checkpoint": (
            "checkpoint-mismatch",
            'torch.save({"epoch": epoch, "model": model.state_dict()}, path)',
        ),
        "plotted_outputs": ("array-of-tracked-tensor", "return np.abs(outputs.numpy() - targets.numpy()).mean()"),
        "rate_of_settings": ("text-for-number", 'return torch.optim.Adam(net.parameters(), lr=settings["rate"])'),
        "scores_of_pairs": ("matrix-size-mismatch", "scores = torch.bmm(query, key) / math.sqrt(x.shape[-1])"),
        "signed_labels": ("label-out-of-range", "x, y = torch.from_numpy(points), torch.from_numpy(sides)"),
        "single_prediction": ("single-sample-batch", "with torch.no_grad():"),
        "spent_iterator": ("iterator-exhausted", "batches = iter(loader)"),
        "stacked_losses": ("numbers-for-tensors", "total = torch.stack(losses).mean()"),
        "text_column": ("text-in-numbers", "inputs = torch.tensor(inputs)"),
        "two_devices": ("devices-differ", "self.codes = torch.rand(length, width)"),
        "two_losses": ("graph-freed", "colour_loss.backward()"),
        "unequal_stack": ("ragged-batch", "return torch.stack(series), labels"),
        "wrong_word_conv": (
            "wrong-keyword",
            "return nn.Sequential(nn.Conv2d(channels, 2 * channels, kernel=size, padding=1), nn.ReLU())",
        ),
        "array_into_layer": ("array-for-tensor", "print(net(table).shape)"),
        "carried_pair": ("graph-freed", "out, (h, c) = rnn(torch.rand(2, 5, 3), (h, c))"),
        "one_loader_without_collate": ("ragged-batch", "valid = DataLoader(Clips(), batch_size=3)"),
        "carried_state": ("graph-freed", "out, hidden = rnn(torch.rand(2, 5, 3), hidden)"),
        "channels_last": ("channel-mismatch", "batch = torch.from_numpy(photos)"),
        "class_count": ("label-out-of-range", "grades = torch.arange(1, 6).repeat(4)"),
        "column_target": ("target-encoding", "answers = (features.sum(1, keepdim=True) > 1.5).long()"),
        "conv_channels": ("channel-mismatch", "self.second = nn.Conv2d(16, 24, 3, padding=1)"),
        "cut_chain": ("loss-without-gradient", "errors = torch.abs(outputs.detach() - 1)"),
        "double_inputs": ("dtypes-differ", "return torch.from_numpy(table), torch.zeros(rows, 1)"),
        "flat_features": ("layer-size-mismatch", "self.head = nn.Linear(32 * 7 * 7, classes)"),
        "float_ids": ("index-dtype", "ids = torch.tensor([1.0, 2.0, 0.0])"),
        "float_labels": ("target-dtype", 'self.species = random.integers(0, 3, count).astype("float32")'),
        "forgotten_super": ("missing-super-init", "self.layer = nn.Linear(width, 2)"),
        "forward_misspelt": ("missing-forward", "def foward(self, x):"),
        "heads": ("attention-size-mismatch", "attention = nn.MultiheadAttention(WIDTH, num_heads=4, batch_first=True)"),
        "in_place": ("in-place-change", "hidden += shift"),
        "in_place_activation": ("in-place-change", "self.activation = nn.ReLU(inplace=True)"),
        "indexed_write": ("in-place-change", "scores[:, 0] = 0"),
        "integer_answers": ("loss-dtype", "inside = (points.norm(dim=1) < 0.7).long()"),
        "last_batch": ("single-sample-batch", "loader = DataLoader(data, batch_size=4, shuffle=True)"),
        "list_of_layers": ("optimizer-without-parameters", "self.layers = [nn.Linear(4, 4) for _ in range(depth)]"),
        "loss_per_sample": ("loss-not-scalar", "loss.backward()"),
        "lstm_tuple": ("several-outputs", "states = self.lstm(x)"),
        "misspelt_attribute": ("missing-attribute", "return self.output(torch.relu(self.hiden(x)))"),
        "misspelt_name": ("unknown-name", "optimzer.zero_grad()"),
        "no_flatten_torch": ("layer-size-mismatch", "return self.fc(x)"),
        "no_return": ("missing-value", "out = torch.relu(self.layer(x))"),
        "norm_width": (
            "normalization-size-mismatch",
            "return nn.Sequential(nn.Conv2d(inputs, outputs, 3, padding=1), nn.BatchNorm2d(inputs), nn.ReLU())",
        ),
        "numpy_of_tracked": ("array-of-tracked-tensor", "history.append(out.numpy().mean())"),
        "odd_upsampling": ("concatenation-mismatch", "right = self.up(middle)"),
        "on_card": ("accelerator-missing", 'device = torch.device("cuda")'),
        "parameters_uncalled": ("optimizer-without-parameters", "optimizer = torch.optim.SGD(net.parameters, lr=0.1)"),
        "passed_width": ("layer-size-mismatch", "self.head = Head(40, 5)"),
        "ragged_samples": ("ragged-batch", "for batch in DataLoader(Sentences(), batch_size=2):"),
        "rnn_input": ("layer-size-mismatch", "self.rnn = nn.LSTM(hidden, hidden, batch_first=True)"),
        "saved_classes": ("checkpoint-mismatch", "model = Net(3)"),
        "scattered": ("view-of-scattered-memory", "print(rows.view(2, 12).shape)"),
        "second_backward": ("graph-freed", "loss = nn.functional.mse_loss(net(inputs), targets)"),
        "stacked_sizes": ("layer-size-mismatch", "nn.Linear(32, 3),"),
        "state_prefix": ("checkpoint-mismatch", "torch.save(self.wrapped.state_dict(), path)"),
        "transposed_upsampling": ("concatenation-mismatch", "wide = self.grow(deep)"),
        "unsorted_lengths": ("sequence-lengths", "packed = pack_padded_sequence(padded, lengths, batch_first=True)"),
        "vocabulary": ("token-out-of-range", "table = nn.Embedding(len(index), 6)"),
        "whole_checkpoint": ("checkpoint-mismatch", "fresh.load_state_dict(state)"),
        "whole_model": ("unsafe-checkpoint-refused", "model = torch.load(path)"),
        "without_self": ("argument-count", "def forward(x):"),
        "wrong_view": ("reshape-size-mismatch", "x = x.view(-1, 6 * 16 * 16)"),
        "wrong_word": ("wrong-keyword", "optimizer = torch.optim.Adam(net.parameters(), learning_rate=0.001)"),
        "no_gradient": ("loss-without-gradient", "predictions = scores.argmax(dim=1).float()"),
        "one_image": ("missing-axis", "print(convolve(image).shape)"),
        "own_check": ("own-check-failed", "SHARE = 80"),
    },
    "keras3": {
        "shape_of_all": ("input-shape-mismatch", "network = build(readings.shape)"),
        "constant_weight": ("constant-for-variable", "w = tf.constant([1.0, 2.0])"),
        "metric_name": (
            "unknown-identifier",
            'model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["acuracy"])',
        ),
        "plain_lists": ("lists-for-arrays", "model.fit(x, y, epochs=1, verbose=0)"),
        "single_row": ("input-shape-mismatch", "print(model.predict(np.random.rand(7), verbose=0))"),
        "function_on_symbol": ("tensorflow-function-on-keras-tensor", "mean = tf.reduce_mean(codes, axis=1)"),
        "joined_branches": (
            "concatenation-mismatch",
            "joined = layers.Concatenate(axis=1)([branch(inputs, 8, 3), branch(inputs, 4, 5)])",
        ),
        "layer_without_super": ("missing-super-init", "self.factor = factor"),
        "loss_after_tape": ("no-gradients", "loss = tf.reduce_mean(tf.square(outputs - y))"),
        "named_labels": ("text-in-numbers", 'names = np.array(["cat", "dog", "bird"] * 10)'),
        "ragged_tokens": ("ragged-rows", "x = np.array(tokens)"),
        "signature": (
            "generator-shape-mismatch",
            "output_signature=(tf.TensorSpec((FEATURES,), tf.float32), tf.TensorSpec((), tf.float32)),",
        ),
        "step_without_return": ("missing-value", "hidden = self.layer(x)"),
        "tape_used_twice": ("graph-freed", "with tf.GradientTape() as tape:"),
        "custom_build": (
            "matrix-size-mismatch",
            'self.kernel = self.add_weight(shape=(input_shape[1], self.units), name="kernel")',
        ),
        "functional_width": (
            "target-output-mismatch",
            'model.compile(optimizer="adam", loss=keras.losses.CategoricalCrossentropy())',
        ),
        "input_width": ("input-axis-mismatch", "COLUMNS = 9"),
        "keras_words": ("wrong-keyword", "layer = layers.Conv2D(8, 3, stride=2)"),
        "label_range": ("label-out-of-range", "labels = np.arange(30) % 3 + 1"),
        "loss_name": ("unknown-identifier", 'model.compile(optimizer="adam", loss="mean_square_error")'),
        "misspelt": (
            "unknown-identifier",
            'model = keras.Sequential([keras.Input((4,)), layers.Dense(8, activation="rellu"), layers.Dense(2)])',
        ),
        "mixed_types": ("dtypes-differ", "measures = tf.constant([[1, 2, 3], [4, 5, 6]])"),
        "no_flatten": ("target-output-mismatch", 'outputs = layers.Dense(1, activation="sigmoid")(x)'),
        "recurrent_rank": ("input-rank-mismatch", "layers.LSTM(16),"),
        "sample_counts": ("sample-count-mismatch", "model.fit(train, answers, verbose=0)"),
        "saved_name": ("saved-format", 'model.save(os.path.join(tempfile.mkdtemp(), "model.ckpt"))'),
        "small_images": ("window-larger-than-input", 'layers.Conv2D(8, 3, activation="relu"),'),
        "softmax_width": ("target-output-mismatch", 'layers.Dense(3, activation="softmax"),'),
        "sparse_or_not": (
            "target-output-mismatch",
            'model.compile(optimizer="rmsprop", loss="categorical_crossentropy", metrics=["accuracy"])',
        ),
        "token_table": (
            "token-out-of-range",
            (
                'model = keras.Sequential([keras.Input((3,), dtype="int32"), layers.Embedding(20, 4), layers.Flatten(), '
                "layers.Dense(1)])"
            ),
        ),
        "variable_in_function": ("variable-made-in-function", "factor = tf.Variable(2.0)"),
    },
    "tf1": {
        "digit_labels": (
            "target-output-mismatch",
            'model.compile(loss="categorical_crossentropy", optimizer="sgd", metrics=["accuracy"])',
        ),
        "no_initializer": ("uninitialised-variable", "session = tf.Session()"),
        "unused_initializer": ("uninitialised-variable", "tf.global_variables_initializer()"),
        "listed_steps": ("input-rank-mismatch", "_, state = tf.nn.dynamic_rnn(cell, moments, dtype=tf.float32)"),
        "double_matrix": ("dtypes-differ", "turned = tf.matmul(rows, matrix)"),
        "another_graph": ("graphs-mixed", "session = tf.Session()"),
        "channels_in_front": ("input-shape-mismatch", "images = np.random.rand(10, 3, 16, 16)"),
        "fed_images": ("input-shape-mismatch", "session.run(train, feed_dict={images: x, labels: y})"),
        "fed_tensor": ("feed-of-tensor", "print(session.run(mean, feed_dict={x: data}))"),
        "graph_of_files": (
            "target-encoding",
            "costs = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)",
        ),
        "local_variables": ("uninitialised-variable", "session.run(tf.global_variables_initializer())"),
        "old_concat": ("concatenation-mismatch", "both = tf.concat(1, [left, right])"),
        "overwritten_loss": ("feed-of-tensor", "_, loss = session.run([train, loss], feed_dict=feed)"),
        "shared_weights": ("variable-scope", 'with tf.variable_scope("embed"):'),
        "late_variables": ("uninitialised-variable", "init = tf.global_variables_initializer()"),
        "matrix_sizes": ("matrix-size-mismatch", "weights = tf.Variable(tf.zeros([20, 10]))"),
        "recurrent_words": ("input-rank-mismatch", "model.add(LSTM(8, input_shape=(5, 3)))"),
        "target_rank": ("target-output-mismatch", 'model.add(Dense(2, activation="softmax"))'),
        "wide_labels": (
            "target-output-mismatch",
            'model = Sequential([Dense(6, activation="relu", input_dim=4), Dense(2, activation="softmax")])',
        ),
        "unfed": ("unfed-placeholder", "print(session.run(output, feed_dict={inputs: np.ones((3, 2))}))"),
    },
    "torch1": {
        "pooled_features": ("layer-size-mismatch", "self.fc = nn.Linear(6 * 14 * 14, 10)"),
        "old_loss_value": ("index-out-of-range", "running += loss.data[0]"),
        "short_integers": ("target-dtype", 'self.y = random.randint(0, 3, count).astype("int32")'),
    },
    "tf2": {
        "session_for_value": ("removed-api", "with tf.Session() as session:"),
        "older_optimizer": (
            "choice-not-offered",
            'model.compile(optimizer=keras.optimizers.SGD(learning_rate=0.1, decay=1e-4), loss="mse")',
        ),
        "result_of_fit": ("result-of-fit-used-as-model", "return network.fit(x, y, verbose=0)"),
        "removed_method": ("removed-api", "classes = model.predict_classes(x)"),
        "tape_of_numbers": ("no-gradients", "loss = tf.reduce_mean(tf.square(model(x).numpy() - y))"),
        "written_item": ("tensor-item-assignment", "scores[at] = 1.0"),
    },
}
# What to write instead cannot be told from these programs.
WITHOUT_EDIT = {"missing_label", "no_gradient", "one_image", "own_check", "unfed"}


def attempts(environment: Environment, framework: str, paths: Sequence[Path]) -> dict[str, object]:
    """The crash reports of programs by their name, None where one came to its end."""
    variables = {**os.environ, **environment.variables, "OMP_NUM_THREADS": "1"}
    command = [environment.python, str(HERE / "run_programs.py"), str(PROBES), framework, *map(str, paths)]
    done = subprocess.run(command, capture_output=True, text=True, env=variables, check=True)
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    return {name_of(Path(path)): report for path, report in answers}


def programs_of(folder: Path) -> list[Path]:
    """Programs of one file, and of several: a folder with ``main.py``."""
    return sorted([*folder.glob("*.py"), *folder.glob("*/main.py")])


def name_of(program: Path) -> str:
    return program.parent.name if program.name == "main.py" else program.stem


def files_of(program: Path) -> dict[str, str]:
    """The text of every file of a program, by its name."""
    paths = program.parent.glob("*.py") if program.name == "main.py" else [program]
    return {path.name: path.read_text(encoding="utf-8") for path in paths}


def edited(program: Path, cause: Cause, folder: Path) -> Path:
    """A copy of a program with the edit of its cause made."""
    target = folder / name_of(program)
    target.mkdir()
    for name, text in files_of(program).items():
        changed = cause.edit.apply(name, text) if cause.edit is not None else text
        (target / name).write_text(changed, encoding="utf-8")
    return target / program.name


def explained(program: Path, report: object) -> Cause:
    read = files_of(program).get

    known = Known(signature=lambda name: parameters_of(name, {}))
    return explain(decode(Crash, report), read, known=known)[0]


def test_every_program_has_its_expectation() -> None:
    for folder, expected in EXPECTED.items():
        assert {name_of(path) for path in programs_of(PROGRAMS / folder)} == set(expected)


@pytest.mark.stack
@pytest.mark.parametrize("folder", list(EXPECTED))
def test_the_edit_of_a_crash_lets_the_program_run(
    stack: Callable[[str], Environment], folder: str, tmp_path: Path
) -> None:
    name, framework = FRAMEWORKS[folder]
    environment, programs = stack(name), programs_of(PROGRAMS / folder)
    reports = attempts(environment, framework, programs)
    causes = {program: explained(program, reports[name_of(program)]) for program in programs}
    assert {name_of(program): (cause.cause, line_of(program, cause)) for program, cause in causes.items()} == (
        EXPECTED[folder]
    )
    without = {name_of(program) for program, cause in causes.items() if cause.edit is None}
    assert without == WITHOUT_EDIT & set(EXPECTED[folder])
    assert all(len(cause.locations) <= 2 for cause in causes.values())
    copies = [edited(program, cause, tmp_path) for program, cause in causes.items() if cause.edit is not None]
    again = attempts(environment, framework, copies)
    assert {stem: report for stem, report in again.items() if report is not None} == {}


def line_of(program: Path, cause: Cause) -> str:
    """The line to change as it reads."""
    place = cause.locations[0]
    return files_of(program)[place.path].split("\n")[place.line - 1].strip()
