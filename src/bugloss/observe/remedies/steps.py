"""Edits of a training loop that is written by hand: what is called, where, and in which order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.core.diagnosis import Site
from bugloss.core.edit import Edit, TextChange, quoted
from bugloss.observe.case import Case
from bugloss.source.editing import (
    delete_statement,
    insert_after,
    insert_before,
    move_after,
    replace_node,
    swap_nodes,
    unwrap_call,
)
from bugloss.source.text.module import SourceModule
from bugloss.source.text.syntax import dotted, method_of, receiver_of, walk_here
from bugloss.source.training.gradient_steps import gradient_steps, made_by
from bugloss.source.training.loss_calls import last_assigned
from bugloss.source.training.trainings import Training, TrainingStyle, written_trainings

_CUTTING = {"detach", "numpy", "item", "tolist"}
_INDENT = "    "


def clear_gradients(case: Case) -> Iterator[Edit]:
    """``optimizer.zero_grad()`` before the first backward pass of a batch."""
    for module, training in _trainings(case):
        backward = _statement(module, training.first("backward"))
        optimizer = _optimizer_of(module, training)
        if backward is None or not optimizer:
            continue
        outside = [step for step in gradient_steps(module) if step.role == "zero_grad"]
        inserted = insert_before(module, backward, f"{optimizer}.zero_grad()")
        if len(outside) == 1 and not training.first("zero_grad"):
            inserted = Edit(inserted.text, inserted.changes + delete_statement(module, outside[0].statement).changes)
        if not training.first("zero_grad"):
            yield inserted


def make_step(case: Case) -> Iterator[Edit]:
    """``optimizer.step()`` after the backward pass."""
    for module, training in _trainings(case):
        backward, optimizer = _statement(module, training.first("backward")), _optimizer_of(module, training)
        if backward is not None and optimizer and not training.first("optimizer", "scaler"):
            yield insert_after(module, backward, f"{optimizer}.step()")


def train_mode(case: Case) -> Iterator[Edit]:
    """``model.train()`` at the start of the loop over batches."""
    for module, training in _trainings(case):
        model = _model_of(module, case, training)
        if model and training.loop is not None:
            yield insert_before(module, training.loop, f"{model}.train()")


def evaluation_mode(case: Case) -> Iterator[Edit]:
    """``model.eval()`` before the passes that measure."""
    for module, statement, model in _evaluations(case):
        around = module.enclosing(statement, ast.For, ast.While, ast.With)
        start = around if isinstance(around, ast.stmt) and _is_inside(module, around, statement) else statement
        yield insert_before(module, start, f"{model}.eval()")


def without_gradients(case: Case) -> Iterator[Edit]:
    """The passes that measure, under ``torch.no_grad()``."""
    for module, statement, _ in _evaluations(case):
        loop = module.enclosing(statement, ast.For, ast.While)
        block = loop if isinstance(loop, ast.stmt) and _is_inside(module, loop, statement) else statement
        if isinstance(block, ast.stmt) and "torch" in module.names.imported:
            yield _under(module, block, "with torch.no_grad():")


def divide_accumulated(case: Case) -> Iterator[Edit]:
    """The loss divided by the number of batches between two steps."""
    counts = {step.backwards for step in case.recording.steps if step.backwards}
    for module, training in _trainings(case):
        backward = training.first("backward")
        receiver = receiver_of(backward.node) if backward and isinstance(backward.node, ast.Call) else None
        if receiver is not None and len(counts) == 1 and max(counts) > 1:
            text = module.source.segment(receiver)
            yield replace_node(module, receiver, f"({text} / {_steps_between(module, training, max(counts))})")


def schedule_per_epoch(case: Case) -> Iterator[Edit]:
    """``scheduler.step()`` after the loop over batches instead of inside it."""
    for module, training in _trainings(case):
        scheduler = _statement(module, training.first("scheduler"))
        # Where the loop over epochs is not in this function, it is around the call of it.
        is_called = scheduler is not None and module.enclosing(scheduler, ast.FunctionDef) is not None
        per_epoch = bool(training.outer) or is_called
        if scheduler is not None and training.loop is not None and per_epoch and case.saw("scheduler-per-step"):
            yield move_after(module, scheduler, training.loop)


def step_schedule(case: Case) -> Iterator[Edit]:
    """``scheduler.step()`` after each epoch, where nothing calls it."""
    for module, training in _trainings(case):
        stepped = [step for step in gradient_steps(module) if step.role == "scheduler"]
        made = made_by(module, "scheduler")
        if made and not stepped and training.loop is not None:
            yield insert_after(module, training.loop, f"{made[0][1]}.step()")


def keep_number(case: Case) -> Iterator[Edit]:
    """``loss.item()`` instead of the loss where losses are collected."""
    for module, training in _trainings(case):
        backward = training.first("backward")
        loss = dotted(receiver_of(backward.node)) if backward and isinstance(backward.node, ast.Call) else ""
        body = training.node
        for node in walk_here(body) if loss else ():
            for used in _collected(node, loss):
                yield replace_node(module, used, f"{loss}.item()")


def keep_graph(case: Case) -> Iterator[Edit]:
    """The ``detach()``, ``item()`` or ``numpy()`` between the outputs and the loss taken out."""
    for module, training in _trainings(case):
        loss = training.first("loss")
        statement = _statement(module, loss) if loss else None
        if loss is None or statement is None:
            continue
        for node in walk_here([statement, *_operands(module, loss.node, statement)]):
            if isinstance(node, ast.Call) and method_of(node) in _CUTTING and not node.args and receiver_of(node):
                yield unwrap_call(module, node)


def swap_operands(case: Case) -> Iterator[Edit]:
    """The two arguments of the loss in the other order."""
    for loss in case.recording.losses:
        module = case.sources.module(loss.site)
        for call in case.sources.calls(loss.site) if loss.swapped else ():
            if module is not None and len(call.args) == 2 and not call.keywords:
                yield swap_nodes(module, *call.args)
                return


def _operands(module: SourceModule, node: ast.AST, statement: ast.stmt) -> Iterator[ast.stmt]:
    """The assignments that gave the operands of a call their values."""
    for argument in node.args if isinstance(node, ast.Call) else ():
        assigned = last_assigned(module, argument.id, statement) if isinstance(argument, ast.Name) else None
        if assigned is not None:
            yield assigned


def _collected(node: ast.AST, loss: str) -> Iterator[ast.expr]:
    if isinstance(node, ast.AugAssign) and dotted(node.value) == loss:
        yield node.value
    elif isinstance(node, ast.Call) and method_of(node) == "append" and len(node.args) == 1:
        yield from (argument for argument in node.args if dotted(argument) == loss)


def _trainings(case: Case) -> Iterator[tuple[SourceModule, Training]]:
    """The loops that make steps by ``backward()``, in the files that the recording names."""
    recording = case.recording
    sites: list[Site | None] = [item.site for item in recording.losses]
    sites += [item.site for item in recording.optimizers]
    for path in dict.fromkeys(site.path for site in sites if site is not None):
        module = case.sources.project.module(path)
        if module is not None:
            yield from ((module, one) for one in written_trainings(module) if one.style is TrainingStyle.BACKWARD)


def _statement(module: SourceModule, step: object) -> ast.stmt | None:
    node = getattr(step, "node", None)
    found = module.enclosing(node, ast.stmt) if node is not None else None
    return found if isinstance(found, ast.stmt) else None


def _optimizer_of(module: SourceModule, training: Training) -> str:
    """The name of the optimizer that a training steps, or of the only one that the file makes."""
    step = training.first("optimizer")
    if step is not None:
        return step.receiver
    made = list(dict.fromkeys(target for _, target, _ in made_by(module, "optimizer")))
    return made[0] if len(made) == 1 else ""


def _model_of(module: SourceModule, case: Case, training: Training) -> str:
    """What is called in the loop and has modes somewhere in the file, or is made as the recorded model."""
    modes = {step.receiver for step in gradient_steps(module) if step.role in {"eval", "train"}}
    called = {dotted(node.func) for node in walk_here(training.node) if isinstance(node, ast.Call)}
    both = sorted(modes & called) or sorted(modes)
    return both[0] if both else next(iter(_model_names(module, case) & called), "")


def _model_names(module: SourceModule, case: Case) -> set[str]:
    kinds = {model.kind for model in case.recording.models}
    return {
        name
        for name, made in module.assignments.items()
        if any(isinstance(one.value, ast.Call) and method_of(one.value) in kinds for one in made)
    }


def _evaluations(case: Case) -> Iterator[tuple[SourceModule, ast.stmt, str]]:
    """The statements that run the model without training it, each file and line once."""
    seen = set()
    for evaluation in case.recording.evaluations:
        site = evaluation.site
        module = case.sources.module(site)
        statement = module.statement(site.line) if module is not None and site is not None else None
        if module is None or statement is None or site is None or (site.path, site.line) in seen:
            continue
        seen.add((site.path, site.line))
        modes = {step.receiver for step in gradient_steps(module) if step.role in {"eval", "train"}}
        called = {dotted(call.func) for call in module.calls_on(site.line)}
        model = next(iter(sorted(called & (modes | _model_names(module, case)))), "")
        if model or len(called) == 1:
            yield module, statement, model or called.pop()


def _is_inside(module: SourceModule, outer: ast.stmt, statement: ast.stmt) -> bool:
    """Whether both are in the same function."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    return module.enclosing(outer, *functions) is module.enclosing(statement, *functions)


def _under(module: SourceModule, block: ast.stmt, header: str) -> Edit:
    """A statement, indented, under a header of its own."""
    span = module.span(block)
    lines = module.source.lines[span.line - 1 : span.end_line]
    indentation = lines[0][: span.column]
    changes = [TextChange(module.path, span.start, "", f"{header}\n{indentation}{_INDENT}")]
    for number, line in enumerate(lines[1:], span.line + 1):
        if line.strip():
            at = type(span)(number, 0, number, 0)
            changes.append(TextChange(module.path, at, "", _INDENT))
    words = f"put {quoted(module.source.segment(block))} in line {span.line} under {quoted(header)}"
    return Edit(words, tuple(changes))


def _steps_between(module: SourceModule, training: Training, count: int) -> str:
    """The name by which the program counts batches between steps, else the number."""
    for node in walk_here(training.node):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and dotted(node.right):
            return dotted(node.right)
    return str(count)
