"""copy-never-updated."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bugloss.core.diagnosis import Site, Symptom
from bugloss.core.finding import Severity
from bugloss.core.taxonomy import Category
from bugloss.observe.contract import Detector
from bugloss.observe.flow import is_number
from bugloss.observe.recording import CopiedModel, Recording
from bugloss.observe.sketch import sketch

_LEAST_TURNS = 20  # steps with use of the copy: rare updates come every few hundred steps, but then runs are long
_LEAST_MOVED = 0.01  # of the weights, by the model that trains: otherwise there is nothing to follow
_HARDLY = 0.005  # of that way: a decay of 0.999 comes as far within five steps
_EQUAL = 1e-6  # relative distance of two copies at the start
_FOLLOWS = re.compile(r"target|\bema\b|_ema|ema_|momentum|shadow|averag|polyak", re.IGNORECASE)
_TARGET = Site("train.py", 30, text="best = target(states).max(1)")


def _copy(**facts: object) -> tuple[CopiedModel, ...]:
    plain: dict[str, object] = {"turns": 200, "apart": 0.0, "moved": 0.2, "other_moved": 0.4, "site": _TARGET}
    return (CopiedModel("model-1", "model-0", **{**plain, **facts}),)  # type: ignore[arg-type]


class CopyNeverUpdated(Detector):
    """A copy of the model that is to follow it stays behind, or is not a copy.

    ## What it finds
    Target networks and moving averages that never change, that change by next to nothing, or that share their memory
    with the model they were copied from.

    ## Why it hurts
    Targets computed by such a network are those of an untrained one, for ever; or, where memory is shared, they move
    with every step, which the copy was made to prevent.

    ## How it decides
    A copy is a model of the same architecture that is used between steps and not trained. One that started equal to the
    model and has not moved after twenty steps is a warning where its line names it a target or an average; advice else,
    since frozen teachers and references are kept on purpose. Shared memory is a warning.

    ## Known problems
    A run that ends before the first update of a target network looks the same.

    ## References
    Mnih et al., "Human-level control through deep reinforcement learning" (2015); ``torch.optim.swa_utils``.
    """

    name = "copy-never-updated"
    severity = Severity.WARNING
    category = Category.TRAINING
    faulty = (
        sketch(copies=_copy(moved=0.0)),
        sketch(copies=_copy(moved=0.0005)),
        sketch(copies=_copy(shared=True, moved=0.4)),
        sketch(copies=_copy(moved=0.0, site=Site("train.py", 30, text="soft = teacher(x)"))),
    )
    healthy = (
        sketch(copies=_copy()),
        sketch(copies=_copy(moved=0.0, apart=1.3, site=Site("train.py", 30, text="soft = teacher(x)"))),
        sketch(copies=_copy(moved=0.0, turns=6)),
        sketch(copies=_copy(moved=0.0, other_moved=0.001)),
    )

    def detect(self, recording: Recording) -> Iterator[Symptom]:
        for copy in recording.copies:
            if copy.turns < _LEAST_TURNS:
                continue
            named = bool(_FOLLOWS.search(copy.site.text)) if copy.site is not None else False
            if copy.shared:
                text = "shares its memory with the model that trains, so it is not a copy"
            elif _stays_behind(copy) and (named or (copy.apart is not None and copy.apart <= _EQUAL)):
                text = f"moved {copy.moved:.2g} of its weights while the model that trains moved {copy.other_moved:.2g}"
            else:
                continue
            yield self.symptom(
                f"A network of the same architecture, used in {copy.turns} steps, {text}.",
                site=copy.site,
                severity=Severity.WARNING if named or copy.shared else Severity.ADVICE,
                turns=copy.turns,
                moved=copy.moved,
                model_moved=copy.other_moved,
            )


def _stays_behind(copy: CopiedModel) -> bool:
    if not is_number(copy.moved) or not is_number(copy.other_moved) or (copy.other_moved or 0.0) < _LEAST_MOVED:
        return False
    return (copy.moved or 0.0) <= _HARDLY * (copy.other_moved or 0.0)
