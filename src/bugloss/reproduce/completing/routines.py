"""Routines that every training script has and reports leave out: one epoch of training, a look at held-out data."""

from __future__ import annotations

import ast
import re

from bugloss.reproduce.names.naming import looks_like
from bugloss.reproduce.names.unresolved import Use

_TRAINS = re.compile(r"(?:train|fit|run|do)_?(?:one_?)?(?:epoch|step|loop|model)?$", re.IGNORECASE)
_LOOKS = re.compile(r"(?:valid(?:ate|ation)?|eval(?:uate)?|test|check)_?(?:model|epoch|loop|step)?$", re.IGNORECASE)
_COUNTS = re.compile(r"(?:get_|compute_|calc_)?(?:accuracy|acc|score)(?:_fn|_of)?$", re.IGNORECASE)

_TRAINING = """\
# assumed: the report leaves {name} out; it trains for one round
def {name}(model, loader, *more, **options):
    given = [*more, *options.values()]
    optimizer = next((one for one in given if hasattr(one, "zero_grad")), None) or torch.optim.Adam(model.parameters())
    model.train()
    total = 0.0
    for inputs, targets in loader:
        loss = torch.nn.functional.{loss}(model(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        print("observed_loss", loss.item())
        optimizer.step()
        total += loss.item()
    return total / len(loader)"""

_LOOKING = """\
# assumed: the report leaves {name} out; it gives {what} on held-out data
def {name}(model, loader, *more, **options):
    model.eval()
    losses, hits, rows = [], 0, 0
    with torch.no_grad():
        for inputs, targets in loader:
            scores = model(inputs)
            losses.append(torch.nn.functional.{loss}(scores, targets).item())
            rows += len(targets)
            hits += float((scores.argmax(1) == targets).sum()) if scores.dim() > 1 and targets.dim() == 1 else 0.0
    model.train()
    loss, accuracy = sum(losses) / len(losses), hits / max(rows, 1)
    return {result}"""


def routine_for(use: Use, text: str, torch: bool) -> str | None:
    """The code of a routine that a program calls with a network and a loader; None for any other name."""
    if not torch or not any(_takes_network_and_loader(call) for call in use.calls):
        return None
    loss = "mse_loss" if re.search(r"MSELoss|mse_loss|regression", text) else "cross_entropy"
    if _TRAINS.fullmatch(use.name):
        return _TRAINING.format(name=use.name, loss=loss)
    if _COUNTS.fullmatch(use.name):
        return _LOOKING.format(name=use.name, loss=loss, what="the accuracy", result="accuracy")
    if _LOOKS.fullmatch(use.name):
        both = _taken_apart(use, text)
        what, result = ("loss and accuracy", "loss, accuracy") if both else ("the loss", "loss")
        return _LOOKING.format(name=use.name, loss=loss, what=what, result=result)
    return None


def _takes_network_and_loader(call: ast.Call) -> bool:
    names = [ast.unparse(one) for one in call.args[:3]]
    network = any(looks_like("models", name) for name in names[:1])
    return network and any(looks_like("loaders", name) or name.endswith("loader") for name in names[1:])


def _taken_apart(use: Use, text: str) -> bool:
    """Whether the result is given to two names."""
    return bool(re.search(rf"\w+\s*,\s*\w+\s*=\s*{re.escape(use.name)}\(", text))
