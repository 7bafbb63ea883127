"""Names that a module of a library does not have: the names that it has and that are spelled nearly so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bugloss.check.releases.catalogue import similar
from bugloss.core.edit import merged
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.scene import Scene
from bugloss.repair.typed_edits.contract import TypedEdit
from bugloss.source.editing import replace_last_word
from bugloss.source.text.module import SourceModule

_SURE, _NEXT = 0.34, 0.85  # each further name is that much less likely
_MOST = 3
_MISSING = re.compile(r"module '[\w.]+' has no attribute '(?P<name>\w+)'")


def spelling_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """Every use of the missing name becomes one of those that the module has."""
    said = _MISSING.search(scene.text)
    for module in file.modules if said is not None else ():
        uses = [one for one in module.nodes[ast.Attribute] if isinstance(one, ast.Attribute)]
        wrong = [one for one in uses if said is not None and one.attr == said["name"]]
        for at, name in enumerate(similar(_qualified(module, wrong[0]), _MOST) if wrong else ()):
            edit = merged([replace_last_word(module, node, name) for node in wrong])
            reason = f"The module has no {wrong[0].attr}, but {name}."
            yield TypedEdit(edit, FixPattern.API_CONTRACT, _SURE * _NEXT**at, reason)


def _qualified(module: SourceModule, node: ast.Attribute) -> str:
    return module.names.qualified(node) or ""
