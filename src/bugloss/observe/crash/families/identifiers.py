"""Names given as text that the framework does not know: losses, activations, optimizers, metrics."""

from __future__ import annotations

import re

from bugloss.core.network.activation import ACTIVATIONS
from bugloss.core.network.loss import losses_of
from bugloss.core.network.metric import metrics_of_library
from bugloss.core.network.optimizer import OPTIMIZERS
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.contract import CrashFamily, CrashText, Example, Pattern
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene

_FIX = {
    "loss": FixPattern.LOSS_FUNCTION,
    "activation": FixPattern.ACTIVATION,
    "optimizer": FixPattern.OPTIMIZER,
    "metric": FixPattern.ACCURACY_METRIC,
}


def names_in_keras(what: str) -> tuple[str, ...]:
    """Every text that Keras takes for a loss, an activation, an optimizer or a metric."""
    if what == "loss":
        return tuple(name for row in losses_of("keras") for name in (row.name, *row.names) if name.islower())
    if what == "metric":
        return tuple(_snake(name) for row in metrics_of_library("keras") for name in (row.name, *row.names))
    if what == "optimizer":
        return tuple(row.name.lower() for row in OPTIMIZERS if row.in_keras)
    return tuple(row.name for row in ACTIVATIONS if row.in_keras) if what == "activation" else ()


def _snake(name: str) -> str:
    """``TruePositives`` as a text: ``true_positives``."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


def _unknown(scene: Scene, match: re.Match[str]) -> CrashText:
    from difflib import get_close_matches

    what = (match["what"] or match["kind"]).split()[0]
    name = (match["name"] or match["given"]).strip("'\" .")
    near = get_close_matches(name.lower(), names_in_keras(what), n=2, cutoff=0.5)
    hint = f"Did you mean {' or '.join(repr(word) for word in near)}?" if near else "Write it as Keras spells it."
    return CrashText(
        f"Keras has no {what} '{name}'.",
        f"{hint} For a custom one pass the function itself, or custom_objects={{'{name}': …}} when loading a model.",
        fix_pattern=_FIX.get(what),
    )


PATTERNS = (
    Pattern(
        "unknown-identifier",
        CrashKind.ARGUMENT,
        FixPattern.API_CONTRACT,
        (
            "Unknown loss",
            "Unknown activation",
            "Unknown optimizer",
            "Unknown metric",
            "Could not interpret",
            "Unknown entry in loss",
        ),
        r"Unknown (?P<what>loss|activation|optimizer|metric)(?: function)?: ?(?P<name>'?[\w.]+)"
        r"|Could not interpret (?P<kind>loss|activation|optimizer|metric)(?: function)? identifier: ?"
        r"(?P<given>'?[\w.]+)",
        _unknown,
        (
            Example("Unknown loss function:crossentropy", ("categorical_crossentropy",), "ValueError"),
            Example("Could not interpret activation function identifier: rellu", ("'relu'",), "ValueError"),
            Example(
                "Unknown optimizer: adamm. Please ensure this object is passed to the `custom_objects`",
                ("'adam'",),
                "ValueError",
            ),
            Example("Could not interpret metric identifier: acuracy", ("'accuracy'",), "ValueError"),
        ),
        confidence=0.97,
    ),
)

FAMILY = CrashFamily("identifiers", PATTERNS)
