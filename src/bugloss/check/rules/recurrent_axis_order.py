"""recurrent-axis-order."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from bugloss.check.contract import Rule, add_argument
from bugloss.core.finding import Finding, Severity
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.source.networks.torch_classes import TorchClass, methods_of_forward, torch_classes
from bugloss.source.program import Program
from bugloss.source.text.syntax import calls_in, dotted, is_constant, keyword_of, method_of, spreads, walk, walk_here
from bugloss.source.values.values import UNKNOWN, Constant, Layer, Tensor, truth_of

_RECURRENT = {"RNN", "LSTM", "GRU"}
_REORDERS = ("transpose", "permute", "swapaxes", "movedim", "rearrange", "t", "pack_padded_sequence", "moveaxis")
_SEQUENTIAL = _RECURRENT | {"MultiheadAttention", "TransformerEncoderLayer", "TransformerDecoderLayer"}
_REDUCTIONS = {"mean", "max", "amax", "sum"}
_RANK = 3  # without a batch they take two axes
_POSITION = 5  # of batch_first among the arguments of nn.LSTM


class RecurrentAxisOrder(Rule):
    """A recurrent or attention layer reads the batch as time.

    ## What it finds
    ``nn.RNN``, ``LSTM``, ``GRU``, ``MultiheadAttention`` and ``TransformerEncoderLayer`` without ``batch_first=True``
    whose input is a batch of a data loader as it comes, whose output is read batch first (``output[:, -1]``,
    ``mean(dim=1)``) or whose initial state is made for ``x.size(0)`` samples; and the reverse, ``batch_first=True``
    with ``output[-1]``.

    ## Why it hurts
    Without ``batch_first`` the first axis is time. The layer then runs over the samples of a batch as if they were one
    sequence: shapes fit, the loss falls a little, and the network mixes samples.

    ## Example
    ```python
    self.lstm = nn.LSTM(8, 16)
    output, _ = self.lstm(x)
    return self.fc(output[:, -1])
    ```

    ## Use instead
    ```python
    self.lstm = nn.LSTM(8, 16, batch_first=True)
    output, _ = self.lstm(x)
    return self.fc(output[:, -1])
    ```

    ## Known problems
    Classes that transpose or permute anything are reported only where the axes of the input are known.

    ## Fix safety
    Suggested: ``batch_first=True`` is added.

    ## References
    PyTorch documentation, nn.LSTM: batch_first; the catalogue's row rnn-axis.
    """

    name = "recurrent-axis-order"
    severity = Severity.WARNING
    category = Category.MODEL
    fix_pattern = FixPattern.DATA_DIMENSION
    groups = ("model",)
    words = ("LSTM", "GRU", "RNN", "MultiheadAttention", "TransformerEncoder")
    faulty = (
        """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Beats(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter = nn.Linear(2, 16)
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4), num_layers=2)
        self.fc = nn.Linear(16, 3)

    def forward(self, x):
        return self.fc(self.encoder(self.enter(x)).flatten(1))

net = Beats()
for signal, label in DataLoader(TensorDataset(torch.randn(90, 20, 2), torch.randint(3, (90,))), batch_size=10):
    loss = nn.functional.cross_entropy(net(signal), label)
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 16, num_layers=2)
        self.fc = nn.Linear(16, 2)

    def forward(self, x):
        output, _ = self.lstm(x)
        return self.fc(output[:, -1, :])
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(d_model=16, nhead=4)
        self.encoder = nn.TransformerEncoder(layer, num_layers=2)
        self.fc = nn.Linear(16, 2)

    def forward(self, x):
        x = self.encoder(x)
        return self.fc(x.mean(dim=1))
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(8, 16, batch_first=True)
        self.fc = nn.Linear(16, 2)

    def forward(self, x):
        output, hidden = self.gru(x)
        return self.fc(output[-1])
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(8, 16)
        self.fc = nn.Linear(16, 2)

    def forward(self, x):
        h0 = torch.zeros(1, x.size(0), 16)
        output, hidden = self.gru(x, h0)
        return self.fc(hidden[-1])
""",
    )
    clean = (
        """\
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

class Beats(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, batch_first=True), 2)
        self.gru = nn.GRU(16, 3)

    def forward(self, x):
        states, last = self.gru(self.encoder(x).transpose(0, 1))
        return last[-1]

net = Beats()
for signal, label in DataLoader(TensorDataset(torch.randn(90, 20, 16), torch.randint(3, (90,))), batch_size=10):
    loss = nn.functional.cross_entropy(net(signal), label)
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 16, batch_first=True)
        self.other = nn.LSTM(8, 16)
        self.fc = nn.Linear(16, 2)

    def forward(self, x):
        output, (hidden, _) = self.lstm(x)
        return self.fc(output[:, -1]) + self.fc(hidden[-1])
""",
        """\
import torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(8, 16)
        self.fc = nn.Linear(16, 2)

    def forward(self, x):
        output, _ = self.lstm(x.transpose(0, 1))
        output = output.transpose(0, 1)
        return self.fc(output[:, -1])
""",
    )

    def check(self, program: Program) -> Iterator[Finding]:
        given_batches = _given_batches(program)
        for layer, name in given_batches.values():
            message = f"{name} takes the first axis for time, but its input has the batch there: batch_first=True"
            fix = None if spreads(layer) else add_argument(program, layer, "batch_first=True", "put the batch first")
            yield self.finding(program, layer, message, fix=fix, layer=name)
        for class_ in torch_classes(program).values():
            methods = methods_of_forward(class_)
            if any(calls_in(method.body, *_REORDERS) for method in methods) or "einops" in program.names.roots:
                continue
            layers = _layers(program, class_)
            for node in (node for method in methods for node in walk_here(method.body)):
                call = node.value if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) else None
                made = layers.get(dotted(call.func)) if call is not None else None
                if made is None or id(made) in given_batches or not isinstance(node, ast.Assign) or call is None:
                    continue
                yield from self._judge(program, class_, node, call, made)

    def _judge(
        self, program: Program, class_: TorchClass, node: ast.Assign, call: ast.Call, layer: ast.Call
    ) -> Iterator[Finding]:
        method = program.enclosing(node, ast.FunctionDef)
        name = _output(node)
        if not isinstance(method, ast.FunctionDef) or not name:
            return
        given = keyword_of(layer, "batch_first")
        batch_first = given is not None and is_constant(given, True)
        after = [other for other in walk_here(method.body) if getattr(other, "lineno", 0) > node.lineno]
        kind = method_of(layer)
        if given is None and len(layer.args) < _POSITION and not spreads(layer):
            reason = _read_by_sample(after, name) or _state_by_sample(method, call)
            if reason:
                message = f"{kind} takes the first axis for time, but {reason} takes it for the batch: batch_first=True"
                fix = add_argument(program, layer, "batch_first=True", "put the batch first")
                yield self.finding(program, layer, message, fix=fix, layer=kind)
        elif batch_first and kind in _RECURRENT and any(_is_last(other, name) for other in after):
            message = (
                f"{kind} with batch_first=True: {name}[-1] is the last sample, not the last step; use {name}[:, -1]"
            )
            yield self.finding(program, node, message, layer=kind)


def _given_batches(program: Program) -> dict[int, tuple[ast.Call, str]]:
    """The calls that make layers whose first axis is time, and that are given (batch, time, features)."""
    found: dict[int, tuple[ast.Call, str]] = {}
    for operation in program.prefixed("apply torch.nn."):
        layer, given = operation.receiver, next(iter(operation.positional), None)
        if isinstance(layer, Layer) and layer.name in {"TransformerEncoder", "TransformerDecoder"}:
            layer = layer.arguments.get("encoder_layer", layer.arguments.get("decoder_layer", UNKNOWN))
        if not isinstance(layer, Layer) or layer.name not in _SEQUENTIAL or not isinstance(given, Tensor):
            continue
        time_first = truth_of(layer.arguments.get("batch_first", Constant(False))) is False
        if time_first and given.rank == _RANK and given.shape is not None and given.shape[0] == "batch":
            found[id(layer.node)] = (layer.node, layer.name)
    return found


def _layers(program: Program, class_: TorchClass) -> dict[str, ast.Call]:
    """Attributes that hold such a layer, and the call that says which axis comes first."""
    made: dict[str, ast.Call] = {}
    encoders: list[ast.Call] = []
    for node in walk(class_.node):
        if isinstance(node, ast.Call) and method_of(node) == "TransformerEncoderLayer":
            encoders.append(node)
        value = node.value if isinstance(node, ast.Assign) else None
        if isinstance(node, ast.Assign) and isinstance(value, ast.Call):
            qualified = program.names.qualified(value.func) or ""
            if (
                qualified.startswith("torch.nn.") and method_of(value) in {*_RECURRENT, "MultiheadAttention"}
            ) or qualified == "torch.nn.TransformerEncoder":
                made[dotted(node.targets[0])] = value
    for name, call in list(made.items()):
        if method_of(call) == "TransformerEncoder":
            made.pop(name)
            if len(encoders) == 1:
                made[name] = encoders[0]
    return made


def _output(node: ast.Assign) -> str:
    target = node.targets[0]
    first = target.elts[0] if isinstance(target, ast.Tuple) and target.elts else target
    return first.id if isinstance(first, ast.Name) and first.id != "_" else ""


def _read_by_sample(nodes: list[ast.AST], name: str) -> str:
    """``output[:, -1]`` or ``output.mean(dim=1)``: the second axis is taken for time."""
    for node in nodes:
        if isinstance(node, ast.Subscript) and dotted(node.value) == name and isinstance(node.slice, ast.Tuple):
            first, second = node.slice.elts[0], node.slice.elts[1]
            whole = isinstance(first, ast.Slice) and first.lower is None and first.upper is None
            if whole and _is_minus_one(second):
                return f"{name}[:, -1]"
        if isinstance(node, ast.Call) and method_of(node) in _REDUCTIONS and isinstance(node.func, ast.Attribute):
            axis = keyword_of(node, "dim") or (node.args[0] if node.args else None)
            if dotted(node.func.value) == name and is_constant(axis, 1):
                return f"{name}.{method_of(node)}(dim=1)"
    return ""


def _state_by_sample(method: ast.FunctionDef, call: ast.Call) -> str:
    """``torch.zeros(layers, x.size(0), width)`` for the x that the layer gets."""
    given = dotted(call.args[0]) if len(call.args) > 1 else ""
    for node in calls_in(method.body, "zeros", "randn"):
        second = node.args[1] if len(node.args) == 3 else None
        size = (
            isinstance(second, ast.Call)
            and method_of(second) == "size"
            and is_constant(next(iter(second.args), None), 0)
        )
        shape = isinstance(second, ast.Subscript) and is_constant(second.slice, 0)
        owner = (
            second.func if isinstance(second, ast.Call) else second.value if isinstance(second, ast.Subscript) else None
        )
        if (size or shape) and isinstance(owner, ast.Attribute) and dotted(owner.value) == given:
            return f"its initial state for {given}.size(0) samples"
    return ""


def _is_last(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Subscript) and dotted(node.value) == name and _is_minus_one(node.slice)


def _is_minus_one(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and is_constant(node.operand, 1)
