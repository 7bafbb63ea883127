"""score-averaged-over-batches."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import definition
from bugloss.check.views.training_loops import loops_around
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part, method_of, walk


class ScoreAveragedOverBatches(Rule):
    """A score that is not a mean over samples is averaged over batches.

    ## What it finds
    F1, precision, recall, AUC, R², a correlation or a root of a mean squared error that is computed per batch and
    summed or collected in the loop over batches.

    ## Why it hurts
    The average of such scores over batches is not the score of the data: it depends on the batch size and on which
    classes happen to be in a batch.

    ## Example
    ```python
    for x, y in loader:
        total += f1_score(y, predict(x))
    print(total / len(loader))
    ```

    ## Use instead
    ```python
    for x, y in loader:
        truths.extend(y), guesses.extend(predict(x))
    print(f1_score(truths, guesses))
    ```

    ## Known problems
    A score that is meant per batch, for a curve, is reported when it is added up.

    ## Fix safety
    No fix is offered.

    ## References
    scikit-learn user guide, metrics and scoring.
    """

    name = "score-averaged-over-batches"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.ACCURACY_METRIC
    groups = ("loop",)
    words = ("f1", "precision", "recall", "auc", "r2", "sqrt", "average_precision", "corr")
    faulty = (
        """\
import torch
from sklearn.metrics import f1_score

def evaluate(model, loader):
    total = 0.0
    for x, y in loader:
        total += f1_score(y, model(x).argmax(1))
    return total / len(loader)
""",
        """\
import torch
import torch.nn.functional as F

def evaluate(model, loader):
    rmse = 0.0
    with torch.no_grad():
        for x, y in loader:
            rmse += torch.sqrt(F.mse_loss(model(x), y)).item()
    return rmse / len(loader)
""",
    )
    clean = (
        """\
import torch
import torch.nn.functional as F
from sklearn.metrics import f1_score

def evaluate(model, loader, folds):
    squared, truths, guesses, scores = 0.0, [], [], []
    for x, y in loader:
        squared += F.mse_loss(model(x), y, reduction="sum").item()
        truths += y.tolist()
        guesses += model(x).argmax(1).tolist()
    for fold in folds:
        scores.append(f1_score(fold.y, fold.predict()))
    return (squared / len(truths)) ** 0.5, f1_score(truths, guesses), scores
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for node in program.nodes[ast.AugAssign]:
            if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add):
                loop = next(iter(loops_around(program, node)), None)
                score = _score(program, node.value)
                if isinstance(loop, ast.For) and score and _is_over_batches(loop) and not _is_trained(loop):
                    message = (
                        f"{score} of batches does not average to that of the data: collect outputs, compute it once"
                    )
                    yield self.finding(program, node, message)


_SCORES = re.compile(
    r"(\w+_)?(f1|fbeta|precision|recall|roc_auc|auc|average_precision|r2|matthews_corrcoef|pearsonr|spearmanr)(_score)?$"
)
_BATCHES = re.compile(r"loader|batches|dataset|_dl$|_ds$|iterator|generator", re.IGNORECASE)


def _score(program: Program, node: ast.expr) -> str:
    """The name of a score that is not a mean over samples, where the value is one."""
    found = definition(program, node)
    for part in walk(found):
        name = method_of(part)
        if _SCORES.match(name):
            return name
        inner = part.args[0] if name == "sqrt" and isinstance(part, ast.Call) and part.args else None
        if inner is not None and any("mse" in method_of(one) or "mse" in last_part(one) for one in walk(inner)):
            return "the root of the error"
    return ""


def _is_over_batches(loop: ast.For) -> bool:
    return any(
        _BATCHES.search(last_part(part)) for part in walk(loop.iter) if isinstance(part, ast.Name | ast.Attribute)
    )


def _is_trained(loop: ast.For) -> bool:
    """A running figure beside the training is for the eye only."""
    return any(method_of(part) in {"backward", "apply_gradients", "train_on_batch"} for part in walk(loop))
