"""All typed edits of a crash, the likeliest first."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from bugloss.core.failed_plugin import FailedPlugin, log_failure
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.explanation import kind_of
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.scene import Scene
from bugloss.repair.typed_edits.arguments import argument_edits
from bugloss.repair.typed_edits.axes import axis_edits
from bugloss.repair.typed_edits.contract import TypedEdit
from bugloss.repair.typed_edits.counts import count_edits
from bugloss.repair.typed_edits.definitions import definition_edits
from bugloss.repair.typed_edits.dtypes import device_edits, type_edits
from bugloss.repair.typed_edits.imports import import_edits
from bugloss.repair.typed_edits.layers import layer_edits
from bugloss.repair.typed_edits.names import name_edits
from bugloss.repair.typed_edits.sizes import size_edits
from bugloss.repair.typed_edits.spelling import spelling_edits
from bugloss.repair.typed_edits.statements import statement_edits

Kind = Callable[[Scene, CrashedFile], Iterator[TypedEdit]]

# What may be wrong with a size or an axis is not looked for where the message is about something else.
_OF_SHAPES = {CrashKind.SHAPE, CrashKind.INDEX, CrashKind.OTHER, CrashKind.ARGUMENT, CrashKind.COLLATE}
_OF_CALLS = {CrashKind.SHAPE, CrashKind.DTYPE, CrashKind.OTHER, CrashKind.ARGUMENT, CrashKind.INDEX}
_ANY = set(CrashKind)
_KINDS: tuple[tuple[Kind, set[CrashKind]], ...] = (
    (definition_edits, _ANY),
    (statement_edits, _ANY),
    (spelling_edits, _ANY),
    (import_edits, _ANY),
    (count_edits, {CrashKind.INDEX, CrashKind.OTHER, CrashKind.ARGUMENT}),
    (size_edits, _OF_SHAPES),
    (layer_edits, _OF_SHAPES),
    (axis_edits, _OF_SHAPES),
    (type_edits, {CrashKind.DTYPE, CrashKind.OTHER, CrashKind.ARGUMENT, CrashKind.SHAPE}),
    (device_edits, {CrashKind.DEVICE, CrashKind.OTHER}),
    (name_edits, _OF_SHAPES | {CrashKind.CHECKPOINT}),
    (argument_edits, _OF_CALLS),
)
_ABOUT_SHAPES = re.compile(
    r"shape|size|dimension|channel|broadcast|\bdim\b|ndim|axis|axes|\dD\b|\d x ?\d|rank|columns|rows|index|range",
    re.IGNORECASE,
)
_NEED_SHAPES = {size_edits, layer_edits, axis_edits}
_SUREST = 0.34  # below what is known of a crash: a search finds an edit that runs, and others are compared with it
_MOST = 40  # of one crash; more are never reached


def typed_edits(scene: Scene) -> tuple[TypedEdit, ...]:
    """Each change once, under its highest likelihood."""
    file = scene.program
    if file is None:
        return ()
    about = kind_of(scene.exception)
    shapes = bool(_ABOUT_SHAPES.search(scene.text))
    found: dict[object, TypedEdit] = {}
    for kind, fitting in _KINDS:
        if about not in fitting or (kind in _NEED_SHAPES and not shapes):
            continue
        for one in _of_kind(kind, scene, file):
            key = frozenset(one.edit.changes)
            if key not in found or found[key].likelihood < one.likelihood:
                found[key] = one
    ordered = sorted(found.values(), key=lambda one: -one.likelihood)[:_MOST]
    return tuple(replace(one, likelihood=min(one.likelihood, _SUREST)) for one in ordered)


def _of_kind(kind: Kind, scene: Scene, file: CrashedFile) -> list[TypedEdit]:
    try:
        return list(kind(scene, file))
    except Exception as error:  # values and text of a foreign program: one kind must not hide the others
        log_failure(FailedPlugin.raised("fix pattern", kind.__name__, error))
        return []
