"""From a crash to lines, evidence and advice; and to nothing where nothing is known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.core.edit import Edit, Span, TextChange
from bugloss.core.finding import Finding, Fix, Safety, Severity
from bugloss.core.run import Frame, RaisedException
from bugloss.core.taxonomy import Category, FixPattern
from bugloss.observe.crash import explain, kind_of
from bugloss.observe.crash.kind import CrashKind
from bugloss.observe.crash.known import Known
from bugloss.observe.recording import Crash, Operand

NET = """\
import torch.nn as nn

WIDTH = 120


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 5 * 5, WIDTH)
        self.fc2 = nn.Linear(WIDTH, 10)

    def forward(self, x):
        x = self.conv2(x).flatten(1)
        return self.fc2(self.fc1(x))
"""
LINEAR = "mat1 and mat2 shapes cannot be multiplied (10x256 and 400x120)"


def crash(message: str, *, kind: str = "RuntimeError", line: int = 15, **rest: object) -> Crash:
    frames = (
        Frame("train.py", 40, "main", "model(batch)"),
        Frame("/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", 1778, "_call_impl", "return f()"),
        Frame("train.py", line, "forward", NET.split("\n")[line - 1].strip()),
        Frame("/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py", 134, "forward", "return F.linear(…)"),
    )
    return Crash(RaisedException(kind, kind, message, (), frames), **rest)  # type: ignore[arg-type]


def source(path: str) -> str | None:
    return NET if path == "train.py" else None


def test_the_line_that_makes_the_layer_comes_before_the_line_that_crashed() -> None:
    first = explain(crash(LINEAR, operands=(Operand("x", (10, 256), "float32"),)), source)[0]
    assert [(location.path, location.line) for location in first.locations[:2]] == [("train.py", 10), ("train.py", 15)]
    assert first.locations[0].layer == "self.fc1"
    assert "self.fc1 takes 400 features; the tensor that reaches it, x, has 256 (shape 10×256)." in first.evidence
    assert first.advice == "Write `nn.Linear(256, WIDTH)` in line 10."
    assert first.edit is not None
    assert "self.fc1 = nn.Linear(256, WIDTH)" in first.edit.apply("train.py", NET)
    assert first.fix_pattern is FixPattern.LAYER_DIMENSION


def test_layers_and_values_are_found_in_other_files_of_the_program() -> None:
    files = {
        "train.py": "from model import Net\nfrom data import load\n\nnet = Net(400)\nsmall = load(8)\nlarge = load(16)\n"
        "net(small)\nnet(large)\n",
        "data.py": "import torch\n\ndef load(side):\n    return torch.zeros(10, side * side)\n",
        "model.py": "import torch.nn as nn\n\nclass Net(nn.Module):\n    def __init__(self, inputs):\n"
        "        super().__init__()\n        self.fc = nn.Linear(inputs, 120)\n\n    def forward(self, x):\n"
        "        return self.fc(x)\n",
    }
    frames = (Frame("train.py", 8, "<module>", "net(large)"), Frame("model.py", 9, "forward", "return self.fc(x)"))
    first = explain(Crash(RaisedException("RuntimeError", "RuntimeError", LINEAR, (), frames)), files.get)[0]
    assert [(location.path, location.line) for location in first.locations] == [("train.py", 4), ("model.py", 9)]
    assert first.advice == "Write `Net(256)` in line 4."


def test_where_the_value_was_made_comes_after_the_line_that_crashed() -> None:
    scattered = explain(crash("selected index k out of range"), source)[0]
    assert [(place.line, place.why) for place in scattered.locations] == [
        (15, "the program stopped here"),
        (14, "x gets its value here"),
    ]


def test_the_other_reading_is_that_the_data_are_wrong() -> None:
    _, rival = explain(crash(LINEAR), source)
    assert rival.fix_pattern is FixPattern.DATA_DIMENSION
    assert rival.confidence < 0.5


def test_without_the_source_the_numbers_of_the_message_remain() -> None:
    first = explain(crash(LINEAR), lambda path: None)[0]
    assert [(location.path, location.line) for location in first.locations] == [("train.py", 15)]
    assert "nn.Linear(256, 120)" in first.advice


def test_two_layers_of_one_size_are_not_told_apart_by_guessing() -> None:
    twice = NET.replace("self.fc2 = nn.Linear(WIDTH, 10)", "self.fc2 = nn.Linear(400, 120)")
    first = explain(crash(LINEAR), lambda path: twice)[0]
    assert not {10, 11} & {location.line for location in first.locations}


def test_a_source_that_does_not_parse_is_done_without() -> None:
    assert explain(crash(LINEAR), lambda path: "def (:\n")[0].cause == "layer-size-mismatch"


def test_an_operand_with_more_axes_means_that_nothing_was_flattened() -> None:
    flat = "mat1 and mat2 shapes cannot be multiplied (800x5 and 400x120)"
    first = explain(crash(flat, operands=(Operand("x", (10, 16, 5, 5), "float32"),)), source)[0]
    assert first.fix_pattern is FixPattern.ADD_LAYER
    assert first.advice == "Write `self.fc1(x.flatten(1))` in line 15."


def test_frames_inside_the_message_are_nearer_to_the_fault() -> None:
    message = (
        "Incompatible shapes: [2,3] vs. [2,4]\n\t [[node add (defined at x.py:1748) ]]\n\nOriginal stack trace for 'add':\n"
        '  File "model.py", line 11, in build\n    z = x + y\n'
        '  File "/venv/lib/python3.7/site-packages/tensorflow_core/python/ops/math_ops.py", line 899, in wrapper\n    f()\n'
    )
    first = explain(crash(message, kind="InvalidArgumentError"), source)[0]
    assert [(location.path, location.line) for location in first.locations[:2]] == [("model.py", 11), ("train.py", 15)]


def test_a_worker_of_a_loader_is_read_through() -> None:
    message = (
        "Caught FileNotFoundError in DataLoader worker process 0.\nOriginal Traceback (most recent call last):\n"
        '  File "data.py", line 7, in __getitem__\n    return open(self.names[i])\n'
        "FileNotFoundError: [Errno 2] No such file or directory: 'cats/7.png'\n"
    )
    first = explain(crash(message, kind="FileNotFoundError"), source)[0]
    assert first.cause == "file-missing"
    assert first.locations[0].path == "data.py"
    assert "cats/7.png" in first.explanation


@pytest.mark.parametrize("message", ["", "the moon is out of phase", "\n\n", "x" * 10_000])
def test_of_an_unknown_message_the_line_and_its_values_are_told(message: str) -> None:
    unknown = crash(message, kind="MoonError", operands=(Operand("x", (10, 256), "float32", "cuda:0"),))
    (told,) = explain(unknown, source)
    assert (told.cause, told.locations[0].line) == ("refused-call", 15)
    assert "x is float32 of shape (10, 256) on cuda:0." in told.evidence
    assert told.confidence < 0.5
    assert kind_of(unknown.exception) is CrashKind.OTHER
    assert explain(unknown, lambda path: None) == ()


def test_what_a_function_takes_is_told_where_its_message_says_nothing() -> None:
    program = "from torch.optim import Adam\noptimizer = Adam(weights, 0.1, momentum=0.9)\n"
    frames = (Frame("train.py", 2, "<module>", program.split("\n")[1]), Frame("/lib/python3.11/x.py", 3, "f", "f()"))
    failed = Crash(RaisedException("MoonError", "MoonError", "eclipse", (), frames))
    known = Known(signature={"torch.optim.Adam": ("params", "lr", "betas")}.__getitem__)
    (told,) = explain(failed, lambda path: program, known=known)
    assert told.evidence[:2] == ("torch.optim.Adam takes (params, lr, betas).", "It takes no momentum.")


def test_a_check_of_the_program_itself_leads_to_the_value_that_it_refuses() -> None:
    program = "SHARE = 80\n\ndef split(share):\n    if share > 1:\n        raise ValueError('bad')\n\nsplit(SHARE)\n"
    frames = (
        Frame("train.py", 7, "<module>", "split(SHARE)"),
        Frame("train.py", 5, "split", "raise ValueError('bad')"),
    )
    (told,) = explain(Crash(RaisedException("ValueError", "ValueError", "bad", (), frames)), lambda path: program)
    assert told.explanation == "The program itself stops in line 5 because `share > 1` holds: bad."
    assert [place.line for place in told.locations] == [1, 5]


def test_what_check_proves_of_the_line_is_evidence_and_its_fix_the_edit() -> None:
    edit = Edit.of(TextChange("train.py", Span(15, 0, 15, 0), "", "pass; "))
    finding = Finding(
        "some-rule", "train.py", Span(15, 8, 15, 20), "It is wrong.", Severity.ERROR, Category.MODEL,
        FixPattern.API_CONTRACT, fix=Fix(Safety.SUGGESTED, "Pass", edit),
    )  # fmt: skip
    (told,) = explain(crash("", kind="MoonError"), source, known=Known((finding,)))
    assert "check finds in line 15: It is wrong." in told.evidence
    assert told.edit == edit


def test_a_program_that_ran_elsewhere_is_found_by_the_end_of_its_path() -> None:
    """A sandbox runs the program from a folder of its own; the source is asked for it as the user has it."""
    elsewhere = Frame("/subject/work/train.py", 15, "forward", "return self.fc2(self.fc1(x))")
    ran = Crash(RaisedException("RuntimeError", "RuntimeError", LINEAR, (), (elsewhere,)))
    assert [(place.path, place.line) for place in explain(ran, source)[0].locations[:2]] == [
        ("train.py", 10),
        ("train.py", 15),
    ]


def test_a_file_of_the_same_name_with_another_line_is_not_taken_for_it() -> None:
    other = Frame("/elsewhere/train.py", 15, "forward", "return something_else(x)")
    ran = Crash(RaisedException("RuntimeError", "RuntimeError", LINEAR, (), (other,)))
    assert [place.path for place in explain(ran, source)[0].locations] == ["/elsewhere/train.py"]


def test_tensors_inside_libraries_do_not_stand_for_the_users() -> None:
    library = "/venv/lib/python3.11/site-packages/torch/nn/modules/linear.py"
    operands = (
        Operand("input", (10, 256), "float32", "cpu", 134, library),
        Operand("x", (10, 256), "float32", "cpu", 15, "train.py"),
    )
    assert "the tensor that reaches it, x, has 256" in explain(crash(LINEAR, operands=operands), source)[0].evidence[0]


def test_a_crash_without_frames_has_no_lines() -> None:
    bare = Crash(RaisedException("RuntimeError", "RuntimeError", LINEAR))
    assert explain(bare, source)[0].locations == ()


@given(st.text(max_size=300))
def test_any_message_can_be_looked_at(message: str) -> None:
    assert all(0 < cause.confidence <= 1 and cause.explanation for cause in explain(crash(message), source))


@given(
    st.sampled_from([LINEAR, "shape '[-1, 400]' is invalid for input of size 2560"]),
    st.lists(st.tuples(st.text(max_size=3), st.lists(st.integers(0, 900), max_size=5)), max_size=4),
)
def test_any_operands_can_be_there(message: str, shapes: list[tuple[str, list[int]]]) -> None:
    operands = tuple(Operand(name, tuple(shape), "float32") for name, shape in shapes)
    assert explain(crash(message, operands=operands), source)


TRAINED = """\
import torch
from torch import nn

net = nn.Linear(6, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
net(torch.rand(4, 6)).sum().backward()
optimizer.step()
later = torch.rand(4, 5)
net(later)
"""


@pytest.mark.parametrize(("step", "cause", "line"), [(0, "layer-size-mismatch", 4), (1, "input-size-mismatch", 8)])
def test_a_model_that_was_trained_is_right_and_what_it_gets_later_is_wrong(step: int, cause: str, line: int) -> None:
    frames = (Frame("train.py", 9, "<module>", "net(later)"),)
    message = "mat1 and mat2 shapes cannot be multiplied (4x5 and 6x2)"
    raised = RaisedException("RuntimeError", "RuntimeError", message, (), frames)
    first = explain(Crash(raised, (Operand("later", (4, 5), "float32"),), step=step), {"train.py": TRAINED}.get)[0]
    assert (first.cause, first.locations[0].line) == (cause, line)
    assert first.edit is not None
    assert first.edit.line == line


def test_the_fix_of_a_finding_is_made_wherever_the_program_has_the_same_fault() -> None:
    program = "import numpy as np\nwidth = np.float(3)\nheight = np.float(4)\n"
    findings = tuple(_removed_name(line, column) for line, column in ((2, 8), (3, 9)))
    raised = RaisedException(
        "AttributeError",
        "AttributeError",
        "module 'numpy' has no attribute 'float'",
        (),
        (Frame("train.py", 2, "<module>", "width = np.float(3)"),),
    )
    first = explain(Crash(raised), {"train.py": program}.get, known=Known(findings))[0]
    assert first.explanation.startswith("np.float was removed.")
    assert first.edit is not None
    assert "np.float" not in first.edit.apply("train.py", program)


def _removed_name(line: int, column: int) -> Finding:
    span = Span(line, column, line, column + 8)
    edit = Edit("write float", (TextChange("train.py", span, "np.float", "float"),))
    return Finding(
        "removed-name", "train.py", span, "np.float was removed", Severity.ERROR, Category.MODEL,
        FixPattern.VERSIONING, fix=Fix(Safety.SAFE, "Write float", edit),
    )  # fmt: skip
