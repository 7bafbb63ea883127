"""inputs-equal-targets."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, targets_of, written


class InputsEqualTargets(Rule):
    """Inputs and targets of a sequence model are the same slice.

    ## What it finds
    Two variables, one named as an input and one as a target, that get the same slice of the same array in one
    place: ``dec_in, dec_out = y[:, 1:], y[:, 1:]``.

    ## Why it hurts
    The model is given the very token that it is to predict. The loss falls to zero at once, and what was learned is
    useless when the answer is not there.

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
    No fix is offered: what to write depends on the program.

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
        if not program.nodes[ast.Slice] or re.search(
            r"auto_?encod|reconstr|denois|\bvae\b|self_supervised", program.source.text, re.IGNORECASE
        ):
            return
        for block in _blocks(program):
            given: dict[str, str] = {}
            for name, value, node in block:
                input_like = _INPUT.search(name) is not None
                if not input_like and not (given and _OUTPUT.search(name)):
                    continue
                text = written(value)
                if _OUTPUT.search(name) and not _INPUT.search(name) and _INPUT.search(given.get(text, "")):
                    message = f"{name} is the same slice as {given[text]}: the model is given what it is to predict"
                    yield self.finding(program, node, message)
                given.setdefault(text, name)


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
