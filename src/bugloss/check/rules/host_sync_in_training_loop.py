"""host-sync-in-training-loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule
from bugloss.check.views.fresh_tensors import moves_networks
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in, method_of, receiver_of
from bugloss.source.training.gradient_steps import gradient_blocks


class HostSyncInTrainingLoop(Rule):
    """A training loop waits for the GPU several times per iteration.

    ## What it finds
    Three or more unconditional ``item()``, ``cpu()``, ``numpy()`` or ``tolist()`` calls in the innermost training
    loop of a file that uses a GPU.

    ## Why it hurts
    Each call stops the CPU until the device has finished all queued work, so the device is idle again and again.

    ## Example
    ```python
    for x, y in loader:
        ...
        total += loss.item()
        correct += hits.item()
        log(norm.item())
    ```

    ## Use instead
    ```python
    for i, (x, y) in enumerate(loader):
        ...
        total += loss.detach()
        if i % 100 == 0:
            log(total.item())
    ```

    ## Known problems
    On a CPU these calls cost nothing.

    ## Fix safety
    No fix is offered.

    ## References
    PyTorch documentation, Performance Tuning Guide: avoid unnecessary CPU-GPU synchronization; PyTorch issue 31474.
    """

    name = "host-sync-in-training-loop"
    severity = Severity.ADVICE
    category = Category.API
    fix_pattern = FixPattern.PERFORMANCE
    groups = ("performance", "loop")
    words = ("cuda", "device")
    faulty = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    total = correct = norm = 0.0
    for x, y in loader:
        x, y = x.cuda(), y.cuda()
        optimizer.zero_grad()
        output = model(x)
        loss = criterion(output, y)
        loss.backward()
        optimizer.step()
        total += loss.item()
        correct += (output.argmax(1) == y).sum().item()
        norm += output.norm().item()
    return total, correct, norm
""",
    )
    clean = (
        """\
import torch

def train(model, loader, criterion, optimizer):
    total = 0.0
    for i, (x, y) in enumerate(loader):
        x, y = x.cuda(), y.cuda()
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
        if i % 100 == 0:
            print(loss.item(), loss.cpu(), total)
    return total
""",
        """\
import torch

device = "cpu"

def evaluate(model, loader):
    for x, y in loader:
        print(model(x).sum().item(), y.sum().item(), x.sum().item())
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        if "torch" not in program.frameworks or not moves_networks(program):
            return
        for block in gradient_blocks(program):
            if not isinstance(block.owner, ast.For) or not block.of("backward"):
                continue
            plain = [part for part in block.owner.body if not isinstance(part, (ast.If, ast.For, ast.While, ast.Try))]
            waits = calls_in(plain, "item", "cpu", "tolist")
            waits = [call for call in waits if not isinstance(receiver_of(call), ast.Call) or method_of(call) != "cpu"]
            if len(waits) >= 3:
                message = f"every iteration waits for the device {len(waits)} times"
                related = tuple((program.span(call), "and here") for call in waits[1:])
                yield self.finding(program, waits[0], message, related=related)
