"""Routines that every training script has and reports leave out: one epoch of training, a look at held-out data."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from bugloss.core.network.loss import losses_in
from bugloss.reproduce.names.naming import looks_like
from bugloss.reproduce.templates import render
from bugloss.source.undefined_uses import NameUse

_TRAINS = re.compile(r"(?:train|fit|run|do)_?(?:one_?)?(?:epoch|step|loop|model)?$", re.IGNORECASE)
_LOOKS = re.compile(r"(?:valid(?:ate|ation)?|eval(?:uate)?|test|check)_?(?:model|epoch|loop|step)?$", re.IGNORECASE)
_COUNTS = re.compile(r"(?:get_|compute_|calc_)?(?:accuracy|acc|score)(?:_fn|_of)?$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Routine:
    """The code of a routine, and the figures that it prints."""

    code: str
    prints: frozenset[str] = frozenset()


def routine_for(use: NameUse, text: str, torch: bool) -> Routine | None:
    """A routine that a program calls with a network and a loader; None for any other name."""
    if not torch or not any(_takes_network_and_loader(call) for call in use.calls):
        return None
    regresses = "regression" in text or any(row.regresses for row in losses_in(text))
    loss = "mse_loss" if regresses else "cross_entropy"
    if _TRAINS.fullmatch(use.name):
        return Routine(render("train", name=use.name, loss=loss), frozenset({"loss loss"}))
    if _COUNTS.fullmatch(use.name):
        return Routine(render("evaluate", name=use.name, loss=loss, what="the accuracy", result="accuracy"))
    if _LOOKS.fullmatch(use.name):
        both = _taken_apart(use, text)
        what, result = ("loss and accuracy", "loss, accuracy") if both else ("the loss", "loss")
        return Routine(render("evaluate", name=use.name, loss=loss, what=what, result=result))
    return None


def _takes_network_and_loader(call: ast.Call) -> bool:
    names = [ast.unparse(one) for one in call.args[:3]]
    network = any(looks_like("models", name) for name in names[:1])
    return network and any(looks_like("loaders", name) or name.endswith("loader") for name in names[1:])


def _taken_apart(use: NameUse, text: str) -> bool:
    """Whether the result is given to two names."""
    return bool(re.search(rf"\w+\s*,\s*\w+\s*=\s*{re.escape(use.name)}\(", text))
