"""Classes of the program that say too little or too much: samples past the end, settings that are not kept."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from bugloss.core.taxonomy import FixPattern
from bugloss.observe.crash.crashed_file import CrashedFile
from bugloss.observe.crash.fixes.rewriting import rewrite
from bugloss.observe.crash.scene import Scene
from bugloss.repair.typed_edits.contract import TypedEdit
from bugloss.source.editing import replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import method_of, walk

_SURE = 0.32
_AT_THE_END = re.compile(
    r"equal size|same (?:size|shape)|out of (?:range|bounds)|inhomogeneous|not broadcast", re.IGNORECASE
)
_CONFIG = re.compile(r"deserialized|from_config|get_config|missing \d+ required|Unrecognized keyword", re.IGNORECASE)


def definition_edits(scene: Scene, file: CrashedFile) -> Iterator[TypedEdit]:
    """Of the classes that the program defines."""
    if _AT_THE_END.search(scene.text):
        yield from _shorter_sets(file)
    if _CONFIG.search(scene.text):
        yield from _kept_settings(file)


def _classes(file: CrashedFile) -> Iterator[tuple[SourceModule, ast.ClassDef, dict[str, ast.FunctionDef]]]:
    for module in file.modules:
        for node in module.nodes[ast.ClassDef]:
            if isinstance(node, ast.ClassDef):
                yield module, node, {one.name: one for one in node.body if isinstance(one, ast.FunctionDef)}


def _shorter_sets(file: CrashedFile) -> Iterator[TypedEdit]:
    """A data set of windows has as many samples as there are whole windows."""
    for module, _, methods in _classes(file):
        length, reading = methods.get("__len__"), methods.get("__getitem__")
        end = length.body[-1] if length is not None else None
        if reading is None or not isinstance(end, ast.Return) or end.value is None or len(reading.args.args) < 2:
            continue
        reach = _reach(reading, reading.args.args[1].arg)
        if reach is None:
            continue
        parts, number = reach
        taken, given = _terms(end.value)
        rows = {term: count for term, count in taken.items() if count > 0}
        missing = Counter(parts)
        missing.update({term: count for term, count in taken.items() if count < 0})
        if len(rows) != 1 or any(count < 0 for count in missing.values()):
            continue
        text = module.source.segment(end.value)
        text += "".join(f" - {term}" for term, count in missing.items() for _ in range(count))
        rest = 1 - number - given
        text += f" {'+' if rest > 0 else '-'} {abs(rest)}" if rest else ""
        if text != module.source.segment(end.value):
            reason = "The last samples would reach past the end of the data."
            edit = rewrite(module, end.value, text)
            yield TypedEdit(edit, FixPattern.DATA_WRANGLING, _SURE, reason)


def _reach(function: ast.FunctionDef, index: str) -> tuple[Counter[str], int] | None:
    """How far behind its index a sample reads, as a sum; of several slices the one with most terms."""
    known: dict[str, ast.expr] = {}
    for node in walk(function):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            known.setdefault(node.targets[0].id, node.value)
    found: list[tuple[Counter[str], int]] = []
    for node in walk(function):
        if not isinstance(node, ast.Subscript):
            continue
        whole = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
        is_slice = isinstance(whole, ast.Slice)
        end = whole.upper if isinstance(whole, ast.Slice) else whole
        terms, number = _terms(_resolved(end, known, index)) if end is not None else (Counter[str](), 0)
        if terms.pop(index, 0) == 1 and (terms or number) and all(count > 0 for count in terms.values()):
            found.append((terms, number if is_slice else number + 1))
    return max(found, key=lambda one: (sum(one[0].values()), one[1]), default=None)


def _resolved(node: ast.expr, known: dict[str, ast.expr], index: str, depth: int = 0) -> ast.expr:
    """The expression with local names replaced by what they are."""
    if isinstance(node, ast.Name) and node.id != index and node.id in known and depth < 5:
        return _resolved(known[node.id], known, index, depth + 1)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        left = _resolved(node.left, known, index, depth)
        return ast.BinOp(left, node.op, _resolved(node.right, known, index, depth))
    return node


def _terms(node: ast.expr, sign: int = 1) -> tuple[Counter[str], int]:
    """A sum as its terms, each with how often it is added, and the number in it."""
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return Counter(), sign * node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        left, one = _terms(node.left, sign)
        right, two = _terms(node.right, sign if isinstance(node.op, ast.Add) else -sign)
        whole = Counter(left)
        whole.update(right)
        return Counter({term: count for term, count in whole.items() if count}), one + two
    return Counter({ast.unparse(node): sign}), 0


def _kept_settings(file: CrashedFile) -> Iterator[TypedEdit]:
    """``get_config`` of a layer of its own names every argument of its constructor."""
    for module, _, methods in _classes(file):
        made, kept = methods.get("__init__"), methods.get("get_config")
        if made is None or kept is None:
            continue
        own = {one.attr for one in walk(made) if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store)}
        wanted = [one.arg for one in (*made.args.args[1:], *made.args.kwonlyargs) if one.arg in own]
        said = {node.value for node in walk(kept) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        said |= {item.arg for call in walk(kept) if isinstance(call, ast.Call) for item in call.keywords if item.arg}
        missing = [name for name in wanted if name not in said]
        literal = next((node for node in walk(kept) if isinstance(node, ast.Dict)), None)
        if not missing:
            continue
        reason = f"A layer is made again from its settings, and {', '.join(missing)} is not among them."
        if literal is not None and None not in literal.keys:
            text = module.source.segment(literal)[:-1].rstrip().rstrip(",")
            more = ", ".join(f'"{name}": self.{name}' for name in missing)
            edit = replace_node(module, literal, f"{text}{', ' if literal.keys else ''}{more}}}")
            yield TypedEdit(edit, FixPattern.API_CONTRACT, _SURE, reason)
            continue
        for call in (
            node for node in walk(kept) if isinstance(node, ast.Call) and method_of(node) in {"update", "dict"}
        ):
            text = module.source.segment(call)[:-1].rstrip().rstrip(",")
            more = ", ".join(f"{name}=self.{name}" for name in missing)
            edit = replace_node(module, call, f"{text}{', ' if call.args or call.keywords else ''}{more})")
            yield TypedEdit(edit, FixPattern.API_CONTRACT, _SURE, reason)
