"""What is known of a file's networks, of its evaluation code and of the tensors it makes."""

from __future__ import annotations

import ast

import pytest

from bugloss.check.views.evaluation import inferences
from bugloss.check.views.fresh_tensors import fresh_tensor
from bugloss.source.local_functions import around, functions_by_name, reachable
from bugloss.source.networks.torch_classes import made_networks, methods_of_forward, mode_dependent, torch_classes
from bugloss.source.program import Program
from bugloss.source.text.source_file import SourceFile, parse_source
from bugloss.source.training.data_loaders import data_loaders
from bugloss.source.training.loss_calls import last_assigned, loss_calls


def program(text: str) -> Program:
    source = parse_source(text, "snippet.py")
    assert isinstance(source, SourceFile)
    return Program(source)


NETWORKS = """\
import torch
import torchvision
from torch import nn
from elsewhere import Strange

class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(2, 2)

    def forward(self, x):
        return self.helper(x)

    def helper(self, x):
        return self.layer(x)

class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.drop = Plain(), nn.Dropout(0.5)

class Derived(Noisy):
    pass

class Odd(nn.Module, Strange):
    pass

plain = Plain().to("cpu")
noisy = Derived()
pictures = torchvision.models.resnet18()
unknown = Strange()
"""


def test_network_classes_are_found_with_those_derived_in_the_file() -> None:
    assert set(torch_classes(program(NETWORKS))) == {"Plain", "Noisy", "Derived", "Odd"}


def test_variables_are_known_by_the_class_that_made_their_network() -> None:
    made = made_networks(program(NETWORKS))
    assert made["plain"] == "Plain"
    assert made["pictures"] == "torchvision.models.resnet18"
    assert "unknown" not in made


@pytest.mark.parametrize(("name", "expected"), [("plain", False), ("noisy", True), ("pictures", True)])
def test_networks_with_dropout_or_batch_norm_depend_on_the_mode(name: str, expected: bool) -> None:
    assert mode_dependent(program(NETWORKS), name) is expected


def test_methods_that_forward_calls_belong_to_the_forward_pass() -> None:
    class_ = torch_classes(program(NETWORKS))["Plain"]
    assert [method.name for method in methods_of_forward(class_)] == ["forward", "helper"]


def test_scopes_around_a_function_are_those_that_use_it() -> None:
    found = program("import torch\ndef inner(): ...\ndef outer():\n    inner()\ndef other(): ...\nouter()\n")
    functions = {name: nodes[0] for name, nodes in functions_by_name(found).items()}
    assert around(found, functions["inner"]) == {functions["inner"], functions["outer"], found.tree}


def test_reachable_code_includes_called_functions_once_even_in_a_recursion() -> None:
    found = program("import torch\ndef walk():\n    walk()\n    mark.here()\nfor x in data:\n    walk()\n")
    loop = found.tree.body[-1]
    names = [node.attr for node in reachable(found, loop) if isinstance(node, ast.Attribute)]
    assert names == ["here"]


def test_a_network_under_no_grad_runs_over_data_unless_the_loop_trains() -> None:
    text = """\
import torch
with torch.no_grad():
    for x in data:
        model(x)
for x in data:
    with torch.no_grad():
        y = model(x)
    loss.backward()
"""
    assert [found.over_data for found in inferences(program(text))] == [True, False]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torch.zeros(3)", "zeros"),
        ("torch.zeros(3).float().view(1, 3)", "zeros"),
        ("torch.zeros(3, device=d)", None),
        ("torch.tensor(0.5)", None),
        ("torch.tensor([0.5])", "tensor"),
        ("torch.zeros(3).to(d)", None),
        ("numpy.zeros(3)", None),
    ],
)
def test_a_fresh_tensor_is_one_made_without_a_device(text: str, expected: str | None) -> None:
    found = program(f"import torch, numpy\nx = {text}\n")
    assignment = found.tree.body[-1]
    assert isinstance(assignment, ast.Assign)
    assert fresh_tensor(found, assignment.value) == expected


def test_the_last_assignment_is_unclear_behind_a_branch() -> None:
    found = program("import torch\nx = 1\nif y:\n    x = 2\nuse(x)\nz = 3\nuse(z)\n")
    assert last_assigned(found, "x", found.tree.body[3]) is None
    assert last_assigned(found, "z", found.tree.body[5]) is found.tree.body[4]


def test_losses_know_the_order_of_their_arguments() -> None:
    text = """\
import keras
from torch import nn
import torch.nn.functional as F
first = nn.CrossEntropyLoss()
second = keras.losses.BinaryCrossentropy()
first(a, b)
second(a, b)
F.mse_loss(a, b)
F.cross_entropy(a, b)
"""
    found = [(loss.kind, loss.prediction_first, loss.symmetric) for loss in loss_calls(program(text))]
    assert ("CrossEntropyLoss", True, False) in found
    assert ("BinaryCrossentropy", False, False) in found
    assert ("cross_entropy", True, False) in found


def test_a_loader_tells_whether_its_order_is_settled_by_the_caller() -> None:
    text = """\
from torch.utils.data import DataLoader
plain = DataLoader(data, num_workers=2)
mixed = DataLoader(data, shuffle=True)
hidden = DataLoader(data, **options)
"""
    found = {loader.name: loader for loader in data_loaders(program(text))}
    assert [found[name].ordered_by_caller for name in ("plain", "mixed", "hidden")] == [False, True, True]
    assert found["plain"].has_workers
