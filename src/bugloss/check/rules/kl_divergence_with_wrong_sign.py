"""kl-divergence-with-wrong-sign."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, replace_node
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import dotted, is_constant, method_of, targets_of, walk, walk_here

_TERMS = 4
_SUMS = {"sum", "mean", "reduce_sum", "reduce_mean"}


class KlDivergenceWithWrongSign(Rule):
    """The KL divergence of a variational autoencoder is added with the wrong sign.

    ## What it finds
    ``0.5 * sum(1 + log_var - mu ** 2 - exp(log_var))`` (or the same with other signs throughout) that is not negated:
    the term is never positive.

    ## Why it hurts
    Minimising it drives the latent distribution away from the prior: the loss falls without bound, and samples are
    noise.

    ## Example
    ```python
    kl = 0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp())
    loss = reconstruction + kl
    ```

    ## Use instead
    ```python
    kl = -0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp())
    loss = reconstruction + kl
    ```

    ## Known problems
    A term that is subtracted later, in the same function, is not reported.

    ## Fix safety
    Suggested: a minus sign is put before the term.

    ## References
    Kingma and Welling, Auto-Encoding Variational Bayes (2013), appendix B.
    """

    name = "kl-divergence-with-wrong-sign"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("exp",)
    faulty = (
        """\
import torch

def loss_of(reconstruction, mu, log_var):
    kl = 0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp())
    return reconstruction + kl
""",
        """\
import tensorflow as tf

def loss_of(reconstruction, mean, log_var):
    kl = -0.5 * tf.reduce_mean(-1 - log_var + tf.square(mean) + tf.exp(log_var))
    return reconstruction + kl
""",
    )
    clean = (
        """\
import torch

def loss_of(reconstruction, mu, log_var):
    kl = -0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp())
    other = 0.5 * (mu ** 2 + log_var.exp() - 1 - log_var).sum()
    return reconstruction + kl + other
""",
        """\
import torch

def elbo(likelihood, mu, log_var):
    gain = 0.5 * torch.sum(1 + log_var - mu.pow(2) - log_var.exp())
    return likelihood - kl_of(mu), -gain
""",
        """\
import torch

def loss_of(reconstruction, z_mean, z_log_var):
    kl = 1 + z_log_var - z_mean ** 2 - torch.exp(z_log_var)
    kl = torch.sum(kl, dim=1)
    kl *= -0.5
    return reconstruction + kl
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.BinOp]:
            assert isinstance(node, ast.BinOp)
            parent = program.parents.get(node)
            if isinstance(node.op, ast.Add | ast.Sub) and not (isinstance(parent, ast.BinOp) and _adds(parent)):
                sign = _sign_of_term(node)
                whole, factor = _outermost(program, node) if sign else (node, 0)
                statement = program.parents.get(whole)
                if (
                    sign * factor > 0
                    and isinstance(statement, ast.Assign | ast.Return)
                    and not _negated(program, statement)
                ):
                    message = "this KL divergence is never positive: its sign is wrong"
                    text = f"-({program.source.segment(whole)})"
                    yield self.finding(program, whole, message, fix=replace_node(program, whole, text, "negate it"))


def _adds(node: ast.BinOp) -> bool:
    return isinstance(node.op, ast.Add | ast.Sub)


def _terms(node: ast.expr, sign: int) -> list[tuple[int, ast.expr]]:
    if isinstance(node, ast.BinOp) and _adds(node):
        right = sign if isinstance(node.op, ast.Add) else -sign
        return [*_terms(node.left, sign), *_terms(node.right, right)]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _terms(node.operand, -sign)
    return [(sign, node)]


def _sign_of_term(node: ast.expr) -> int:
    """1 for ``1 + v - m² - exp(v)``, -1 for its negative, 0 for anything else."""
    terms = _terms(node, 1)
    if len(terms) != _TERMS:
        return 0
    one = [sign for sign, term in terms if is_constant(term, 1) or is_constant(term, 1.0)]
    plain = [(sign, dotted(term)) for sign, term in terms if dotted(term)]
    exponential = [(sign, _operand(term)) for sign, term in terms if method_of(term) == "exp"]
    square = [sign for sign, term in terms if _is_square(term)]
    if not (len(one) == len(plain) == len(exponential) == len(square) == 1):
        return 0
    same = plain[0][1] == exponential[0][1] and plain[0][0] == one[0]
    return one[0] if same and square[0] == exponential[0][0] == -one[0] else 0


def _operand(node: ast.expr) -> str:
    if not isinstance(node, ast.Call):
        return ""
    if node.args:
        return dotted(node.args[0])
    return dotted(node.func.value) if isinstance(node.func, ast.Attribute) else ""


def _is_square(node: ast.expr) -> bool:
    power = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and is_constant(node.right, 2)
    return power or method_of(node) in {"square", "pow"}


def _outermost(program: Program, node: ast.expr) -> tuple[ast.expr, int]:
    """The expression around sums, means and factors, and the sign that the factors give it."""
    factor = 1
    current: ast.expr = node
    while True:
        parent = program.parents.get(current)
        if isinstance(parent, ast.Attribute) or (isinstance(parent, ast.Call) and method_of(parent) in _SUMS):
            current = parent
        elif isinstance(parent, ast.UnaryOp) and isinstance(parent.op, ast.USub):
            factor, current = -factor, parent
        elif isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mult | ast.Div):
            other = parent.right if parent.left is current else parent.left
            negative = isinstance(other, ast.UnaryOp) and isinstance(other.op, ast.USub)
            if not negative and not isinstance(other, ast.Constant):
                return current, 0
            factor, current = (-factor if negative else factor), parent
        else:
            return current, factor


def _negated(program: Program, statement: ast.stmt) -> bool:
    """Whether the name is subtracted, negated or set again somewhere in its function."""
    if not isinstance(statement, ast.Assign):
        return True
    name = dotted(targets_of(statement)[0])
    function = program.enclosing(statement, ast.FunctionDef) or program.tree
    for node in walk_here(getattr(function, "body", [])):
        if isinstance(node, ast.AugAssign) and dotted(node.target) == name:
            return True
        if isinstance(node, ast.Assign) and node is not statement and dotted(targets_of(node)[0]) == name:
            return True
        minus = (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)) or (
            isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Mult)
        )
        if minus and any(dotted(part) == name for part in walk(node) if isinstance(part, ast.Name)):
            return True
    return False
