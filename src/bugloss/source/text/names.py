"""What a dotted name in a file means: imports resolved, the frameworks' aliases folded into one spelling."""

from __future__ import annotations

import ast
import re
from functools import lru_cache

from bugloss.core.network.layer import LAYERS
from bugloss.core.network.loss import losses_of
from bugloss.core.network.optimizer import OPTIMIZERS
from bugloss.source.text.tree import SyntaxTree

_TOP_LEVEL_MATH = r"log|exp|sqrt|divide|add|matmul|reduce_\w+|argmax|equal|multiply|subtract|pow"
_LAYER_MODULES = (
    "core|convolutional|pooling|recurrent|normalization|embeddings|merge|advanced_activations|noise|wrappers"
)

# Spellings that mean the same thing; the first that matches is applied, then the table is tried again.
_ALIASES = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"^tensorflow\.(?:compat\.v[12]\.)?(?:python\.)?keras\b", "keras"),
        (r"^tf_keras\b", "keras"),
        (r"^keras\.src\b", "keras"),
        (r"^tensorflow\.compat\.v[12]\.", "tensorflow."),
        (rf"^tensorflow\.(?:math|linalg)\.(?=(?:{_TOP_LEVEL_MATH})$)", "tensorflow."),
        (r"^keras\.(?:models|engine\.\w+|engine)\.(?=(?:Sequential|Model|Input)$)", "keras."),
        (rf"^keras\.layers\.(?:{_LAYER_MODULES})\.", "keras.layers."),
        (r"^keras\.layers\.(?=Input$|InputLayer$)", "keras."),
        (r"^keras\.layers\.Convolution([123])D$", r"keras.layers.Conv\1D"),
        (r"^keras\.layers\.MaxPool([123])D$", r"keras.layers.MaxPooling\1D"),
        (r"^keras\.layers\.AvgPool([123])D$", r"keras.layers.AveragePooling\1D"),
        (r"^keras\.optimizers\.(?:legacy|experimental|schedules)\.(?=[A-Z]\w+$)", "keras.optimizers."),
        (r"^torch\.nn\.modules\.\w+\.", "torch.nn."),
        (r"^torch\.special\.(?=(?:exp|log1p|softmax|log_softmax)$)", "torch."),
        (r"^torch\.optim\.\w+\.(?=[A-Z]\w+$)(?<!lr_scheduler\.)", "torch.optim."),
        (r"^np\.", "numpy."),
    )
)  # fmt: skip


def _layers(framework: str) -> tuple[str, ...]:
    return tuple(name for row in LAYERS if row.framework == framework for name in (row.name, *row.names))


# What `from module import *` brings, for the modules that programs import so; only names that are followed.
_STARRED: dict[str, tuple[str, ...]] = {
    "keras.layers": ("Input", "Layer", "add", "concatenate", "dot", "multiply", *_layers("keras")),
    "keras.models": ("Model", "Sequential", "load_model", "model_from_json"),
    "keras.optimizers": tuple(row.name for row in OPTIMIZERS if row.in_keras),
    "keras.callbacks": ("EarlyStopping", "ModelCheckpoint", "ReduceLROnPlateau", "LearningRateScheduler"),
    "torch.nn": ("Module", "Sequential", "ModuleList", *_layers("torch"), *(row.name for row in losses_of("torch"))),
}


@lru_cache(maxsize=8192)
def canonical(name: str) -> str:
    """One spelling for a qualified name: ``tensorflow.keras.layers.Dense`` becomes ``keras.layers.Dense``."""
    for _ in range(3):
        for pattern, replacement in _ALIASES:
            changed = pattern.sub(replacement, name, count=1)
            if changed != name:
                name = changed
                break
        else:
            return name
    return name


class Names:
    """The imports of one file."""

    def __init__(self, tree: SyntaxTree) -> None:
        self.imported: dict[str, str] = {}
        self.nodes: list[ast.Import | ast.ImportFrom] = []
        found = [*tree.nodes[ast.Import], *tree.nodes[ast.ImportFrom]]
        for node in sorted(found, key=lambda node: getattr(node, "lineno", 0)):
            if isinstance(node, ast.Import):
                self.nodes.append(node)
                for alias in node.names:
                    # `import a.b` binds a; `import a.b as c` binds c to a.b
                    root = alias.name.split(".")[0]
                    self.imported[alias.asname or root] = alias.name if alias.asname else root
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                self.nodes.append(node)
                for alias in node.names:
                    self.imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
                if node.names[0].name == "*":
                    for name in _STARRED.get(canonical(node.module), ()):
                        self.imported.setdefault(name, f"{node.module}.{name}")

    def raw(self, node: ast.expr) -> str | None:
        """The qualified name as written, e.g. ``tensorflow.keras.layers.Dense``; None when no import is behind it."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.imported:
            return None
        return ".".join([self.imported[node.id], *reversed(parts)])

    def qualified(self, node: ast.expr) -> str | None:
        """The canonical qualified name of a name or attribute chain."""
        name = self.raw(node)
        return None if name is None else canonical(name)

    @property
    def roots(self) -> set[str]:
        """The top-level packages that the file imports."""
        return {name.split(".")[0] for name in self.imported.values()}
