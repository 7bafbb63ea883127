"""What watches the training."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from difflib import get_close_matches

from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.renamed import HISTORY_KEYS
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.source.editing import replace_node
from bugloss.source.text.syntax import keyword_of

_SURE = 0.8  # a name that no epoch logs is never read; which of the logged ones is meant follows from its spelling
_CLOSE = 0.6
_OTHER_NAMES = {**HISTORY_KEYS, **{new: old for old, new in HISTORY_KEYS.items()}}


class MonitorFix(FixGenerator):
    """What it changes
    ---------------
    Early stopping, checkpoints and comparisons of the best value look in the right direction.

    When it is tried
    ----------------
    With findings about monitors, and callbacks that watch a name that no epoch of the recorded training has.

    Known problems
    --------------
    Such a patch changes which weights are kept; the training itself stays the same.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.MONITOR
    examples = (
        FixExample(
            """\
import keras

stop = keras.callbacks.EarlyStopping(monitor="val_accuracy", mode="min")
""",
            """\
import keras

stop = keras.callbacks.EarlyStopping(monitor="val_accuracy", mode="max")
""",
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        logged = sorted({name for epoch in case.recording.epochs for name in epoch.metrics})
        for module in case.project.modules() if logged else ():
            for call in module.nodes[ast.Call]:
                given = keyword_of(call, "monitor") if isinstance(call, ast.Call) else None
                if isinstance(given, ast.Constant) and isinstance(given.value, str) and given.value not in logged:
                    meant = _meant(given.value, logged)
                    if meant:
                        reason = f"No epoch logs {given.value}; they log {', '.join(logged)}."
                        yield self.patch(replace_node(module, given, f'"{meant}"'), _SURE, reason)


def _meant(name: str, logged: list[str]) -> str:
    """The logged name that a callback means: the one of another release, else one of the same data that is close."""
    if _OTHER_NAMES.get(name) in logged:
        return _OTHER_NAMES[name]
    same = [one for one in logged if one.startswith("val_") == name.startswith("val_")]
    return next(iter(get_close_matches(name, same, n=1, cutoff=_CLOSE)), "")
