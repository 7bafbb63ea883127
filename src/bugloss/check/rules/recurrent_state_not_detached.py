"""recurrent-state-not-detached."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, insert_line_after
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.local_functions import functions_by_name
from bugloss.source.networks.torch_classes import torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import LoopNode, calls_in, loads, stored, targets_of, walk, walk_here
from bugloss.source.training.trainings import TrainingStyle, written_trainings


class RecurrentStateNotDetached(Rule):
    """A recurrent state is passed from batch to batch with its graph.

    ## What it finds
    A training loop in which a state comes out of the network and goes into it again in the next iteration (``output,
    state = model(x, state)``) and is not detached in between.

    ## Why it hurts
    The backward pass of the second batch goes through the graph of the first, which was freed: PyTorch stops with
    "Trying to backward through the graph a second time". With ``retain_graph=True`` memory and time grow with every
    batch.

    ## Example
    ```python
    for x, y in loader:
        output, hidden = model(x, hidden)
        criterion(output, y).backward()
    ```

    ## Use instead
    ```python
    for x, y in loader:
        hidden = hidden.detach()
        output, hidden = model(x, hidden)
        criterion(output, y).backward()
    ```

    ## Known problems
    A network whose own methods detach the state is not reported.

    ## Fix safety
    Suggested: the state is detached at the end of the iteration.

    ## References
    PyTorch examples, word_language_model: repackage_hidden.
    """

    name = "recurrent-state-not-detached"
    severity = Severity.ERROR
    category = Category.TRAINING
    fix_pattern = FixPattern.API_CONTRACT
    groups = ("loop",)
    words = ("backward",)
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer, hidden):
    for x, y in loader:
        optimizer.zero_grad()
        output, hidden = model(x, hidden)
        criterion(output, y).backward()
        optimizer.step()
""",
        """\
import torch
from torch import nn

rnn = nn.LSTM(4, 8)
optimizer = torch.optim.SGD(rnn.parameters(), lr=0.1)
state = None
for x, y in loader:
    optimizer.zero_grad()
    output, state = rnn(x, state)
    ((output - y) ** 2).mean().backward()
    optimizer.step()
""",
        """\
import torch

def play(env, agent, seen, hidden):
    scores = []
    for _ in range(8):
        score, hidden = agent(seen, hidden)
        seen = env.step(score)
        scores.append(score)
    return torch.stack(scores), seen, hidden

def train(env, agent, optimizer, seen, hidden):
    for _ in range(100):
        scores, seen, hidden = play(env, agent, seen, hidden)
        optimizer.zero_grad()
        scores.mean().backward()
        optimizer.step()
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion, optimizer, hidden):
    for x, y in loader:
        optimizer.zero_grad()
        hidden = hidden.detach()
        output, hidden = model(x, hidden)
        criterion(output, y).backward()
        optimizer.step()
""",
        """\
import torch

def train(model, loader, criterion, optimizer):
    for x, y in loader:
        hidden = model.start(len(x))
        optimizer.zero_grad()
        loss = 0
        for part in x:
            output, hidden = model(part, hidden)
            loss = loss + criterion(output, y)
        loss.backward()
        optimizer.step()
""",
        """\
import torch

def train(model, loader, criterion, optimizer, hidden):
    for x, y in loader:
        optimizer.zero_grad()
        output, hidden = model(x, tuple(part.detach() for part in hidden))
        criterion(output, y).backward()
        optimizer.step()
""",
        """\
import torch

def play(env, agent, seen, hidden):
    scores = []
    for _ in range(8):
        score, hidden = agent(seen, hidden)
        seen = env.step(score)
        scores.append(score)
    return torch.stack(scores), seen, hidden.detach()

def train(env, agent, optimizer, seen, hidden):
    for _ in range(100):
        scores, seen, hidden = play(env, agent, seen, hidden)
        optimizer.zero_grad()
        scores.mean().backward()
        optimizer.step()
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if any(calls_in(list(walk(class_.node)), "detach", "detach_") for class_ in torch_classes(program).values()):
            return
        for training in written_trainings(program):
            if training.style is not TrainingStyle.BACKWARD or training.loop is None:
                continue
            for assign, name in _carried(program, training.loop):
                message = f"{name} carries the graph of the last batch into the next one: detach it after each batch"
                last = training.loop.body[-1]
                fix = insert_line_after(program, last, _detached(program, name), f"detach {name}")
                yield self.finding(program, assign, message, fix=fix)


def _carried(program: Program, loop: LoopNode) -> Iterator[tuple[ast.Assign, str]]:
    """Names that a call takes and gives, and that nothing else in the loop sets or detaches."""
    bound = [node for node in walk_here(loop.body) if isinstance(node, (ast.Assign, ast.For, ast.AugAssign))]
    for node in bound:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
            continue
        target = node.targets[0]
        for name in sorted(_taken_and_given(node)) if isinstance(target, ast.Tuple) else ():
            others = [other for other in bound if other is not node and name in _names(other)]
            detached = any(name in loads(call) for call in calls_in(loop.body, "detach", "detach_", "item"))
            if not others and not detached and _stays_attached(program, node, name):
                yield node, name


def _taken_and_given(node: ast.Assign) -> set[str]:
    assert isinstance(node.value, ast.Call)
    return {part.id for part in node.value.args if isinstance(part, ast.Name)} & stored(node.targets[0])


def _stays_attached(program: Program, node: ast.Assign, name: str) -> bool:
    """Whether a function of the program gives the state back as a network in it made it; assumed of other calls."""
    call, target = node.value, node.targets[0]
    functions = functions_by_name(program).get(getattr(getattr(call, "func", None), "id", ""), [])
    if len(functions) != 1 or not isinstance(target, ast.Tuple):
        return True
    places = [at for at, one in enumerate(target.elts) if isinstance(one, ast.Name) and one.id == name]
    inside = list(walk_here(functions[0].body))
    for returned in (one.value for one in inside if isinstance(one, ast.Return)):
        given = returned.elts[places[0]] if isinstance(returned, ast.Tuple) and places else None
        made = [one for one in inside if isinstance(one, ast.Assign) and isinstance(one.value, ast.Call)]
        if isinstance(given, ast.Name) and any(given.id in _taken_and_given(one) for one in made):
            return not any(given.id in loads(cut) for cut in calls_in(functions[0].body, "detach", "detach_", "item"))
    return False


def _names(node: ast.AST) -> set[str]:
    targets = [node.target] if isinstance(node, ast.For) else targets_of(node)
    return {name for target in targets for name in stored(target)}


def _detached(program: Program, name: str) -> str:
    if program.mentions(("LSTM",)):
        return f"{name} = tuple(part.detach() for part in {name})"
    return f"{name} = {name}.detach()"
