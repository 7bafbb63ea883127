"""Fixes that put a new name in an old one's place, spelled with the imports that the file has."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence

from bugloss.check.contract import Rule
from bugloss.check.releases.api_use import api_uses
from bugloss.check.releases.catalogue import NameState, resolve
from bugloss.check.releases.removal import Removal
from bugloss.check.releases.replacement import Replacement, replacement
from bugloss.core.edit import Edit, TextChange
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.source.editing import replace_last_word, replace_node, replace_span
from bugloss.source.program import Program


def spelled(program: Program, symbol: str) -> str | None:
    """A qualified name as this file would write it; None when no import of the file leads there."""
    sign, name = ("-", symbol[1:]) if symbol.startswith("-") else ("", symbol)
    if "." not in name or name[:1].isdigit():
        return sign + name if name not in program.names.imported else None
    leads = [
        (len(target), f"{alias}{name[len(target) :]}")
        for alias, target in program.names.imported.items()
        if (name == target or name.startswith(f"{target}.")) and alias not in api_uses(program).rebound
    ]
    return sign + max(leads)[1] if leads else None


def shown(program: Program, symbol: str, place: ast.AST | None = None) -> str:
    """A name for people: as the file would write it; in full in an import; methods with their class alone."""
    if isinstance(place, ast.alias):
        return symbol
    if symbol.startswith(("keras.Model.", "torch.Tensor.")):
        return symbol.split(".", 1)[1]
    return spelled(program, symbol) or symbol


def renaming(program: Program, removal: Removal) -> Fix | None:
    """All places of a removed name changed to the new one, where it takes the same arguments."""
    instead = removal.instead
    if instead is None or instead.how != "same":
        return None
    edit = renamed(program, removal)
    return Fix(Safety.SAFE, f"write {shown(program, instead.new)}", edit) if edit is not None else None


def renamed(program: Program, removal: Removal) -> Edit | None:
    """All places of a removed name changed to the new one, whatever arguments it takes."""
    instead = removal.instead
    if instead is None or not instead.new:
        return None
    edits = [_edit(program, removal, place) for place in range(len(removal.nodes))]
    if any(edit is None for edit in edits):
        return None
    changes = dict.fromkeys(edit for edit in edits if edit is not None and edit.new)
    return Edit.of(*changes) if changes else None


def old_interface(program: Program, found: Sequence[Removal]) -> Edit | None:
    """The import of TensorFlow turned into that of its old interface, where that has all the names."""
    imports = [node for node in program.names.nodes if any(alias.name.startswith("tensorflow") for alias in node.names)]
    imports += [node for node in program.names.nodes if getattr(node, "module", "").startswith("tensorflow")]
    if len(imports) != 1 or not isinstance(imports[0], ast.Import) or imports[0] not in program.tree.body:
        return None
    (statement,) = imports
    alias = statement.names[0]
    kept = all(
        resolve(
            "tensorflow", removal.name.replace("tensorflow.", "tensorflow.compat.v1.", 1), removal.release.version
        ).state
        is NameState.PRESENT
        for removal in found
    )
    if len(statement.names) > 1 or alias.name != "tensorflow" or alias.asname is None or not kept:
        return None
    text = f"import tensorflow.compat.v1 as {alias.asname}\n{alias.asname}.disable_v2_behavior()"
    return replace_node(program, statement, text)


def _edit(program: Program, removal: Removal, place: int) -> TextChange | None:
    node, instead = removal.nodes[place], removal.instead
    assert instead is not None
    if not removal.uses:  # a method: only the last word of the chain changes
        return _last_word(program, node, instead.new)
    use = removal.uses[place]
    if isinstance(use.statement, ast.ImportFrom):
        return _import(program, use.statement, removal)
    if isinstance(node, ast.Name):  # bound by an import that is changed itself, under the same name
        return replace_span(program, program.span(node), "")
    text = spelled(program, instead.new)
    if text is None or not isinstance(node, ast.Attribute) or _is_shadowed(program, text):
        return None
    return replace_span(program, program.span(node), text)


def _is_shadowed(program: Program, text: str) -> bool:
    return hasattr(builtins, text) and text in api_uses(program).rebound


def _last_word(program: Program, node: ast.AST, new: str) -> TextChange | None:
    if not isinstance(node, ast.Attribute) or "." in new:
        return None
    return replace_last_word(program, node, new).changes[0]


def _import(program: Program, statement: ast.ImportFrom, removal: Removal) -> TextChange | None:
    """The whole statement rewritten, where everything it imports moved to one module."""
    names: list[str] = []
    modules: set[str] = set()
    for alias in statement.names:
        line = replacement(removal.release.package, f"{statement.module}.{alias.name}", removal.release.version)
        is_same = line is not None and line.how == (removal.instead.how if removal.instead is not None else "same")
        if line is None or not is_same or "." not in line.new or line.new.startswith("-"):
            return None
        module, _, new = line.new.rpartition(".")
        modules.add(module)
        bound = alias.asname or alias.name
        names.append(new if new == bound else f"{new} as {bound}")
    if len(modules) != 1:
        return None
    return replace_span(program, program.span(statement), f"from {modules.pop()} import {', '.join(names)}")


def report(rule: Rule, program: Program, removal: Removal, severity: Severity | None = None) -> Finding:
    """A finding about a removed name, with what to write instead."""
    message = f"{shown(program, removal.name, removal.nodes[0])} {removal.when}{_advice(program, removal.instead)}"
    others = len(removal.nodes) - 1
    if others:
        message += f" (here and in {others} more place{'s' if others > 1 else ''})"
    severity = severity or (rule.severity if removal.certain else Severity.ADVICE)
    fix = renaming(program, removal) or _suggestion(program, removal)
    return rule.finding(program, removal.nodes[0], message, fix=fix, severity=severity)


def _advice(program: Program, instead: Replacement | None) -> str:
    if instead is None:
        return ""
    if not instead.new:
        return f": {instead.note}" if instead.note else ""
    remark = f" ({instead.note})" if instead.note else ""
    return f": write {shown(program, instead.new)}{remark}"


def _suggestion(program: Program, removal: Removal) -> Fix | None:
    if removal.instead is None or not removal.instead.new:
        return None
    return Fix(Safety.ADVICE, f"write {shown(program, removal.instead.new)}")
