"""Tables and outputs that are one entry short: numbers that begin at one, a token or a class that was not counted."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from bugloss.core.edit import Edit, merged
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile, Made
from bugloss.observe.crash.fixes.rewriting import rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.repair.typed_edits.contract import TypedEdit

_SURE, _GUESS = 0.3, 0.12
_ALL = 1.05  # times: tables of the same ids are counted the same way
_TABLES = {"Embedding": ("num_embeddings", "input_dim"), "EmbeddingBag": ("num_embeddings",)}
_OUTPUTS = {"Linear": ("out_features",), "Dense": ("units",), "CategoryEncoding": ("num_tokens",)}
_INDEX = re.compile(
    r"= (?P<index>-?\d+) is not in \[0, (?P<size>\d+)\)|label value of (?P<label>-?\d+).*?\[0, (?P<classes>\d+)\)"
)
_ABOUT = re.compile(r"out of (?:range|bounds)|not in \[0|outside the valid range|index out of", re.IGNORECASE)
_MOST_MISSING = 2  # entries: what is further off is another fault


def count_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """Room for as many more entries as the index needs that was asked for."""
    if not _ABOUT.search(scene.text):
        return
    said = _INDEX.search(scene.text)
    index, size = (int(said["index"] or said["label"]), int(said["size"] or said["classes"])) if said else (0, 0)
    missing = index - size + 1 if said else 1
    if not 0 < missing <= _MOST_MISSING:
        return
    is_label = bool(said and said["label"])
    for kinds, sure in ((_TABLES, _GUESS if is_label else _SURE), (_OUTPUTS, _SURE if is_label else _GUESS)):
        yield from _longer(file, kinds, size, missing, sure)


def _longer(
    file: CrashedFile, kinds: Mapping[str, tuple[str, ...]], size: int, missing: int, sure: float
) -> Iterator[TypedEdit]:
    groups: dict[str, list[tuple[Made, ast.expr]]] = defaultdict(list)
    for made in file.layers():
        for name in kinds.get(made.kind, ()):
            node, known = made.given.get(name), made.sizes.get(name)
            if node is not None and (known is None or not size or known == size):
                groups[made.kind].append((made, node))
    reason = f"The largest index needs {missing} more {'entry' if missing == 1 else 'entries'}."
    for found in groups.values():
        edits = [_more(file, made, node, missing) for made, node in found]
        if len(edits) > 1:
            yield TypedEdit(merged(edits), FixPattern.LAYER_DIMENSION, sure * _ALL, reason)
        for edit in reversed(edits):  # the output layer is the last one
            yield TypedEdit(edit, FixPattern.LAYER_DIMENSION, sure, reason)


def _more(file: CrashedFile, made: Made, node: ast.expr, missing: int) -> Edit:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return rewrite(made.module, node, str(node.value + missing))
    return rewrite(made.module, node, f"{made.module.source.segment(node)} + {missing}")
