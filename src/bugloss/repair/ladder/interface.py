"""What others rely on: the signatures of public functions, and the keys of saved weights."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator

from bugloss.core.patch import Patch, Rung, RungResult
from bugloss.core.python_text import parse_python
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.recording import Recording
from bugloss.repair.ladder.program_files import Texts

# Patterns that change the layers by what they are.
_REBUILDING = {
    *(FixPattern.LAYER_DIMENSION, FixPattern.ADD_LAYER, FixPattern.NEURAL_CONNECTION),
    FixPattern.CHANGE_NEURAL_ARCHITECTURE,
}


def judge_signatures(before: Callable[[str], str | None], after: Texts) -> RungResult:
    """Whether every public function can be called as before."""
    for path, text in after.items():
        if not path.endswith(".py"):
            continue
        old, new = dict(_signatures(before(path) or "")), dict(_signatures(text))
        for name, arguments in old.items():
            if new.get(name) != arguments:
                return RungResult(Rung.SIGNATURES, False, f"{name} of {path} cannot be called as before")
    return RungResult(Rung.SIGNATURES, True, "public functions can be called as before")


def judge_keys(patch: Patch, before: Recording, after: Recording) -> RungResult:
    """Whether weights that the old program saved fit the new one, unless the patch says that they do not.

    A program that stopped before its first step saved none; one that stopped later may have been about to make more.
    """
    old, new = _parameters(before), _parameters(after)
    crashed = before.crash is not None
    if not old or not new or old == new or (crashed and (not before.steps or not Counter(old) - Counter(new))):
        return RungResult(Rung.SIGNATURES, True, "checkpoints keep their keys")
    measured = {"parameters_before": sum(size for _, size in old), "parameters_after": sum(size for _, size in new)}
    declared = patch.changes_keys or patch.fix_pattern in _REBUILDING
    words = "layers or their sizes differ: weights saved before cannot be loaded"
    return RungResult(Rung.SIGNATURES, declared, words, measured)


def _parameters(recording: Recording) -> list[tuple[str, int]]:
    """The layers with their sizes; Keras numbers its layers, and a number that moved on is no other layer."""
    numbered = recording.started is not None and recording.started.framework == "keras"
    layers = [("" if numbered else name, one.parameters) for name, one in recording.layers.items() if one.parameters]
    return sorted(layers)


def _signatures(text: str) -> Iterator[tuple[str, str]]:
    """Public functions and methods with their parameters, less defaults: another default is another value, no more."""
    try:
        tree = parse_python(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for name, function in _functions(tree, ""):
        arguments = function.args
        every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
        yield name, ", ".join(one.arg for one in every if one is not None)


def _functions(node: ast.Module | ast.ClassDef, owner: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for part in node.body:
        if isinstance(part, ast.FunctionDef) and (not part.name.startswith("_") or part.name == "__init__"):
            yield f"{owner}{part.name}", part
        elif isinstance(part, ast.ClassDef) and not part.name.startswith("_"):
            yield from _functions(part, f"{owner}{part.name}.")
