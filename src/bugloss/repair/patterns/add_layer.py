"""A layer that is missing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.edit import Edit, TextChange
from bugloss.core.patch import Patch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixExample, FixGenerator
from bugloss.source.editing import insert_before
from bugloss.source.text.module import SourceModule


def _flattened(module: SourceModule, call: ast.Call, added: ast.Call, statement: ast.Expr) -> Edit:
    """A line that adds the layer, named as the program names its others; imported where these are."""
    owner = f"{module.source.segment(call.func.value)}." if isinstance(call.func, ast.Attribute) else ""
    edit = insert_before(module, statement, f"{module.source.segment(added.func)}({owner}Flatten())")
    beside = [] if owner or "Flatten" in module.read_words else _imported_with(module, module.source.segment(call.func))
    changes = [TextChange(module.path, module.span(alias).end, "", ", Flatten") for alias in beside[:1]]
    return Edit(edit.text, (*edit.changes, *changes))


def _imported_with(module: SourceModule, name: str) -> list[ast.alias]:
    """The import of a name, in a line that others can be added to."""
    imports = [node for node in module.nodes[ast.ImportFrom] if isinstance(node, ast.ImportFrom)]
    return [alias for node in imports for alias in node.names if (alias.asname or alias.name) == name]


class AddLayerFix(FixGenerator):
    """What it changes
    ---------------
    A flattening layer before a dense one that gets a feature map; other layers as causes propose them.

    When it is tried
    ----------------
    With the finding `missing-flatten`, and with causes that name a missing layer.

    Known problems
    --------------
    Dropout and normalization are only added for a symptom that calls for them.

    References
    ----------
    "Repairing Deep Neural Networks: Fix Patterns and Challenges" (ICSE 2020)
    """

    fix_pattern = FixPattern.ADD_LAYER
    examples = (
        FixExample(
            """\
import keras
from keras import layers

model = keras.Sequential()
model.add(layers.Conv2D(16, 3, input_shape=(28, 28, 1), activation="relu"))
model.add(layers.Dense(10, activation="softmax"))
model.compile("adam", "categorical_crossentropy")
""",
            """\
import keras
from keras import layers

model = keras.Sequential()
model.add(layers.Conv2D(16, 3, input_shape=(28, 28, 1), activation="relu"))
model.add(layers.Flatten())
model.add(layers.Dense(10, activation="softmax"))
model.compile("adam", "categorical_crossentropy")
""",
        ),
    )

    def proposals(self, case: RepairCase) -> Iterator[Patch]:
        for finding, module, call in case.calls_found("missing-flatten"):
            added = module.parents.get(call)
            statement = module.parents.get(added) if added is not None else None
            if isinstance(added, ast.Call) and isinstance(statement, ast.Expr) and added in module.called("add"):
                edit = _flattened(module, call, added, statement)
                yield self.patch(edit, finding.confidence, finding.message, changes_keys=True)
