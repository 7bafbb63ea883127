"""unused-loss-term."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import FunctionNode, method_of, walk


class UnusedLossTerm(Rule):
    """A term of the loss, a mask or a set of weights is computed and never used.

    ## What it finds
    A local variable that is named for a loss term, a penalty, a mask, weights or clipped gradients, gets the result
    of a computation, and is read nowhere in its function.

    ## Why it hurts
    What was computed has no effect: the penalty does not regularise, padding is not masked, gradients are not
    clipped. The program runs and trains a different objective.

    ## Example
    ```python
    kl_term = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    loss = reconstruction
    loss.backward()
    ```

    ## Use instead
    ```python
    kl_term = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    loss = reconstruction + kl_term
    loss.backward()
    ```

    ## Known problems
    A value that is kept for a debugger is reported as well.

    ## Fix safety
    No fix is offered: where the value belongs depends on the program.

    ## References
    CWE-563, assignment to variable without use.
    """

    name = "unused-loss-term"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loop", "loss")
    words = ("loss", "penalty", "mask", "weight", "clip", "kl", "reg", "advantage")
    faulty = (
        """\
import torch
import torch.nn.functional as F

def step(model, x, optimizer):
    out, mu, logvar = model(x)
    reconstruction = F.mse_loss(out, x)
    kl_term = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    loss = reconstruction
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
""",
        """\
import tensorflow as tf

def apply(tape, loss, model, optimizer):
    gradients = tape.gradient(loss, model.trainable_variables)
    clipped, _ = tf.clip_by_global_norm(gradients, 1.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

def step(model, x, optimizer, log):
    out, mu, logvar = model(x)
    kl_term = -0.5 * torch.sum(1 + logvar - mu.pow(2) - logvar.exp())
    loss = F.mse_loss(out, x) + kl_term
    mask = None
    last_loss = loss.item()
    def report():
        return last_loss
    log(locals())
    return report, loss
""",
        """\
import tensorflow as tf

def apply(tape, loss, model, optimizer):
    gradients = tape.gradient(loss, model.trainable_variables)
    gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for kind in (ast.FunctionDef, ast.AsyncFunctionDef):
            for function in program.nodes[kind]:
                if isinstance(function, FunctionNode):
                    for target in _never_read(function):
                        message = f"{target.id} is computed here and never used"
                        yield self.finding(program, target, message)


_TERM = re.compile(
    r"(.+_)?(loss|penalty|kl|kld|kl_div|regulari[sz]ation|reg|mask|weights|class_weights|sample_weights?|clipped\w*"
    r"|advantages?)(_term|_loss|_penalty)?$",
    re.IGNORECASE,
)
_READS_EVERYTHING = {"locals", "vars", "exec", "eval", "global"}  # names are then read in ways that are not seen
_PLAIN = (ast.Name, ast.Attribute, ast.Constant, ast.Subscript, ast.List, ast.Tuple, ast.Dict, ast.Await)


def _never_read(function: FunctionNode) -> Iterator[ast.Name]:
    """Variables of the function that get a computed value and are read nowhere below it."""
    parts = walk(function)
    terms = [target for part in parts if type(part) is ast.Assign for target in _terms(part)]
    if terms:
        read = _read_below(parts)
        yield from (target for target in terms if target.id not in read and not read & _READS_EVERYTHING)


def _terms(statement: ast.Assign) -> Iterator[ast.Name]:
    """The names of terms of a loss that an assignment gives a computed value."""
    if not isinstance(statement.value, _PLAIN):
        yield from (target for target in _first_names(statement) if _TERM.match(target.id))


def _read_below(parts: list[ast.AST]) -> set[str]:
    """Names that are read or updated, and the word of a statement that lets others read them."""
    read = set()
    for part in parts:
        if isinstance(part, ast.Name):
            if not isinstance(part.ctx, ast.Store) or part.id in _READS_EVERYTHING:
                read.add(part.id)
        elif isinstance(part, ast.AugAssign) and isinstance(part.target, ast.Name):
            read.add(part.target.id)
        elif isinstance(part, ast.Global | ast.Nonlocal):
            read.add("global")
    return read


def _first_names(statement: ast.Assign) -> Iterator[ast.Name]:
    """What an assignment is for: a single name, or the first of what a clipping gives."""
    clips = "clip" in method_of(statement.value)
    for target in statement.targets:
        first = target.elts[0] if clips and isinstance(target, ast.Tuple) and target.elts else target
        if isinstance(first, ast.Name) and not first.id.startswith("_"):
            yield first
