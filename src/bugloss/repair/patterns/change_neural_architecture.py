"""Another network."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.finding import Safety
from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.source.editing import delete_statement


class ChangeNeuralArchitectureFix(FixGenerator):
    """What it changes
    ---------------
    The order and number of layers, where no smaller change would do.

    When it is tried
    ----------------
    With findings about the order of layers. It is proposed, and never applied by itself.

    Known problems
    --------------
    Another architecture is another model: whether it is better takes a whole training to see.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.CHANGE_NEURAL_ARCHITECTURE
    examples = (
        FixExample(
            """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(32, 32, 3)), layers.Conv2D(8, 3)])
model.add(layers.MaxPooling2D())
model.add(layers.MaxPooling2D())
""",
            """\
import keras
from keras import layers

model = keras.Sequential([keras.Input(shape=(32, 32, 3)), layers.Conv2D(8, 3)])
model.add(layers.MaxPooling2D())
""",
        ),
    )

    safety = Safety.ADVICE

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        for finding, module, call in case.calls_found("back-to-back-pooling"):
            added = module.parents.get(call)
            statement = module.parents.get(added) if added is not None else None
            if isinstance(added, ast.Call) and isinstance(statement, ast.Expr):
                edit = delete_statement(module, statement)
                yield self.patch(edit, finding.confidence / 2, finding.message, changes_keys=True)
