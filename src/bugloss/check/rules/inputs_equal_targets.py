"""inputs-equal-targets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.core.edit import Edit
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, targets_of, written


class InputsEqualTargets(Rule):
    """Inputs and targets of a sequence model are the same slice.

    ## What it finds
    Two variables, one named as an input and one as a target, that get the same slice of the same array in one
    place: ``dec_in, dec_out = y[:, 1:], y[:, 1:]``.

    ## Why it hurts
    The model sees the token that it has to predict. The loss falls to zero at once, and the model is useless where the
    next token is not known.

    ## Example
    ```python
    dec_in, dec_out = target[:, 1:], target[:, 1:]
    ```

    ## Use instead
    ```python
    dec_in, dec_out = target[:, :-1], target[:, 1:]
    ```

    ## Known problems
    Autoencoders reproduce their input on purpose; files that mention one are left alone.

    ## Fix safety
    Suggested: the target begins one step after the input.

    ## References
    TensorFlow tutorial "Text generation with an RNN": the target is the input shifted by one.
    """

    name = "inputs-equal-targets"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = (":",)
    faulty = (
        """\
import tensorflow as tf

def split(source, target):
    dec_in, dec_out = target[:, 1:], target[:, 1:]
    return source, dec_in, dec_out
""",
        """\
import torch

def batch(ids, i, length):
    inputs = ids[i : i + length]
    targets = ids[i : i + length]
    return inputs, targets
""",
    )
    clean = (
        """\
import torch

def batch(ids, i, length):
    inputs = ids[i : i + length]
    targets = ids[i + 1 : i + length + 1]
    x_train, x_test = inputs[:5], inputs[:5]
    return inputs, targets
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for block in _blocks(program):
            given: dict[str, str] = {}
            places: dict[str, ast.expr] = {}
            for name, value, node in block:
                input_like = _INPUT.search(name) is not None
                if not input_like and not (given and _OUTPUT.search(name)):
                    continue
                text = written(value)
                if _OUTPUT.search(name) and not _INPUT.search(name) and _INPUT.search(given.get(text, "")):
                    if _RECONSTRUCTS.search(program.source.text):
                        return
                    message = f"{name} is the same slice as {given[text]}: the model sees what it has to predict"
                    fix = suggested(_shifted(program, places[text], value))
                    yield self.finding(program, node, message, fix=fix)
                given.setdefault(text, name)
                places.setdefault(text, value)


def _shifted(program: Program, given: ast.expr, wanted: ast.expr) -> Edit | None:
    """The target one step after the input: the input loses its last step, or the target's slice moves by one."""
    first, second = _cut(given), _cut(wanted)
    if first is None or second is None:
        return None
    if first.lower is not None and first.upper is None:
        return replace_node(program, first, ":-1")
    if first.lower is None and first.upper is not None:
        return replace_node(program, second, "1:")
    if second.lower is None or second.upper is None:
        return None
    ends = program.source.segment(second.lower), program.source.segment(second.upper)
    return replace_node(program, second, f"{ends[0]} + 1 : {ends[1]} + 1")


def _cut(node: ast.expr) -> ast.Slice | None:
    """The only slice of an index that cuts something off."""
    index = node.slice if isinstance(node, ast.Subscript) else None
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    found = [part for part in parts if isinstance(part, ast.Slice) and (part.lower or part.upper)]
    return found[0] if len(found) == 1 else None


_RECONSTRUCTS = re.compile(r"auto_?encod|reconstr|denois|\bvae\b|self_supervised", re.IGNORECASE)
_INPUT = re.compile(r"(^|_)(in|inp|inputs?|x|xb|xs|src|source|context|history|prev|before)\d?($|_)|^(dec|decoder)_?in")
_OUTPUT = re.compile(
    r"(^|_)(out|outputs?|y|yb|ys|targets?|tgt|labels?|next|goal|future|expected)\d?($|_)|^(dec|decoder)_?out"
)


def _blocks(program: Program) -> Iterator[list[tuple[str, ast.expr, ast.stmt]]]:
    """Slices that are assigned in one block of statements, with the names that they get."""
    found: dict[ast.AST | None, list[tuple[str, ast.expr, ast.stmt]]] = {}
    for node in program.nodes[ast.Assign]:
        if not isinstance(node, ast.Assign):
            continue
        target, value = targets_of(node)[0], node.value
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            pairs = list(zip(target.elts, value.elts, strict=True))
        for one, part in pairs:
            if isinstance(part, ast.Subscript) and any(isinstance(piece, ast.Slice) for piece in ast.walk(part.slice)):
                found.setdefault(program.parents.get(node), []).append((last_part(one).lower(), part, node))
    yield from found.values()
