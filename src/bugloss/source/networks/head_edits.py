"""The changes that ``core.network.fit`` proposes, as edits of a program: of activation, loss and units."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bugloss.core.edit import Edit, TextChange, quoted
from bugloss.core.network.activation import activation
from bugloss.core.network.fit import ChangeKind, SuggestedChange
from bugloss.core.network.layer import layer
from bugloss.core.network.loss import KnownLoss, loss
from bugloss.source.editing import (
    add_argument,
    delete_statement,
    remove_argument,
    remove_element,
    replace_last_word,
    replace_node,
    replace_span,
    unwrap_call,
)
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import dotted, keyword_of, method_of

_APPENDING = {"add", "append", "add_module"}


@dataclass(frozen=True, slots=True, eq=False)
class WrittenNode:
    """An expression and the file that it is in."""

    module: SourceModule
    node: ast.expr

    @property
    def parent(self) -> ast.AST | None:
        return self.module.parents.get(self.node)

    def at(self, node: ast.expr) -> WrittenNode:
        return WrittenNode(self.module, node)


@dataclass(frozen=True, slots=True, eq=False)
class HeadPlaces:
    """Where the end of a network and its loss are written; None where that is not known.

    ``activation`` is the call of a function, or the call that makes an activation layer or a layer that brings its
    activation along; ``layer`` makes the last layer with weights; ``loss`` is a name, or the call of a loss function or
    of its class.
    """

    framework: str
    activation: WrittenNode | None = None
    layer: WrittenNode | None = None
    loss: WrittenNode | None = None


def head_edits(changes: Iterable[SuggestedChange], places: HeadPlaces) -> Iterator[Edit]:
    """Those of the changes that can be written down, in the same order."""
    for change in changes:
        edit = _edit(change, places)
        if edit is not None:
            yield edit


def _edit(change: SuggestedChange, places: HeadPlaces) -> Edit | None:
    match change.kind:
        case ChangeKind.REMOVE_ACTIVATION:
            return remove_activation(places.activation) if places.activation is not None else None
        case ChangeKind.SET_ACTIVATION if places.activation is not None and change.old:
            return set_activation(places.activation, change.new, places.framework)
        case ChangeKind.SET_ACTIVATION:
            return add_activation(places.layer, change.new, places.framework) if places.layer is not None else None
        case ChangeKind.SET_LOSS:
            known = loss(change.new, places.framework)
            return set_loss(places.loss, known) if places.loss is not None and known is not None else None
        case ChangeKind.SET_ARGUMENT:
            return _set_loss_argument(places.loss, change) if places.loss is not None else None
        case ChangeKind.SET_UNITS:
            return set_units(places.layer, change.new) if places.layer is not None and change.new else None
    return None


def remove_activation(written: WrittenNode) -> Edit | None:
    """The activation left out where it is applied."""
    module, node = written.module, written.node
    if not isinstance(node, ast.Call):
        return None
    attached = next((keyword for keyword in node.keywords if keyword.arg == "activation"), None)
    if attached is not None:
        return remove_argument(module, node, attached)
    if _is_applied_here(node):
        return unwrap_call(module, node)
    uses = _uses_of(written)
    if len(uses) == 1:
        return unwrap_call(module, uses[0])
    return _remove_made(written) if not uses else None


def set_activation(written: WrittenNode, new: str, framework: str) -> Edit | None:
    """Another activation in the place of the one that is there."""
    module, node = written.module, written.node
    if not isinstance(node, ast.Call):
        return None
    named = keyword_of(node, "activation") or (node.args[0] if method_of(node) == "Activation" and node.args else None)
    if named is not None:
        return replace_node(module, named, f'"{new}"')
    if framework == "torch" and isinstance(node.func, ast.Attribute):
        dimension = _normalizes(new) and not (node.keywords or len(node.args) > 1)
        if _is_applied_here(node):
            given = ", ".join(module.source.segment(one) for one in node.args)
            keywords = "".join(f", {keyword.arg}={module.source.segment(keyword.value)}" for keyword in node.keywords)
            over = ", dim=1" if dimension else keywords if _normalizes(new) else ""
            prefix = module.source.segment(node.func.value)
            return replace_node(module, node, f"{prefix}.{new}({given}{over})")
        return replace_node(module, node, _layer_text(module.source.segment(node.func.value), new))
    return None


def add_activation(written: WrittenNode, new: str, framework: str) -> Edit | None:
    """An activation after a layer that has none."""
    module, node = written.module, written.node
    if not isinstance(node, ast.Call):
        return None
    if framework == "keras":
        return add_argument(module, node, f'activation="{new}"')
    if isinstance(written.parent, ast.Call | ast.List) and isinstance(node.func, ast.Attribute):
        text = _layer_text(module.source.segment(node.func.value), new)
        words = f"insert {quoted(text)} after {quoted(module.source.segment(node))} in line {node.lineno}"
        return Edit(words, (TextChange(module.path, module.span(node).end, "", f", {text}"),))
    uses = _uses_of(written)
    function = _function_text(module, new)
    if len(uses) != 1 or not function:
        return None
    over = ", dim=1" if _normalizes(new) else ""
    return replace_node(module, uses[0], f"{function}({module.source.segment(uses[0])}{over})")


def set_loss(written: WrittenNode, new: KnownLoss) -> Edit | None:
    """Another loss in the place of the one that is there: its name, its function or its class."""
    module, node = written.module, written.node
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        quote = module.source.segment(node)[0]
        return replace_node(module, node, f"{quote}{new.name}{quote}")
    function = node.func if isinstance(node, ast.Call) else node
    old = dotted(function).rsplit(".", 1)[-1]
    text = _spelled_loss(new, old)
    if isinstance(function, ast.Attribute):
        changed = replace_last_word(module, function, text)
        whole = module.source.segment(function)
        words = f"write {quoted(whole[: -len(old)] + text)} instead of {quoted(whole)} in line {function.lineno}"
        return Edit(words, changed.changes)
    return _rename_imported(module, function, text) if isinstance(function, ast.Name) else None


def set_units(written: WrittenNode, new: str) -> Edit | None:
    """Another number of outputs of a layer."""
    node = written.node
    if not isinstance(node, ast.Call):
        return None
    positional = node.args[-1:] if written.module.names.qualified(node.func) == "torch.nn.Linear" else node.args[:1]
    given = next((found for name in ("units", "out_features") if (found := keyword_of(node, name))), None)
    value = given or (positional[0] if positional else None)
    return replace_node(written.module, value, new) if isinstance(value, ast.Constant) else None


def _set_loss_argument(written: WrittenNode, change: SuggestedChange) -> Edit | None:
    node, module = written.node, written.module
    if isinstance(node, ast.Call) and change.old and not change.new:
        keyword = next((one for one in node.keywords if one.arg == change.old.partition("=")[0]), None)
        return remove_argument(module, node, keyword) if keyword is not None else None
    if isinstance(node, ast.Call) and change.new and method_of(node)[:1].isupper():
        return add_argument(module, node, change.new)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and (prefix := _keras_prefix(module)):
        known = loss(node.value, "keras")
        name = _spelled_loss(known, "Class") if known is not None else ""
        return replace_node(module, node, f"{prefix}.losses.{name}({change.new})") if name else None
    return None


def _keras_prefix(module: SourceModule) -> str:
    """How the file says ``keras``."""
    for name, target in module.names.imported.items():
        if target in {"keras", "tensorflow.keras", "tf_keras"}:
            return name
        if target == "tensorflow":
            return f"{name}.keras"
    return ""


def _spelled_loss(new: KnownLoss, old: str) -> str:
    """The name of a loss as a class or as a function, whichever the old one was."""
    if new.framework == "torch":
        return new.name if old[:1].isupper() else (new.names or (new.name,))[0]
    return "".join(part.capitalize() for part in new.name.split("_")) if old[:1].isupper() else new.name


def _rename_imported(module: SourceModule, name: ast.Name, text: str) -> Edit | None:
    """A name that an import brings: the new one is imported beside it."""
    for statement in module.nodes[ast.ImportFrom]:
        for alias in statement.names if isinstance(statement, ast.ImportFrom) else ():
            if (alias.asname or alias.name) == name.id:
                used = replace_span(module, module.span(name), text)
                imported = TextChange(module.path, module.span(alias).end, "", f", {text}")
                bound = module.names.imported.get(text, "").rsplit(".", 1)[-1] == text
                return Edit(used.words, (used,) if bound else (used, imported))
    return None


def _is_applied_here(node: ast.Call) -> bool:
    """Whether the call applies an activation, rather than makes a layer that will."""
    name = method_of(node)
    return not name[:1].isupper() and activation(name) is not None and not name.startswith("Activation")


def _uses_of(written: WrittenNode) -> list[ast.Call]:
    """Calls of what a call makes: ``self.softmax(x)`` of ``self.softmax = nn.Softmax()``, or ``Softmax()(x)``."""
    parent, module = written.parent, written.module
    if isinstance(parent, ast.Call) and parent.func is written.node:
        return [parent]
    if not isinstance(parent, ast.Assign) or len(parent.targets) != 1 or not dotted(parent.targets[0]):
        return []
    name = dotted(parent.targets[0])
    home = module.enclosing(parent, ast.ClassDef)
    calls = module.called(name.rsplit(".", 1)[-1])
    return [call for call in calls if dotted(call.func) == name and module.enclosing(call, ast.ClassDef) is home]


def _remove_made(written: WrittenNode) -> Edit | None:
    """A layer left out of the list, or with the statement, that puts it into a model."""
    module, node, parent = written.module, written.node, written.parent
    if isinstance(parent, ast.Tuple) and isinstance(module.parents.get(parent), ast.List | ast.Call):
        return _remove_made(written.at(parent))  # ("softmax", nn.Softmax())
    if isinstance(parent, ast.List):
        return remove_element(module, list(parent.elts), node)
    if isinstance(parent, ast.Call) and method_of(parent) in _APPENDING:
        statement = module.parents.get(parent)
        return delete_statement(module, statement) if isinstance(statement, ast.Expr) else None
    if isinstance(parent, ast.Call) and node in parent.args:
        return remove_argument(module, parent, node)
    return None


def _layer_text(prefix: str, name: str) -> str:
    return f"{prefix}.{_class_name(name)}({'dim=1' if _normalizes(name) else ''})"


def _function_text(module: SourceModule, name: str) -> str:
    for bound, target in module.names.imported.items():
        if target == "torch" or target == "torch.nn.functional":
            return f"{bound}.{name}"
    return ""


def _normalizes(name: str) -> bool:
    """Whether an activation needs the axis of the classes."""
    known = activation(name)
    return known is not None and known.normalizes


def _class_name(name: str) -> str:
    """How ``torch.nn`` spells an activation: ``log_softmax`` is ``LogSoftmax``."""
    known = layer(name, "torch")
    return known.name if known is not None else name
