"""period-missing-in-sine."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.definitions import origin_nodes
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import last_part


class PeriodMissingInSine(Rule):
    """A time of day, of week or of year is passed to sine and cosine without its period.

    ## What it finds
    ``sin`` or ``cos`` of an hour, minute, weekday, month or day without a factor of 2π.

    ## Why it hurts
    Sine and cosine take radians. Without ``2 * pi / period`` neighbouring hours lie far apart on the circle and the
    period does not close.

    ## Example
    ```python
    features = np.sin(hour), np.cos(hour)
    ```

    ## Use instead
    ```python
    features = np.sin(2 * np.pi * hour / 24), np.cos(2 * np.pi * hour / 24)
    ```

    ## Known problems
    An angle that was multiplied by 2π where it cannot be seen is reported.

    ## Fix safety
    No fix is offered: the period is not known.

    ## References
    NumPy documentation of ``numpy.sin``.
    """

    name = "period-missing-in-sine"
    severity = Severity.WARNING
    category = Category.TRAINING
    fix_pattern = FixPattern.DATA_WRANGLING
    groups = ("data",)
    words = ("sin(", "cos(")
    faulty = (
        """\
import numpy as np
import torch

def features(hour, load):
    return np.stack([np.sin(hour / 24), np.cos(hour / 24), load], axis=1)
""",
    )
    clean = (
        """\
import numpy as np
import torch

def features(hour, day, load, angle):
    phase = 2 * np.pi * hour / 24
    week = day * (2 * np.pi / 7)
    return np.stack([np.sin(phase), np.cos(2 * np.pi * hour / 24), np.sin(week), np.sin(angle), load], axis=1)
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        for call in program.called("sin", "cos"):
            parts = origin_nodes(program, call.args[0]) if call.args else []
            names = [last_part(part) for part in parts if isinstance(part, ast.Name | ast.Attribute)]
            clock = next((name for name in names if _CLOCK.search(name)), None)
            if clock is not None and not any(_FULL_CIRCLE.search(name) for name in names) and not _has_number(parts):
                message = f"{clock} needs the factor 2 * pi / period before a sine or cosine"
                yield self.finding(program, call, message)


_CLOCK = re.compile(
    r"(^|_)(hours?|minutes?|weekdays?|months?|day_?of_?\w+|dow|doy|hour_?of_?day|dayofyear)($|_)", re.IGNORECASE
)
_FULL_CIRCLE = re.compile(r"^(pi|tau|two_pi|twopi|omega|phase|angle|radians|deg2rad)$", re.IGNORECASE)


def _has_number(parts: list[ast.AST]) -> bool:
    """Whether 2π, or π, is written as a number."""
    numbers = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, float)]
    return any(abs(number - known) < 0.01 for number in numbers for known in (3.1416, 6.2832))
