"""Names that the installed release no longer has, written in each of the ways that may do: running them decides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from bugloss.check.releases.catalogue import NameState, resolve
from bugloss.check.releases.removal import Removal, is_tensorflow1, removals
from bugloss.check.releases.renaming import old_interface, renamed
from bugloss.check.releases.replacement import Replacement
from bugloss.core.edit import Edit, merged
from bugloss.source.program import Program
from bugloss.source.text.source_file import SourceFile

_OF_GRAPHS = {
    "placeholder", "Session", "InteractiveSession", "get_variable", "variable_scope", "global_variables_initializer",
    "initialize_all_variables", "get_default_graph",
}  # fmt: skip
_BUILT_FIRST = 0.98  # a program that builds a graph and runs it in a session is one of TensorFlow 1 as a whole
_CLOSEST, _OLD_NAMES, _OLD_INTERFACE = 0.5, 0.42, 0.4


def rewritings(source: SourceFile, releases: Mapping[str, str]) -> Iterator[tuple[Edit, float, str]]:
    """Edits of one file with how likely each is, and why."""
    program = Program(source, dict(releases))
    found = [removal for removal in removals(program) if removal.certain]
    yield from _closest(program, found)
    old = [removal for removal in found if is_tensorflow1(removal)]
    yield from _old_interface(program, old) if old else ()


def _closest(program: Program, found: Sequence[Removal]) -> Iterator[tuple[Edit, float, str]]:
    edits = [edit for removal in found if (edit := renamed(program, removal)) is not None]
    differs = any(removal.instead is not None and removal.instead.how == "differs" for removal in found)
    if edits and differs:
        yield merged(edits), _CLOSEST, "These names were removed; what takes their place may take other arguments."


def _old_interface(program: Program, old: Sequence[Removal]) -> Iterator[tuple[Edit, float, str]]:
    of_graphs = any(removal.name.rsplit(".", 1)[-1] in _OF_GRAPHS for removal in old)
    whole = old_interface(program, old)
    if whole is not None:
        reason = "The program is written for TensorFlow 1; TensorFlow 2 has its interface as tensorflow.compat.v1."
        yield whole, _BUILT_FIRST if of_graphs else _OLD_INTERFACE, reason
    edits = [edit for removal in old if (edit := renamed(program, _compatible(removal))) is not None]
    if len(edits) == len(old):
        yield merged(edits), _OLD_NAMES, "tensorflow.compat.v1 has the names of TensorFlow 1."


def _compatible(removal: Removal) -> Removal:
    """The same with the name of the old interface instead."""
    new = removal.name.replace("tensorflow.", "tensorflow.compat.v1.", 1)
    has = resolve("tensorflow", new, removal.release.version).state is NameState.PRESENT
    return replace(removal, instead=Replacement(removal.name, "", new if has else "", "", "", "differs", ""))
