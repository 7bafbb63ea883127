"""Edits of what goes into a model and its loss: scales, shapes, class numbers, values that are not finite."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.observe.case import Case
from bugloss.observe.labels import class_count, known_targets
from bugloss.observe.recording import LossFunction
from bugloss.source.editing import insert_before, replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import dotted, keyword_of, method_of
from bugloss.source.training.loss_calls import last_assigned

_BYTES = 255  # the largest value of an image that nobody has scaled
_TAKING = ("fit", "TensorDataset", "train_on_batch")  # what takes inputs first and targets second
_GUARDED = {"log", "log2", "log10", "sqrt", "rsqrt", "reciprocal"}
_LEAST = "1e-8"


def scaled_inputs(case: Case) -> Iterator[Edit]:
    """Inputs divided by their largest value (images) or brought to mean zero and deviation one."""
    images = any(
        numbers.maximum == _BYTES and numbers.minimum >= 0
        for batch in case.recording.batches
        for numbers in batch.inputs
    )
    for module, statement, name in _given(case, 0):
        scaled = f"{name} / 255.0" if images else f"({name} - {name}.mean(0)) / ({name}.std(0) + {_LEAST})"
        yield insert_before(module, statement, f"{name} = {scaled}")


def scaled_targets(case: Case) -> Iterator[Edit]:
    for module, statement, name in _given(case, 1):
        yield insert_before(module, statement, f"{name} = ({name} - {name}.mean()) / {name}.std()")


def finite_inputs(case: Case) -> Iterator[Edit]:
    """NaN replaced where NumPy is at hand."""
    for module, statement, name in _given(case, 0):
        numpy = next((bound for bound, target in module.names.imported.items() if target == "numpy"), "")
        if numpy:
            yield insert_before(module, statement, f"{name} = {numpy}.nan_to_num({name})")


def classes_from_zero(case: Case) -> Iterator[Edit]:
    """Labels that begin at one made to begin at zero, in the loss or where ``fit`` takes them."""
    targets, classes = known_targets(case.recording), class_count(case.recording)
    least = min((item.minimum for item in targets), default=None)
    if least != 1 or not classes:
        return
    for call, module in _loss_calls(case):
        if len(call.args) == 2:
            yield replace_node(module, call.args[1], f"{module.source.segment(call.args[1])} - 1")
    for module, _, name in _given(case, 1):
        for call in module.called("fit"):
            yield from (replace_node(module, one, f"{name} - 1") for one in call.args[1:2] if dotted(one) == name)


def equal_shapes(case: Case) -> Iterator[Edit]:
    """The operand of the loss with one axis more, without it."""
    for loss in case.recording.losses:
        longer = _longer(loss)
        if not loss.broadcast or longer is None:
            continue
        for output, target, module in _operands(case, loss):
            node = output if longer == "output" else target
            text = module.source.segment(node)
            squeezed = text if isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript) else f"({text})"
            yield replace_node(module, node, f"{squeezed}.squeeze(-1)")


def guarded_operand(case: Case) -> Iterator[Edit]:
    """A small number added to what a logarithm, a root or a division takes, where the first NaN was made."""
    for symptom in case.all_seen("first-bad-operation"):
        module = case.sources.module(symptom.site)
        for call in case.sources.calls(symptom.site, *_GUARDED) if module is not None else ():
            if module is not None and call.args:
                yield replace_node(module, call.args[0], f"{module.source.segment(call.args[0])} + {_LEAST}")
        statement = module.statement(symptom.site.line) if module is not None and symptom.site is not None else None
        for divisor in _divisors(statement):
            if module is not None:
                yield replace_node(module, divisor, f"({module.source.segment(divisor)} + {_LEAST})")


def _divisors(statement: ast.stmt | None) -> Iterator[ast.expr]:
    """What a plain statement divides by, numbers apart."""
    for node in ast.walk(statement) if statement is not None and not hasattr(statement, "body") else ():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and not isinstance(node.right, ast.Constant):
            yield node.right


def _longer(loss: LossFunction) -> str | None:
    """Which operand is the other with an axis of one at its end."""
    if loss.output_shape == (*loss.target_shape, 1):
        return "output"
    return "target" if loss.target_shape == (*loss.output_shape, 1) else None


def _operands(case: Case, loss: LossFunction) -> Iterator[tuple[ast.expr, ast.expr, SourceModule]]:
    """Output and target where a loss is called, or where a formula subtracts one from the other."""
    module = case.sources.module(loss.site)
    if module is None or loss.site is None:
        return
    keras = case.recording.started is not None and case.recording.started.framework == "keras"
    if loss.kind != "custom":
        for call in case.sources.calls(loss.site):
            if len(call.args) == 2 and not call.keywords:
                first, second = call.args
                yield (second, first, module) if keras else (first, second, module)
                return
    statement = module.statement(loss.site.line)
    for node in ast.walk(statement) if statement is not None else ():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub) and statement is not None:
            left_is_output = _runs_model(module, node.left, statement) or not _runs_model(module, node.right, statement)
            yield (node.left, node.right, module) if left_is_output else (node.right, node.left, module)
            return


def _runs_model(module: SourceModule, node: ast.expr, statement: ast.stmt) -> bool:
    assigned = last_assigned(module, node.id, statement) if isinstance(node, ast.Name) else None
    return isinstance(node if assigned is None else assigned.value, ast.Call)


def _loss_calls(case: Case) -> Iterator[tuple[ast.Call, SourceModule]]:
    for loss in case.recording.losses:
        module = case.sources.module(loss.site)
        for call in case.sources.calls(loss.site) if module is not None else ():
            if module is not None and method_of(call) not in {"fit", "compile"}:
                yield call, module
                break


def _given(case: Case, position: int) -> Iterator[tuple[SourceModule, ast.stmt, str]]:
    """The variable that training takes its inputs (0) or targets (1) from, and the statement that does."""
    sites = [data.site for data in case.recording.data if data.phase == "train"]
    sites += [optimizer.site for optimizer in case.recording.optimizers]
    for path in dict.fromkeys(site.path for site in sites if site is not None):
        module = case.sources.project.module(path)
        for call in module.called(*_TAKING)[:1] if module is not None else ():
            given = call.args[position] if len(call.args) > position else keyword_of(call, ("x", "y")[position])
            statement = module.enclosing(call, ast.stmt) if module is not None else None
            if module is not None and isinstance(given, ast.Name) and isinstance(statement, ast.stmt):
                yield module, statement, given.id
