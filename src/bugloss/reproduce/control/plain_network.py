"""A control for symptoms: a plain network on the same made-up data, which must not show the symptom.

Without it a loss that does not fall could be the fault of the data or of too few steps. Five runs that show the symptom
against five of the control that do not differ with p = 0.004 (Fisher's exact test, one-sided).
"""

from __future__ import annotations

import math
import re

from bugloss.reproduce.data.writing import BLOCK
from bugloss.reproduce.stack.imports import Dialect

_EPOCHS = 12
_HELPERS = r"\w+_kinds\b|centres\w*\b|mixing\w*\b"  # what the block draws on the way; they are no inputs
MEMORY_LINE = 'print("memory in use", int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20)'


def control_program(text: str, spoken: Dialect, overfits: bool = False) -> str | None:
    """A program that trains a plain network on the made-up data of another; None where these are of no usual form.

    Where the complaint is overfitting, it is a linear one with a penalty: any larger one can overfit.
    """
    found = re.search(BLOCK, text)
    if found is None or "class " in found[0]:
        return None
    block = found[0]
    kinds = re.search(r"^(\w+)_kinds = (?:np\.sort\()?made_up\.integers\(0, (\d+), (\d+)\)", block, re.MULTILINE)
    inputs = re.search(
        rf"^(?!{_HELPERS})(\w+) = \(?(?:centres\w*\[|np\.clip|made_up\.(?:normal|integers)|\d[\d.e+]* \* \()",
        block,
        re.MULTILINE,
    )
    if inputs is None:
        return None
    plain = _without_containers(block)
    if kinds is not None:
        answers, outputs = f"{kinds[1]}_kinds", int(kinds[2])
    else:
        values = re.search(r"^(\w+) = (?:.*@ mixing|\(?\w+\[:, \d)", block, re.MULTILINE)
        if values is None:
            return None
        answers, outputs = values[1], 0
    tokens = "made_up.integers" in next(line for line in block.split("\n") if line.startswith(f"{inputs[1]} ="))
    tail = (
        _torch(inputs[1], answers, outputs, tokens, overfits, MEMORY_LINE in text)
        if spoken.is_torch
        else _keras(inputs[1], answers, outputs, tokens, spoken, overfits)
    )
    return f"import numpy as np\n{plain}\n{tail}"


def _without_containers(block: str) -> str:
    """The block's arrays alone, before they are put into tensors, loaders and functions."""
    kept = []
    for line in block.split("\n"):
        if re.match(r"\w+ = (?:torch\.|tf\.|itertools\.)|def |    return|\w+ = \w+\.tolist\(\)", line):
            continue
        kept.append(line)
    return "\n".join(kept)


def _scaled(inputs: str, tokens: bool) -> list[str]:
    """Inputs as a table of plain numbers with a common scale."""
    lines = [f"table = np.asarray({inputs}, dtype='float32').reshape(len({inputs}), -1)"]
    if tokens:
        lines = [
            f"ids = np.asarray({inputs}).reshape(len({inputs}), -1)",
            "table = np.stack([np.bincount(row, minlength=ids.max() + 1) for row in ids]).astype('float32')",
        ]
    lines.append("order = np.random.RandomState(7).permutation(len(table))")
    return [*lines, "table = table[order]", "table = (table - table.mean(axis=0)) / (table.std(axis=0) + 1e-6)"]


def _torch(inputs: str, answers: str, outputs: int, tokens: bool, linear: bool, memory: bool) -> str:
    numbered = outputs > 1
    network = "torch.nn.Sequential(first, torch.nn.ReLU(), torch.nn.Linear(64, outputs))"
    return "\n".join(
        [
            *_scaled(inputs, tokens),
            "import torch",
            "table = torch.from_numpy(table.astype('float32'))",
            f"answers = torch.from_numpy(np.asarray({answers})[order])"
            + (".long()" if numbered else ".float().reshape(len(table), -1)"),
            f"outputs = {outputs if numbered else 'answers.shape[1]'}",
            "first = torch.nn.Linear(table.shape[1], 64)",
            f"network = {'torch.nn.Linear(table.shape[1], outputs)' if linear else network}",
            f"criterion = torch.nn.{'CrossEntropyLoss' if numbered else 'MSELoss'}()",
            f"optimizer = torch.optim.Adam(network.parameters(), lr=0.01{', weight_decay=0.1' if linear else ''})",
            "held = len(table) * 3 // 4",
            f"for epoch in range({_EPOCHS}):",
            "    for rows in torch.randperm(held).split(32):",
            "        scores = network(table[rows])",
            "        loss = criterion(scores, answers[rows])",
            "        optimizer.zero_grad()",
            "        loss.backward()",
            "        optimizer.step()",
            "        print('observed_loss', loss.item())",
            *([f"        {MEMORY_LINE}"] if memory else []),
            "    print('val_loss', criterion(network(table[held:]), answers[held:]).item())",
            *_torch_figures(numbered),
        ]
    )


def _torch_figures(numbered: bool) -> list[str]:
    if not numbered:
        return ["print('spread of answers', float(network(table).std() / (answers.std() + 1e-9)))"]
    return [
        "counted = network(table).argmax(1)",
        "print('observed_accuracy', float((counted == answers).float().mean()))",
        "print('share of answers', float(counted.bincount().max()) / len(counted))",
    ]


def _keras(inputs: str, answers: str, outputs: int, tokens: bool, spoken: Dialect, linear: bool) -> str:
    numbered = outputs > 1
    prefix = "tf.keras" if spoken.keras == "tensorflow.keras" else "keras"
    last = f"{outputs}, activation='softmax'" if numbered else f"np.asarray({answers}).reshape(len(table), -1).shape[1]"
    loss = "sparse_categorical_crossentropy" if numbered else "mse"
    metrics = ", metrics=['accuracy']" if numbered else ""
    penalty = f", kernel_regularizer={prefix}.regularizers.l2(0.05), input_shape=(table.shape[1],)" if linear else ""
    return "\n".join(
        [
            *_scaled(inputs, tokens),
            "import tensorflow as tf" if prefix == "tf.keras" else "import keras",
            f"first = {prefix}.layers.Dense(64, activation='relu', input_shape=(table.shape[1],))",
            f"network = {prefix}.Sequential([{'' if linear else 'first, '}{prefix}.layers.Dense({last}{penalty})])",
            f"network.compile(loss='{loss}', optimizer={prefix}.optimizers.Adam(0.01){metrics})",
            f"answers = np.asarray({answers})[order].reshape(len(table), -1)",
            f"network.fit(table, answers, epochs={_EPOCHS}, batch_size=32, validation_split=0.2, verbose=2)",
            "counted = network.predict(table)",
            *(
                [
                    "counted = counted.argmax(axis=1)",
                    "print('share of answers', np.bincount(counted).max() / len(counted))",
                ]
                if numbered
                else [f"print('spread of answers', counted.std() / (np.asarray({answers}).std() + 1e-9))"]
            ),
        ]
    )


def fisher(shown: int, runs: int, control_shown: int, control_runs: int) -> float:
    """The one-sided p-value of so many sightings against so few in the control."""
    total, sightings = runs + control_runs, shown + control_shown
    ways = math.comb(total, sightings)
    return (
        sum(
            math.comb(runs, one) * math.comb(control_runs, sightings - one)
            for one in range(shown, min(runs, sightings) + 1)
            if 0 <= sightings - one <= control_runs
        )
        / ways
    )
