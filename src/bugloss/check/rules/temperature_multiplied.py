"""temperature-multiplied."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule, suggested
from bugloss.check.views.definitions import definition
from bugloss.core.finding import Finding, Severity
from bugloss.core.network.loss import spellings
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.editing import replace_node
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, method_of


class TemperatureMultiplied(Rule):
    """Logits are multiplied by a temperature instead of divided by it.

    ## What it finds
    A product with a variable named ``temperature`` (``temp``, ``tau``, ``T``) that is passed to a softmax or a
    cross-entropy.

    ## Why it hurts
    A temperature below 1 is to sharpen the distribution, one above 1 to smooth it. Multiplied, it does the
    opposite: contrastive logits become almost equal, and distilled targets become hard again.

    ## Example
    ```python
    logits = image_features @ text_features.t() * temperature
    loss = F.cross_entropy(logits, labels)
    ```

    ## Use instead
    ```python
    logits = image_features @ text_features.t() / temperature
    loss = F.cross_entropy(logits, labels)
    ```

    ## Known problems
    A learned factor that is named temperature although it is an inverse one (a logit scale) is reported when it is
    not exponentiated.

    ## Fix safety
    Suggested: the product becomes a quotient.

    ## References
    Hinton et al., Distilling the Knowledge in a Neural Network (2015); Chen et al., A Simple Framework for
    Contrastive Learning (2020).
    """

    name = "temperature-multiplied"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.LOSS_FUNCTION
    groups = ("loss",)
    words = ("temp", "Temp", "TEMP", "tau", "TAU", "* T")
    faulty = (
        """\
import torch
import torch.nn.functional as F

def loss_of(image, text, temperature=0.07):
    logits = image @ text.t() * temperature
    labels = torch.arange(len(image))
    return (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2
""",
        """\
import torch.nn.functional as F

T = 4.0

def distill(student, teacher):
    return F.kl_div(F.log_softmax(student / T, dim=1), F.softmax(teacher * T, dim=1)) * T * T
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F

T = 4.0

def loss_of(image, text, student, teacher, temperature=0.07):
    logits = image @ text.t() / temperature
    soft = F.kl_div(F.log_softmax(student / T, dim=1), F.softmax(teacher / T, dim=1)) * T * T
    scaled = image @ text.t() * temperature.exp()
    return F.cross_entropy(logits, torch.arange(len(image))) + soft + F.cross_entropy(scaled, scaled.argmax(1))
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        seen: set[ast.AST] = set()
        for call in program.called(*_TAKE_LOGITS):
            for given in [*call.args, *(item.value for item in call.keywords)]:
                product = _product(program, given)
                factor = _temperature(product) if product is not None else None
                if product is None or factor is None or product in seen or _is_inverse(program, factor):
                    continue
                seen.add(product)
                rest = product.left if factor is product.right else product.right
                text = f"{_bracketed(program, rest)} / {program.source.segment(factor)}"
                message = f"{last_part(factor)} multiplies the logits; a temperature divides them"
                yield self.finding(program, product, message, fix=suggested(replace_node(program, product, text)))


_TAKE_LOGITS = (
    *spellings(lambda row: bool(row.applies or row.scores_argument) or row.kind == "kl-divergence"),
    *("softmax", "log_softmax", "logsumexp", "Categorical", "criterion"),
)
_TEMPERATURE = re.compile(r"(\w+_)?(temperature|temp|tau)$|T$", re.IGNORECASE)
_CAPITAL = re.compile(r"t$")


def _product(program: Program, node: ast.expr) -> ast.BinOp | None:
    """The product that is passed, directly, behind a name, or transposed."""
    while (
        method_of(node) in {"t", "transpose", "T"}
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
    ):
        node = node.func.value
    if isinstance(node, ast.Attribute) and node.attr == "T":
        node = node.value
    found = definition(program, node)
    return found if isinstance(found, ast.BinOp) and isinstance(found.op, ast.Mult) else None


def _temperature(product: ast.BinOp) -> ast.expr | None:
    for side in (product.right, product.left):
        name = last_part(side) if isinstance(side, ast.Name | ast.Attribute) else ""
        if _TEMPERATURE.match(name) and not _CAPITAL.match(name):
            return side
    return None


def _is_inverse(program: Program, factor: ast.expr) -> bool:
    """Whether the factor is itself one over something, or the exponential of something."""
    found = definition(program, factor)
    return isinstance(found, ast.Call) or (isinstance(found, ast.BinOp) and isinstance(found.op, ast.Div))


def _bracketed(program: Program, node: ast.expr) -> str:
    text = program.source.segment(node)
    loose = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
    return f"({text})" if loose and not text.startswith("(") else text
