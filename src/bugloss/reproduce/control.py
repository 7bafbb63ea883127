"""A control for symptoms: a plain network on the same data, which must not show the symptom.

Without it a loss that does not fall could be the fault of the data or of too few steps. Five runs that show the symptom
against five of the control that do not differ with p = 0.004 (Fisher's exact test, one-sided). Where the data are a
block of ours, the plain network gets its arrays; else it is trained where the program trains its own network, and gets
what the program gives to ``fit``. Against overfitting it is linear with a penalty: any larger one can overfit.
"""

from __future__ import annotations

import ast
import math
import re

from bugloss.reproduce.data.arrays import ArrayBlock, write_arrays
from bugloss.reproduce.data.spec import DataMeaning, generator_line
from bugloss.reproduce.program.draft import Draft
from bugloss.reproduce.stack.imports import Dialect
from bugloss.reproduce.templates import render
from bugloss.source.text.syntax import keyword_of, method_of

_NO_NETWORK = re.compile(r"scaler|encoder|binarizer|tokenizer|pca|label|imputer|vectorizer", re.IGNORECASE)
_TABLE = 'table = {0}.astype("float32").reshape(len({0}), -1)[:2048]'
_COUNTS = """\
ids = np.asarray({0}).reshape(len({0}), -1)
table = np.stack([np.bincount(row, minlength=ids.max() + 1) for row in ids]).astype("float32")"""
_SEVERAL = "wanted.shape[1] == 1 and len(numbers) * 4 < len(wanted) and whole"


def control_program(draft: Draft, dialect: Dialect, seed: int = 0, *, overfits: bool = False) -> str | None:
    """A program that trains a plain network on the data of another; None where none is found for it."""
    return _on_arrays(draft, dialect, seed, overfits) or _at_fit(draft.with_seed(seed), dialect, overfits)


def _on_arrays(draft: Draft, dialect: Dialect, seed: int, linear: bool) -> str | None:
    data = draft.decisions.data
    block = write_arrays(data, draft.without_data.text) if data is not None else None
    inputs = block.first_input if block is not None else None
    task = block.task if block is not None else None
    if block is None or inputs is None or task is None or task.target is None:
        return None
    counted = inputs.field.meaning is DataMeaning.TOKENS
    answers = task.kinds or task.target.name
    if not dialect.is_torch:
        arrays = _seeded(block, seed)
        table = (_COUNTS if counted else _TABLE).format("given")
        return _keras(dialect, inputs.name, answers, arrays, table, str(bool(task.kinds)), linear)
    return render(
        "control_torch",
        arrays=_seeded(block, seed),
        table=(_COUNTS if counted else _TABLE).format(inputs.name),
        answers=answers,
        memory=MEMORY_LINE if MEMORY in draft.decisions.prints else "",
        **_torch_parts(task.target.field.classes if task.kinds else 0, linear),
    )


def _seeded(block: ArrayBlock, seed: int) -> str:
    return "\n".join([generator_line(seed), *block.lines])


MEMORY = "memory in use"
MEMORY_LINE = f'print("{MEMORY}", int(open("/proc/self/statm").read().split()[1]) * 4096 / 2**20)'


def _torch_parts(classes: int, linear: bool) -> dict[str, str]:
    outputs = str(classes) if classes else "answers.shape[1]"
    hidden = f"torch.nn.Linear(table.shape[1], 64), torch.nn.ReLU(), torch.nn.Linear(64, {outputs})"
    spread = 'print("spread of answers", float(network(table).std() / (answers.std() + 1e-9)))'
    return {
        "converted": ".long()" if classes else ".float().reshape(len(table), -1)",
        "network": f"torch.nn.Linear(table.shape[1], {outputs})" if linear else f"torch.nn.Sequential({hidden})",
        "loss": "CrossEntropyLoss" if classes else "MSELoss",
        "penalty": ", weight_decay=0.1" if linear else "",
        "figures": render("figures_of_classes") if classes else spread,
    }


def _keras(dialect: Dialect, inputs: str, answers: str, arrays: str, table: str, several: str, linear: bool) -> str:
    prefix = dialect.prefix
    output = f"{prefix}.layers.Dense(outputs, activation=ending"
    penalty = f"{output}, input_shape=(table.shape[1],), kernel_regularizer={prefix}.regularizers.l2(0.05))"
    hidden = f'{prefix}.layers.Dense(64, activation="relu", input_shape=(table.shape[1],)), {output})'
    return render(
        "control_keras",
        arrays=arrays,
        module="import tensorflow as tf" if prefix == "tf.keras" else "import keras",
        inputs=inputs,
        answers=answers,
        table=table,
        several=several,
        keras=prefix,
        layers=penalty if linear else hidden,
    )


def _at_fit(draft: Draft, dialect: Dialect, linear: bool) -> str | None:
    """The program up to its ``fit``, which goes to a plain network; None where no inputs and answers are seen."""
    tree = draft.tree
    plain = [one for one in tree.body if isinstance(one, ast.Expr | ast.Assign)] if tree is not None else []
    for statement in plain if not dialect.is_torch else ():
        for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
            owner = ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
            if method_of(call) != "fit" or not owner or _NO_NETWORK.search(owner):
                continue
            given = [*call.args[:2], *filter(None, (keyword_of(call, "x"), keyword_of(call, "y")))]
            if len(given) != 2:
                return None
            before = "\n".join(draft.text.split("\n")[: statement.lineno - 1])
            inputs, answers = (ast.unparse(one) for one in given)
            tail = _keras(dialect, inputs, answers, "", _TABLE.format("given"), _SEVERAL, linear)
            return f"{before}\n{tail}"
    return None


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
