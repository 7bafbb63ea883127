"""Edits of the end of a network: output activation, units and loss, as ``core.network.fit`` proposes them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from bugloss.core.diagnosis import Site
from bugloss.core.edit import Edit
from bugloss.core.network.activation import Gives, activation, saturates
from bugloss.core.network.fit import ChangeKind, SuggestedChange, encoding_misfit, misfits
from bugloss.core.network.loss import LOSSES, Compares, Encoding, KnownLoss, Reads, loss
from bugloss.core.network.table import folded
from bugloss.observe.case import Case
from bugloss.observe.heads import RecordedHead, main_head
from bugloss.observe.labels import class_count, encoding
from bugloss.observe.layer_kinds import units
from bugloss.observe.recording import RecordedLayer
from bugloss.source.editing import replace_node
from bugloss.source.networks.head_edits import HeadPlaces, WrittenNode, head_edits, set_activation
from bugloss.source.origins.origins import made_node
from bugloss.source.text.syntax import keyword_of, method_of, walk_here

_ENCODINGS = {"index": Encoding.CLASS_NUMBERS, "one-hot": Encoding.ONE_HOT}
_OF_ACTIVATION = {ChangeKind.REMOVE_ACTIVATION, ChangeKind.SET_ACTIVATION}
_FORWARD = {"forward", "call", "__call__"}


def other_activation(case: Case) -> Iterator[Edit]:
    """What makes the output activation suit the loss and reach the targets."""
    head = main_head(case.recording)
    if head is None:
        return
    changes = [*_unreachable(case, head), *_misfit_changes(head)]
    places = _places(case, head)
    yield from head_edits((change for change in changes if change.kind in _OF_ACTIVATION), places)
    yield from _hidden(case)
    yield from head_edits((change for change in changes if change.kind not in _OF_ACTIVATION), places)


def other_loss(case: Case) -> Iterator[Edit]:
    """A loss for targets of this kind, then whatever else makes head and loss fit."""
    head = main_head(case.recording)
    if head is None:
        return
    changes = [*_for_targets(case, head), *_misfit_changes(head)]
    places = _places(case, head)
    yield from head_edits((change for change in changes if change.kind not in _OF_ACTIVATION), places)
    yield from head_edits((change for change in changes if change.kind in _OF_ACTIVATION), places)


def sigmoid_per_label(case: Case) -> Iterator[Edit]:
    """A sigmoid for each label instead of a softmax over all, with a loss that compares each of them."""
    head = main_head(case.recording)
    if head is None or head.row is None:
        return
    softmax = head.activation is not None and head.activation.gives is Gives.DISTRIBUTION
    changes = [SuggestedChange(ChangeKind.SET_ACTIVATION, "softmax", "sigmoid")] if softmax else []
    if head.row.compares is Compares.CLASSES:
        changes += _losses(head.row, Compares.EACH, Encoding.BINARY, raw=not softmax)
    yield from head_edits(changes, _places(case, head))


def units_per_class(case: Case) -> Iterator[Edit]:
    """As many output units as there are classes."""
    head, classes = main_head(case.recording), class_count(case.recording)
    if head is not None and classes:
        yield from head_edits(
            [SuggestedChange(ChangeKind.SET_UNITS, str(head.width), str(classes))], _places(case, head)
        )


def _misfit_changes(head: RecordedHead) -> Iterator[SuggestedChange]:
    if head.row is not None:
        for misfit in misfits(head.output, head.row, head.loss.from_logits):
            yield from misfit.changes


def _unreachable(case: Case, head: RecordedHead) -> Iterator[SuggestedChange]:
    if case.saw("target-outside-range") and head.activation is not None and not head.activation.is_identity:
        yield SuggestedChange(ChangeKind.REMOVE_ACTIVATION, head.activation.name)


def _for_targets(case: Case, head: RecordedHead) -> Iterator[SuggestedChange]:
    """Another loss because of how the targets are written."""
    written, row = encoding(case.recording), head.row
    if row is None or not case.saw("wrong-loss-for-targets", "label-encoding-mismatch"):
        return
    clash = encoding_misfit(row, _ENCODINGS.get(written), head.width) if row.classifies else None
    if clash is not None:
        yield from (change for change in clash.changes if change.kind is ChangeKind.SET_LOSS)
    if written == "real" and row.classifies:
        yield from _losses(row, Compares.VALUES, Encoding.REALS)
    elif written in _ENCODINGS and row.regresses and (head.width or 0) > 1:
        yield from _losses(row, Compares.CLASSES, _ENCODINGS[written])
    elif written in {"binary", "index"} and row.regresses:
        yield from _losses(row, Compares.EACH, Encoding.BINARY, raw=head.activation is None)


def _losses(row: KnownLoss, compares: Compares, targets: Encoding, raw: bool = False) -> Iterator[SuggestedChange]:
    rows = [one for one in LOSSES if one.framework == row.framework and one.compares is compares]
    rows = [
        one for one in rows if targets in (one.targets, *one.also_takes) and (one.usual or compares is Compares.VALUES)
    ]
    for one in sorted(rows, key=lambda one: (one.reads is Reads.SCORES) != raw)[:1]:
        yield SuggestedChange(ChangeKind.SET_LOSS, row.name, one.name)


def _hidden(case: Case) -> Iterator[Edit]:
    """ReLU instead of a squashing activation of the hidden layers that were seen saturated or vanishing."""
    named = {one.layer for one in case.all_seen("saturated-units", "vanishing-gradient", "dead-units") if one.layer}
    layers = [layer for layer in case.recording.layers.values() if layer.parameters or activation(layer.kind)]
    for layer in layers[:-1]:
        found = _layer_call(case, layer)
        given = keyword_of(found.node, "activation") if found and isinstance(found.node, ast.Call) else None
        odd = _is_for_outputs(str(layer.settings.get("activation", "")))
        concerned = odd or layer.name in named or not named
        known = activation(layer.kind)
        if found is not None and known is not None and (known.saturates or known.only_last):
            edit = set_activation(found, "relu", "torch")
            yield from [edit] if edit is not None else []
        if concerned and found is not None and isinstance(given, ast.Constant) and _is_unfit(given.value):
            yield replace_node(found.module, given, '"relu"')


def _is_for_outputs(name: str) -> bool:
    known = activation(name)
    return known is not None and known.only_last


def _is_unfit(name: object) -> bool:
    """Whether a hidden layer learns better with another activation."""
    return isinstance(name, str) and (saturates(name) or _is_for_outputs(name))


def _places(case: Case, head: RecordedHead) -> HeadPlaces:
    framework = case.recording.started.framework if case.recording.started else "torch"
    layers = [layer for layer in case.recording.layers.values() if layer.used]
    last = next((layer for layer in reversed(layers) if layer.parameters and units(layer)), None)
    name = head.activation.name if head.activation is not None else ""
    return HeadPlaces(
        framework,
        _activation(case, layers, name) if name else None,
        _layer_call(case, last) if last is not None else None,
        loss_node(case, head),
    )


def _activation(case: Case, layers: list[RecordedLayer], name: str) -> WrittenNode | None:
    """The last layer that is this activation or brings it along, else its last call in a forward pass."""
    for layer in reversed(layers[-3:]):
        attached = layer.settings.get("activation")
        if folded(layer.kind) == folded(name) or (isinstance(attached, str) and folded(attached) == folded(name)):
            return _layer_call(case, layer)
    sites = [*(layer.site for layer in layers), *(one.site for one in case.recording.losses)]
    for path in dict.fromkeys(site.path for site in sites if site is not None):
        found = list(_applied(case, path, name))
        if found:
            return found[-1]
    return None


def _applied(case: Case, path: str, name: str) -> Iterator[WrittenNode]:
    module = case.sources.project.module(path)
    if module is None:
        return
    kinds = {model.kind for model in case.recording.models}
    for function in module.nodes[ast.FunctionDef]:
        home = module.enclosing(function, ast.ClassDef)
        if isinstance(function, ast.FunctionDef) and function.name in _FORWARD and getattr(home, "name", "") in kinds:
            calls = [node for node in walk_here(function.body) if isinstance(node, ast.Call)]
            for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
                if folded(method_of(call)) == folded(name):
                    yield WrittenNode(module, call)


def _layer_call(case: Case, layer: RecordedLayer) -> WrittenNode | None:
    module, calls = case.sources.module(layer.site), case.sources.calls(layer.site, layer.kind)
    return WrittenNode(module, calls[0]) if module is not None and calls else None


def loss_node(case: Case, head: RecordedHead) -> WrittenNode | None:
    """Where the loss is named: in ``compile``, where its object is made, or where its function is called."""
    site: Site | None = head.loss.site
    module = case.sources.module(site)
    for call in case.sources.calls(site) if module is not None else ():
        if method_of(call) == "compile":
            given: Iterable[ast.expr | None] = [keyword_of(call, "loss"), *call.args[1:2]]
            node = next((one for one in given if one is not None), None)
        else:
            node = call if loss(method_of(call)) is not None else call.func
        if node is None or module is None:
            continue
        if node is call:
            return WrittenNode(module, call)
        where, made = made_node(case.sources.project, module, node)
        known = made.value if isinstance(made, ast.Constant) else method_of(made)
        if isinstance(made, ast.expr) and isinstance(known, str) and loss(known) is not None:
            return WrittenNode(where, made)
    return None
