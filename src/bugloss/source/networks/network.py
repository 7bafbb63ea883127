"""A network as a chain of steps, read back from a tensor: the same view for Keras and PyTorch, whatever the style."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.network.activation import activation
from bugloss.core.network.layer import LayerFamily, family_of, torch_layers
from bugloss.source.program import Program
from bugloss.source.semantics.keras_layers import activation_of
from bugloss.source.values.values import Items, Layer, Operation, Shape, Tensor, Value, integer_of

LONGEST_CHAIN = 400

RESHAPES = frozenset(
    [
        "view",
        "reshape",
        "flatten",
        "squeeze",
        "unsqueeze",
        "permute",
        "transpose",
        "swapaxes",
        "t",
        "T",
        "getitem",
        "expand_dims",
        "contiguous",
        "view_as",
    ]
)
_SAME = frozenset(
    ["to", "cuda", "cpu", "float", "double", "half", "clone", "detach", "identity", "requires_grad_", "type_as"]
)
_POOLS = frozenset(["max_pool", "avg_pool", *(row.function for row in torch_layers(LayerFamily.POOLING))])
_LIBRARIES = ("torch.", "Tensor.", "keras.activations.", "keras.ops.", "tensorflow.", "keras.backend.")


@dataclass(frozen=True, slots=True, eq=False)
class NetworkStep:
    """One thing a network does: its role, its name (an activation's in lower case), and what goes in and out."""

    role: str
    name: str
    tensor: Tensor
    before: tuple[Value, ...]
    layer: Layer | None
    node: ast.AST

    @property
    def shape_in(self) -> Shape | None:
        first = self.before[0] if self.before else None
        return first.shape if isinstance(first, Tensor) else None

    @property
    def units(self) -> int | None:
        """How many outputs or channels a layer with weights makes."""
        if self.layer is None:
            return None
        keys = ("units", "filters", "out_features", "out_channels")
        return next((self.layer.integer(key) for key in keys if key in self.layer.arguments), None)

    @property
    def is_batch_norm(self) -> bool:
        return self.role == "norm" and self.name.startswith(("BatchNorm", "LazyBatchNorm"))


def chain(value: Value) -> Iterator[NetworkStep]:
    """The steps that made a tensor, the last one first, as far back as the way is single and known."""
    for _ in range(LONGEST_CHAIN):
        if not isinstance(value, Tensor) or value.made_by is None:
            return
        steps = steps_of(value)
        yield from steps
        before = steps[-1].before
        if len(before) != 1:
            return
        value = before[0]


def steps_of(tensor: Tensor) -> list[NetworkStep]:
    """The step that made a tensor; two when a layer brings its activation along."""
    layer = next((value for value in tensor.inputs if isinstance(value, Layer)), None)
    node = tensor.node or ast.Pass()
    if layer is None:
        return [_function_step(tensor, node)]
    before = _operands(tensor)
    inner = layer.arguments.get("layer") if layer.name in {"TimeDistributed", "Bidirectional"} else None
    seen = inner if isinstance(inner, Layer) else layer
    role = role_of(seen)
    if role == "activation":
        return [NetworkStep(role, _activation_name(seen), tensor, before, layer, layer.node)]
    made = NetworkStep(role, seen.name, tensor, before, seen, layer.node)
    attached = attached_activation(seen)
    if attached == "linear":
        return [made]
    return [NetworkStep("activation", attached or "?", tensor, (tensor,), layer, layer.node), made]


def attached_activation(layer: Layer) -> str | None:
    """The activation that a Keras layer applies itself: ``linear`` for none, None when it cannot be known."""
    if layer.framework != "keras" or role_of(layer) not in {"dense", "conv", "recurrent"}:
        return "linear"
    if role_of(layer) == "recurrent" and "activation" not in layer.arguments:
        return "tanh"
    return activation_of(layer)


def _activation_name(layer: Layer) -> str:
    if layer.name == "Activation":
        return activation_of(layer) or "?"
    known = activation(layer.name)
    return known.name if known is not None else layer.name.lower()


def role_of(layer: Layer) -> str:
    """What a layer is for: dense, conv, pool, norm, activation …; other when no table knows it."""
    return family_of(layer.name, layer.framework).value


def _operands(tensor: Tensor) -> tuple[Value, ...]:
    """What went in, without the layer itself."""
    first = tensor.inputs[0] if tensor.inputs else None
    if isinstance(first, Items):
        return tuple(first.items)
    return tuple(value for value in tensor.inputs if not isinstance(value, Layer))


def _function_step(tensor: Tensor, node: ast.AST) -> NetworkStep:
    made_by = tensor.made_by or ""
    name = made_by.rsplit(".", 1)[-1]
    before = tuple(value for value in tensor.inputs if isinstance(value, Tensor)) or tensor.inputs[:1]
    return NetworkStep(_function_role(made_by, name), name.rstrip("_"), tensor, before, None, node)


def _function_role(made_by: str, name: str) -> str:
    if made_by == "keras.Input":
        return "input"
    if name in RESHAPES:
        return "reshape"
    if not made_by.startswith(_LIBRARIES):
        return "merge" if made_by.startswith("operator.") else "other"
    known = activation(name)
    # torch.nn.functional.linear is a dense layer, not the activation of that name.
    if known is not None and (not known.is_identity or made_by.startswith("keras.activations.")):
        return "activation"
    if name in _SAME:
        return "same"
    if name in _POOLS:
        return "pool"
    return "dropout" if name.startswith(("dropout", "alpha_dropout")) else "other"


def is_linear(step: NetworkStep) -> bool:
    """An activation that changes nothing."""
    return step.role == "activation" and step.name in {"linear", "identity"}


def applications(program: Program, *roles: str) -> Iterator[tuple[Operation, NetworkStep, Iterator[NetworkStep]]]:
    """Each layer or call of a function of one of these roles, once, with the steps before it, nearest first."""
    index = program.remembered(_index_steps)
    for role in roles:
        for operation, step, attached in index.get(role, ()):
            yield operation, step, _steps_before(step, attached)


def _index_steps(program: Program) -> dict[str, list[tuple[Operation, NetworkStep, list[NetworkStep]]]]:
    """All steps by role, each with the other steps of the same layer that come before it."""
    index: dict[str, list[tuple[Operation, NetworkStep, list[NetworkStep]]]] = {}
    seen: set[tuple[int, int]] = set()
    for operation in program.operations:
        made = operation.result
        if not isinstance(made, Tensor) or made.made_by is None:
            continue
        for place, step in enumerate(steps := steps_of(made)):
            key = (id(step.layer or step.node), place)
            if key not in seen:
                seen.add(key)
                index.setdefault(step.role, []).append((operation, step, steps[place + 1 :]))
    return index


def _steps_before(step: NetworkStep, attached: list[NetworkStep]) -> Iterator[NetworkStep]:
    yield from attached
    yield from _before(attached[-1] if attached else step)


def _before(step: NetworkStep) -> Iterator[NetworkStep]:
    if len(step.before) == 1:
        yield from chain(step.before[0])


def straight_networks(program: Program) -> list[list[NetworkStep]]:
    """The steps of each network from its input to its output, for networks without branches."""
    return program.remembered(_find_straight)


def _find_straight(program: Program) -> list[list[NetworkStep]]:
    found: dict[int, list[NetworkStep]] = {}
    for model in program.models:
        steps = list(chain(model.outputs[0])) if len(model.outputs) == 1 else []
        if len(steps) > 2 and steps[-1].role != "merge":
            found.setdefault(id(steps[0].node), list(reversed(steps)))
    return list(found.values())


def kernel_of(step: NetworkStep) -> int | None:
    """The kernel's size along the last axis, when it is known."""
    value = step.layer.arguments.get("kernel_size") if step.layer is not None else None
    if isinstance(value, Items):
        value = value.items[-1] if value.items else None
    return None if value is None else integer_of(value)


def is_plain_convolution(step: NetworkStep) -> bool:
    """A convolution that is neither transposed nor depthwise."""
    return step.role == "conv" and not re.search("Transpose|Depthwise|Separable", step.name)


def consumers(program: Program) -> dict[int, int]:
    """How many layers and calls take each tensor, by the tensor's identity."""
    return program.remembered(_count_consumers)


def _count_consumers(program: Program) -> dict[int, int]:
    takers: dict[int, set[int]] = {}
    for operation in program.operations:
        made = operation.result
        for value in _operands(made) if isinstance(made, Tensor) else ():
            if isinstance(value, Tensor):
                taker = next((part for part in made.inputs if isinstance(part, Layer)), operation.node)  # type: ignore[union-attr]
                takers.setdefault(id(value), set()).add(id(taker))
    return {tensor: len(found) for tensor, found in takers.items()}
