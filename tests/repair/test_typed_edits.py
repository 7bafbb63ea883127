"""Edits that are searched for where nothing is known to repair a crash."""

from __future__ import annotations

from collections.abc import Sequence

from bugloss.core.raised import Frame, RaisedException
from bugloss.observe.crash.scene import look_at
from bugloss.observe.crash_event import Crash, Operand
from bugloss.repair.typed_edits.search_space import typed_edits

SCRIPT = "train.py"


def programs(text: str, line: str, raised: str, operands: Sequence[Operand] = ()) -> list[str]:
    """What the edits make of a program that stopped in the line with this text, the likeliest first."""
    lines = text.split("\n")
    number = next(at for at, one in enumerate(lines, 1) if line in one)
    kind, _, message = raised.partition(": ")
    frame = Frame(SCRIPT, number, "main", lines[number - 1].strip())
    placed = tuple(Operand(one.name, one.shape, one.dtype, "cpu", number, SCRIPT) for one in operands)
    scene = look_at(Crash(RaisedException(kind, kind, message, (), (frame,)), placed), {SCRIPT: text}.get)
    return [one.edit.apply(SCRIPT, text) for one in typed_edits(scene)]


COMPUTED = """\
import torch
from torch import nn


class Mix(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.own = nn.Linear(inputs, 2 * outputs)
        self.others = nn.Linear(inputs, outputs)

    def forward(self, h, neighbours):
        return self.own(h) + self.others(neighbours)
"""


def test_a_size_that_is_only_known_from_its_weight_is_changed() -> None:
    """Sizes that are parameters with several values had no number, so that no edit was made for them."""
    raised = "RuntimeError: The size of tensor a (32) must match the size of tensor b (16) at non-singleton dimension 1"
    operands = [Operand("self.own.weight", (32, 8), "float32"), Operand("self.others.weight", (16, 8), "float32")]
    found = programs(COMPUTED, "return self.own(h)", raised, operands)
    assert COMPUTED.replace("2 * outputs", "outputs") in found[:2]


SEQUENTIAL = """\
import torch
from torch import nn


def network(hidden):
    return nn.Sequential(nn.Linear(6, hidden), nn.ReLU(), nn.Linear(2 * hidden, 4))


def train(pixels):
    for hidden in (16, 48):
        teacher = network(hidden)
        scores = teacher(pixels)
"""


def test_a_size_that_the_message_alone_tells_is_changed() -> None:
    raised = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (400x48 and 96x4)"
    found = programs(SEQUENTIAL, "scores = teacher(pixels)", raised, [Operand("pixels", (400, 6), "float32")])
    assert found[0] == SEQUENTIAL.replace("2 * hidden", "hidden")


FLAT = """\
import torch
from torch import nn


class Words(nn.Module):
    def __init__(self, sizes):
        super().__init__()
        self.embedding = nn.Embedding(30, 16)
        self.layers = nn.ModuleList(nn.Linear(*pair) for pair in sizes)

    def forward(self, contexts):
        state = self.embedding(contexts)
        for linear in self.layers:
            state = torch.tanh(linear(state))
        return state
"""


def test_axes_are_joined_where_that_gives_the_size_that_the_layer_takes() -> None:
    raised = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (192x16 and 48x64)"
    found = programs(FLAT, "torch.tanh(linear(state))", raised, [Operand("state", (64, 3, 16), "float32")])
    assert found[0] == FLAT.replace("linear(state)", "linear(state.flatten(1))")


def test_a_misspelled_name_becomes_one_that_the_module_has() -> None:
    program = "import torch\n\noptimizer = torch.opitm.Adam(parameters, lr=0.01)\n"
    found = programs(program, "opitm", "AttributeError: module 'torch' has no attribute 'opitm'")
    assert found[0] == program.replace("opitm", "optim")


def test_a_missing_argument_is_a_value_of_the_same_meaning() -> None:
    program = """\
from torch.optim.lr_scheduler import ReduceLROnPlateau


def train(model, optimizer, batches):
    scheduler = ReduceLROnPlateau(optimizer)
    for epoch in range(8):
        loss = model(batches)
        loss.backward()
        val_loss = model(batches)
        scheduler.step()
        print(val_loss)
"""
    raised = "TypeError: ReduceLROnPlateau.step() missing 1 required positional argument: 'metrics'"
    found = programs(program, "scheduler.step()", raised)
    assert found[0] == program.replace("scheduler.step()", "scheduler.step(metrics=val_loss)")


def test_a_name_that_nothing_resembles_stays() -> None:
    program = "import torch\n\nx = torch.zzqqxx(3)\n"
    assert programs(program, "zzqqxx", "AttributeError: module 'torch' has no attribute 'zzqqxx'") == []


def test_what_a_loss_needs_is_computed_outside_of_no_grad() -> None:
    program = """\
import torch

with torch.no_grad():
    out = model(x)
    loss = ((out - y) ** 2).mean()
loss.backward()
"""
    raised = "RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn"
    expected = """\
import torch

out = model(x)
loss = ((out - y) ** 2).mean()
loss.backward()
"""
    assert programs(program, "loss.backward()", raised)[0] == expected


def test_an_argument_too_much_is_left_out_from_the_end() -> None:
    program = "import torch\n\nout = model(x, hidden)\n"
    raised = "TypeError: Net.forward() takes 2 positional arguments but 3 were given"
    assert programs(program, "out = ", raised)[0] == "import torch\n\nout = model(x)\n"


def test_a_name_that_is_never_imported_is_imported_from_where_it_is() -> None:
    program = "import torch\n\nmodel = nn.Linear(3, 2)\nloader = DataLoader(data)\n"
    known = programs(program, "nn.Linear", "NameError: name 'nn' is not defined")
    assert known[0] == program.replace("import torch\n", "import torch\nfrom torch import nn\n")
    found = programs(program, "DataLoader", "NameError: name 'DataLoader' is not defined")
    assert "from torch.utils.data import DataLoader" in found[0]


def test_class_indices_before_scores_are_swapped_first() -> None:
    program = "import torch\n\n\ndef train(criterion, kinds, output):\n    return criterion(kinds, output)\n"
    raised = "RuntimeError: 0D or 1D target tensor expected, multi-target not supported"
    operands = [Operand("kinds", (30,), "int64"), Operand("output", (30, 4), "float32")]
    found = programs(program, "return criterion", raised, operands)
    assert found[0] == program.replace("criterion(kinds, output)\n", "criterion(output, kinds)\n")
