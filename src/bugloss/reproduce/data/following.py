"""Who consumes which data: the program's values followed with a tag on everything that the report leaves out."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bugloss.core.network.loss import loss
from bugloss.source.follow.interpreter import Interpreter
from bugloss.source.networks.network import RESHAPES
from bugloss.source.program import Program
from bugloss.source.semantics import all_semantics
from bugloss.source.text.source_file import Skipped, parse_source
from bugloss.source.values.values import UNKNOWN, Items, Layer, Model, Operation, Other, TableValue, Tensor, Value

TAG = "stand-in:"
_RESHAPES = RESHAPES | {"one_hot"}
_FITS = {"fit": (0, 1), "evaluate": (0, 1), "predict": (0, None), "train_on_batch": (0, 1), "test_on_batch": (0, 1),
         "predict_classes": (0, None), "predict_proba": (0, None), "predict_on_batch": (0, None)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Consumption:
    """A place that takes tagged data: as input of a network, or as target beside its output."""

    tag: str
    role: str  # input | target
    operation: Operation
    model: Model | None
    output: Value = UNKNOWN  # what a target is compared with
    place: int = 0  # of several inputs
    reshaped: tuple[Tensor, ...] = ()  # what became of the data on the way


@dataclass(frozen=True, slots=True)
class Following:
    """A program followed with tags."""

    program: Program
    interpreter: Interpreter
    consumed: tuple[Consumption, ...]

    def of(self, tag: str, role: str | None = None) -> list[Consumption]:
        return [one for one in self.consumed if one.tag == tag and role in {None, one.role}]


def tensor(tag: str, library: str, shape: tuple[int, ...] | None = None) -> Tensor:
    """An array of which nothing is known but where it comes from, and perhaps its shape."""
    return Tensor(library, shape, facts=frozenset({TAG + tag}))


def loader(tensors: Sequence[Tensor], keys: Sequence[str] = ()) -> Other:
    """Something that returns samples of several parts."""
    parts: list[Value] = list(tensors)
    element: Value = TableValue(dict(zip(keys, parts, strict=True))) if keys else Items(parts, is_tuple=True)
    if len(parts) == 1 and not keys:
        element = parts[0]
    return Other("DataLoader", {"element": element}, ast.Pass())


def follow(text: str, bound: Mapping[str, Value], releases: Mapping[str, str]) -> Following | None:
    """The program followed with values bound to undefined names; None where it does not parse."""
    source = parse_source(text, "report.py")
    if isinstance(source, Skipped):
        return None
    program = Program(source, dict(releases))
    interpreter = Interpreter(program.tree, program.names, all_semantics())
    interpreter.scope.variables.update(bound)
    interpreter.run()
    return Following(program, interpreter, tuple(_consumptions(interpreter)))


def _consumptions(interpreter: Interpreter) -> Iterator[Consumption]:
    for operation in interpreter.operations:
        method = operation.name.rsplit(".", 1)[-1]
        if method in _FITS and "." in operation.name:
            yield from _of_fit(operation, *_FITS[method])
        elif operation.name == "Model.__call__" and isinstance(operation.receiver, Model):
            for place, value in enumerate(operation.positional):
                yield from _roles(value, "input", operation, operation.receiver, place=place)
        elif operation.name == "Loss.__call__" or _is_torch_loss(operation.name):
            yield from _of_loss(operation)
        elif operation.name.startswith("tensorflow.nn.") and "cross_entropy" in method:
            yield from _roles(
                operation.argument(-1, "labels"), "target", operation, None, operation.argument(-1, "logits")
            )
        elif operation.name.startswith("apply ") and isinstance(operation.receiver, Layer):
            for value in operation.positional[:1]:
                yield from _roles(value, "layer", operation, None, operation.receiver)
        elif method in {"transpose", "permute"} and (axes := _axes(operation)):
            for value in (operation.receiver, *operation.positional[:1]):
                yield from _roles(value, "rank", operation, None, place=axes)
        elif operation.name in {"operator.sub", "operator.eq"} and len(operation.positional) == 2:
            yield from _of_difference(operation)
        elif operation.name == "?" and len(operation.positional) == 1:
            yield from _roles(operation.positional[0], "call", operation, None)


def _is_torch_loss(name: str) -> bool:
    """Whether a function compares outputs with targets; losses of pairs and triples do something else."""
    module, _, function = name.rpartition(".")
    known = loss(function, "torch") if module == "torch.nn.functional" else None
    return known is not None and (known.classifies or known.regresses or known.kind == "kl-divergence")


def _of_fit(operation: Operation, first: int, second: int | None) -> Iterator[Consumption]:
    model = operation.receiver if isinstance(operation.receiver, Model) else None
    pairs = [(operation.argument(first, "x"), operation.argument(second, "y") if second is not None else UNKNOWN)]
    held_out = operation.keywords.get("validation_data")
    if isinstance(held_out, Items) and len(held_out.items) >= 2:
        pairs.append((held_out.items[0], held_out.items[1]))
    for pair in pairs:
        inputs, targets = _of_set(*pair)
        for place, value in enumerate(inputs.items if isinstance(inputs, Items) else [inputs]):
            yield from _roles(value, "input", operation, model, place=place)
        yield from _roles(targets, "target", operation, model)


def _of_set(inputs: Value, targets: Value) -> tuple[Value, Value]:
    """Inputs and targets where both come out of one data set."""
    element = inputs.arguments.get("element") if isinstance(inputs, Other) else None
    if isinstance(element, Items) and len(element.items) > 1:
        return element.items[0], element.items[1]
    return inputs, targets


def _of_loss(operation: Operation) -> Iterator[Consumption]:
    first, second = operation.argument(0, "input"), operation.argument(1, "target")
    tagged_first = bool(list(_tags(first)))
    made_by_network = isinstance(first, Tensor) and (first.made_by or "").startswith(("apply", "Model", "torch.nn"))
    if tagged_first and not made_by_network and isinstance(second, Tensor) and second.made_by:
        first, second = second, first  # Keras gives the truth first
    yield from _roles(second, "target", operation, None, first)


def _axes(operation: Operation) -> int:
    """How many axes a permutation of axes has."""
    perm = operation.keywords.get("perm") or operation.keywords.get("axes")
    given = perm or (operation.positional[-1] if operation.positional else UNKNOWN)
    if isinstance(given, Items):
        return len(given.items)
    return len(operation.positional) if operation.name.endswith("permute") else 0


def _of_difference(operation: Operation) -> Iterator[Consumption]:
    """``model(x) - y``: what is taken from a network's output is its target."""
    for output, target in (operation.positional, operation.positional[::-1]):
        if isinstance(output, Tensor) and _comes_from_layer(output) and list(_tags(target)):
            yield from _roles(target, "target", operation, None, output)


def _comes_from_layer(value: Tensor, depth: int = 0) -> bool:
    if any(isinstance(part, Layer | Model) for part in value.inputs):
        return True
    return depth < 12 and any(isinstance(part, Tensor) and _comes_from_layer(part, depth + 1) for part in value.inputs)


def _roles(
    value: Value, role: str, operation: Operation, model: Model | None, output: Value = UNKNOWN, place: int = 0
) -> Iterator[Consumption]:
    for tag, way in _tags(value):
        yield Consumption(tag, role, operation, model, output, place, way)


def _tags(value: Value, way: tuple[Tensor, ...] = (), depth: int = 0) -> Iterator[tuple[str, tuple[Tensor, ...]]]:
    """The tags that a value goes back to without passing through a layer, and the reshaped tensors on the way."""
    if isinstance(value, Items):
        for item in value.items[:8]:
            yield from _tags(item, way, depth + 1)
        return
    if not isinstance(value, Tensor) or depth > 20:
        return
    own = [fact.removeprefix(TAG) for fact in value.facts if fact.startswith(TAG)]
    name = (value.made_by or "").rsplit(".", 1)[-1]
    further = (value, *way) if name in _RESHAPES else way
    inner = [part for part in value.inputs if isinstance(part, Tensor)]
    if any(isinstance(part, Layer | Model) for part in value.inputs):
        return
    deeper = [found for part in inner[:2] for found in _tags(part, further, depth + 1)]
    if deeper:
        yield from deeper
    else:
        yield from ((tag, further) for tag in own)
