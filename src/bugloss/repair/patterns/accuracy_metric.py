"""What a model is measured by."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.finding import Safety
from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.source.editing import replace_node


class AccuracyMetricFix(FixGenerator):
    """What it changes
    ---------------
    A metric that suits the task: no accuracy where numbers are predicted.

    When it is tried
    ----------------
    With findings about metrics that do not fit the loss.

    Known problems
    --------------
    Numbers of two metrics cannot be compared, so such a patch is proposed, and not shown to help.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.ACCURACY_METRIC
    examples = (
        FixExample(
            """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=3, activation="relu"), Dense(1)])
model.compile(optimizer="adam", loss="mse", metrics=["accuracy"])
""",
            """\
from keras.models import Sequential
from keras.layers import Dense

model = Sequential([Dense(16, input_dim=3, activation="relu"), Dense(1)])
model.compile(optimizer="adam", loss="mse", metrics=["mae"])
""",
        ),
    )

    safety = Safety.ADVICE

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        for finding, module, call in case.calls_found("metric-mismatch"):
            for node in (node for part in call.keywords if part.arg == "metrics" for node in ast.walk(part.value)):
                if isinstance(node, ast.Constant) and node.value in ("accuracy", "acc"):
                    quote = module.source.segment(node)[:1]
                    yield self.patch(
                        replace_node(module, node, f"{quote}mae{quote}"), finding.confidence, finding.message
                    )
