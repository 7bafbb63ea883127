"""Names that a module or a class does not have: the names that it has and that are spelled nearly so."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from difflib import get_close_matches

from bugloss.check.releases.catalogue import similar
from bugloss.core.edit import merged
from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.scene import Scene
from bugloss.repair.typed_edits.contract import TypedEdit
from bugloss.source.editing import replace_last_word
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import walk

_SURE, _NEXT = 0.34, 0.85  # each further name is that much less likely
_MOST = 3
_CLOSE = 0.6  # of difflib: another number at the end of a short name
_OF_OBJECT = re.compile(r"'(?P<owner>\w+)' object has no attribute '(?P<name>\w+)'")
_MISSING = re.compile(r"module '[\w.]+' has no attribute '(?P<name>\w+)'")


def spelling_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """Of modules of libraries, then of classes of the program."""
    yield from _of_modules(scene, file)
    yield from _of_classes(scene, file)


def _of_modules(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
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


def _of_classes(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """An attribute that the class sets; one that nothing reads comes first."""
    said = _OF_OBJECT.search(scene.text)
    for module in file.modules if said is not None else ():
        for cls in (one for one in module.nodes[ast.ClassDef] if isinstance(one, ast.ClassDef)):
            if said is None or cls.name != said["owner"]:
                continue
            own = [one for one in walk(cls) if isinstance(one, ast.Attribute)]
            made = [one.attr for one in own if isinstance(one.ctx, ast.Store)]
            read = {one.attr for one in own if isinstance(one.ctx, ast.Load)}
            wrong = [one for one in own if one.attr == said["name"] and isinstance(one.ctx, ast.Load)]
            near = get_close_matches(said["name"], dict.fromkeys(made), _MOST, _CLOSE) if wrong else []
            for at, name in enumerate(sorted(near, key=lambda one: one in read)):
                edit = merged([replace_last_word(module, node, name) for node in wrong])
                reason = f"{cls.name} has no {said['name']}, but {name}."
                yield TypedEdit(edit, FixPattern.API_CONTRACT, _SURE * _NEXT**at, reason)
