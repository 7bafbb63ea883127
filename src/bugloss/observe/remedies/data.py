"""Edits of what goes into a model and its loss: scales, shapes, class indices, values that are not finite."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.diagnosis import Symptom
from bugloss.core.edit import Edit
from bugloss.observe.case import Case
from bugloss.observe.heads import main_head
from bugloss.observe.labels import class_count, counts, known_targets
from bugloss.observe.recording import LossFunction
from bugloss.observe.remedies.heads import loss_node
from bugloss.source.editing import add_argument, insert_before, replace_node
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import calls_in, dotted, keyword_of, method_of, receiver_of
from bugloss.source.training.loss_calls import last_assigned

_BYTES = 255  # the largest value of an image that nobody has scaled
_TAKING = ("fit", "TensorDataset", "train_on_batch")  # what takes inputs first and targets second
_GUARDED = {"log", "log2", "log10", "sqrt", "rsqrt", "reciprocal"}
_LEAST = "1e-8"
_MOST_WEIGHTS = 10  # a longer list belongs into a variable of its own


def scaled_inputs(case: Case) -> Iterator[Edit]:
    """Inputs divided by their largest value (images) or brought to mean zero and deviation one."""
    images = any(
        numbers.maximum == _BYTES and numbers.minimum >= 0
        for batch in case.recording.batches
        for numbers in batch.inputs
    )
    for module, statement, name in _given(case, 0):
        names = [name, *_validated(statement)]
        formula = "{} / 255.0" if images else f"({{}} - {name}.mean(0)) / ({name}.std(0) + {_LEAST})"
        yield insert_before(module, statement, f"{', '.join(names)} = {', '.join(map(formula.format, names))}")


def _validated(statement: ast.stmt) -> Iterator[str]:
    """The inputs that ``fit`` validates with: they need the scale of the training data, too."""
    for call in calls_in(statement, "fit"):
        given = keyword_of(call, "validation_data")
        if isinstance(given, ast.Tuple | ast.List) and given.elts and isinstance(given.elts[0], ast.Name):
            yield given.elts[0].id


def scaled_targets(case: Case) -> Iterator[Edit]:
    for module, statement, name in _given(case, 1):
        yield insert_before(module, statement, f"{name} = ({name} - {name}.mean()) / {name}.std()")


def finite_inputs(case: Case) -> Iterator[Edit]:
    """NaN replaced where NumPy is at hand."""
    for module, statement, name in _given(case, 0):
        numpy = next((bound for bound, target in module.names.imported.items() if target == "numpy"), "")
        if numpy:
            yield insert_before(module, statement, f"{name} = {numpy}.nan_to_num({name})")


def weighted_classes(case: Case) -> Iterator[Edit]:
    """The loss with a weight for each class: how much rarer it is than the commonest one."""
    known = counts(case.recording, "train")
    names = sorted(known, key=float) if all(name.lstrip("-").isdigit() for name in known) else []
    weights = [round(max(known.values()) / known[name], 1) for name in names if known[name]]
    if not 2 <= len(weights) == len(names) <= _MOST_WEIGHTS:
        return
    head = main_head(case.recording)
    loss = loss_node(case, head) if head is not None else None
    if loss is not None and isinstance(loss.node, ast.Call) and "torch" in loss.module.names.imported:
        by_class = head is not None and head.loss.kind == "cross-entropy"
        argument = f"weight=torch.tensor({weights})" if by_class else f"pos_weight=torch.tensor({weights[-1]})"
        edit = add_argument(loss.module, loss.node, argument)
        yield from [edit] if edit is not None else []
    for module, call in _fits(case):
        pairs = ", ".join(f"{name}: {weight}" for name, weight in zip(names, weights, strict=True))
        edit = add_argument(module, call, f"class_weight={{{pairs}}}")
        yield from [edit] if edit is not None else []


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
        for _, call in _fits(case):
            yield from (replace_node(module, one, f"{name} - 1") for one in call.args[1:2] if dotted(one) == name)


def _fits(case: Case) -> Iterator[tuple[SourceModule, ast.Call]]:
    for data in case.recording.data:
        module = case.sources.module(data.site)
        if module is not None and data.phase == "train":
            yield from ((module, call) for call in case.sources.calls(data.site, "fit"))


def equal_shapes(case: Case) -> Iterator[Edit]:
    """The operand of the loss with one axis more, without it."""
    for loss in case.recording.losses:
        longer = _longer(case, loss)
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
                yield replace_node(module, call.args[0], _above_zero(module, call, symptom))
        statement = module.statement(symptom.site.line) if module is not None and symptom.site is not None else None
        for divisor in _divisors(statement):
            if module is not None:
                yield replace_node(module, divisor, f"({module.source.segment(divisor)} + {_LEAST})")


def _above_zero(module: SourceModule, call: ast.Call, symptom: Symptom) -> str:
    """The operand with a small number added, or not below it where the operand was negative."""
    node = call.args[0]
    text = module.source.segment(node)
    if _was_negative(method_of(call), symptom):
        for framework, name in ((target, bound) for bound, target in module.names.imported.items()):
            if framework == "tensorflow":
                return f"{name}.maximum({text}, {_LEAST})"
            if framework == "torch":
                simple = isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript)
                return f"{text if simple else f'({text})'}.clamp(min={_LEAST})"
    return f"{text} + {_LEAST}"


def _was_negative(function: str | None, symptom: Symptom) -> bool:
    """Whether the operand was below zero: by its range, or because a root was NaN already without a gradient."""
    inputs = symptom.evidence.get("inputs")
    ranges = [pair for pair in inputs if isinstance(pair, list)] if isinstance(inputs, list) else []
    forward = symptom.evidence.get("direction") in {"forward", "loss"}
    return forward and (function == "sqrt" or any(pair[0] < 0 for pair in ranges))


def _divisors(statement: ast.stmt | None) -> Iterator[ast.expr]:
    """What a plain statement divides by, numbers apart."""
    for node in ast.walk(statement) if statement is not None and not hasattr(statement, "body") else ():
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div) and not isinstance(node.right, ast.Constant):
            yield node.right


def _longer(case: Case, loss: LossFunction) -> str | None:
    """Which operand is the other with an axis of one at its end."""
    output, target = loss.output_shape, loss.target_shape
    training = case.data("train")
    if not target and training is not None and training.target is not None:
        target = (*output[:1], *training.target.shape[1:])
    if output == (*target, 1):
        return "output"
    return "target" if target == (*output, 1) else None


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
    statement = _formula(module, loss.site.line)
    for node in ast.walk(statement) if statement is not None else ():
        pair = _pair(node)
        if pair is not None and statement is not None:
            first, second = pair
            is_output = _runs_model(module, first, statement) or not _runs_model(module, second, statement)
            yield (first, second, module) if is_output else (second, first, module)
            return


def _formula(module: SourceModule, line: int) -> ast.stmt | None:
    """The statement that computes a loss: the one on a line, or for ``loss.backward()`` the assignment before it."""
    statement = module.statement(line)
    call = statement.value if isinstance(statement, ast.Expr) else None
    receiver = receiver_of(call) if isinstance(call, ast.Call) and method_of(call) == "backward" else None
    named = isinstance(receiver, ast.Name) and statement is not None
    return last_assigned(module, receiver.id, statement) if named else statement  # type: ignore[union-attr,arg-type]


def _pair(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """Output and target, in either order: the sides of a difference, or what a function of the program takes."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        return node.left, node.right
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 2 and not node.keywords:
        return node.args[0], node.args[1]
    return None


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
