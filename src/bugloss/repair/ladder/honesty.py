"""Patches that hide a fault instead of repairing it: they catch the exception, drop the training or change the test.

The source says some of it before anything runs; the rest shows in what was recorded before and after.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from bugloss.core.patch import Rung, RungResult
from bugloss.core.python_text import parse_python
from bugloss.observe.progress import progress
from bugloss.observe.recording import Recording
from bugloss.repair.ladder.measures import last_step
from bugloss.repair.ladder.program_files import Texts

_HIDING = {"suppress", "filterwarnings", "simplefilter", "seterr", "errstate", "exit", "_exit", "quit", "nan_to_num"}
_TRAINING = {"fit", "fit_generator", "train_on_batch", "backward", "step", "minimize", "apply_gradients", "train"}
_LEAST_STEPS = 0.1  # of the steps before: a training that is shorter than this is no training of the same model
_LONGER = 1.5  # times the steps before: such a patch trains longer, whatever else it does
_MOST_DATA_LOST = 0.02  # of the samples: a split that rounds otherwise is no cut


def judge_source(before: Callable[[str], str | None], after: Texts) -> RungResult:
    """Whether the changed files are honest ones, as far as the source tells."""
    for path, text in after.items():
        for words in _dishonest(path, before(path) or "", text):
            return RungResult(Rung.HONEST, False, words)
    return RungResult(Rung.HONEST, True, "training, data, exceptions and tests are left alone")


def judge_recording(before: Recording, after: Recording) -> RungResult:
    """Whether the patched program still trains, on as many samples."""
    if before.steps and not after.steps and after.crash is None:
        return RungResult(Rung.HONEST, False, "the patched program does not train any more")
    steps, before_steps = last_step(after), last_step(before)
    if steps < _LEAST_STEPS * before_steps and after.crash is None:
        words = f"the patch drops most of the training: {steps} steps instead of {before_steps}"
        return RungResult(Rung.HONEST, False, words)
    if before.crash is None and after.crash is None and steps > _LONGER * before_steps > 0:
        result = progress(after)
        if result is not None and result.poor:
            words = "every training gets better for some time: this one is longer, and its result is still poor"
            return RungResult(Rung.HONEST, False, words)
    for data in after.data:
        known = [one.samples for one in before.data if one.phase == data.phase and one.samples]
        if known and data.samples is not None and data.samples < min(known) * (1 - _MOST_DATA_LOST):
            words = f"the {data.phase} data shrink from {min(known)} to {data.samples} samples"
            return RungResult(Rung.HONEST, False, words)
    return RungResult(Rung.HONEST, True, "the patched program trains on the same amount of data")


def _dishonest(path: str, before: str, after: str) -> Iterator[str]:
    name = PurePosixPath(path).name
    if name.startswith("test") or name.endswith("_test.py") or name == "conftest.py":
        yield f"{path} is a test"
    if not path.endswith(".py"):
        return
    old, new = _counted(before), _counted(after)
    for kind, words in _WORDS.items():
        if new[kind] > old[kind]:
            yield f"the patch {words}"
    if new["assert"] < old["assert"] or new["raise"] < old["raise"]:
        yield "the patch takes out an assertion or an exception that the program raises"
    if new["training"] < old["training"]:
        yield "the patch drops a call that trains"


_WORDS = {
    "try": "catches exceptions",
    "hiding": "hides warnings, exceptions or non-finite numbers, or ends the program early",
    "never": "lets code stand under a condition that is never true",
}


def _counted(text: str) -> Counter[str]:
    try:
        tree = parse_python(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Counter()
    return Counter(kind for node in ast.walk(tree) for kind in _kinds(node))


def _kinds(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.ExceptHandler():
            yield "try"
        case ast.Assert():
            yield "assert"
        case ast.Raise():
            yield "raise"
        case ast.If(test=ast.Constant(value=value)) | ast.While(test=ast.Constant(value=value)) if not value:
            yield "never"
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            if name in _HIDING:
                yield "hiding"
            if name in _TRAINING:
                yield "training"
