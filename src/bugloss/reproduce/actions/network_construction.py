"""Neural network construction (A2)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from bugloss.core.python_text import parse_python
from bugloss.core.reproduction import StandInFor
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.completing.architectures import (
    keras_network,
    outputs_for,
    plan_for,
    torch_class,
    torch_layers,
)
from bugloss.reproduce.completing.described import described_network
from bugloss.reproduce.completing.driving import drive, own_networks
from bugloss.reproduce.completing.shapes import stated_shapes
from bugloss.reproduce.completing.submodules import class_around, loose_initialiser, missing_submodules
from bugloss.reproduce.contract import Action, EditEvidence, EditExample, Proposal
from bugloss.reproduce.names.naming import NameKind, names_to_define
from bugloss.reproduce.program.draft import Draft, parsed
from bugloss.reproduce.program.rewriting import insert_before
from bugloss.reproduce.stack.imports import Dialect, dialect
from bugloss.reproduce.templates import render
from bugloss.source.undefined_uses import NameUse

_KERAS_SEQUENTIAL = ("keras.layers", "keras.Sequential([{}])")
_BUILT = frozenset({NameKind.LAYER, NameKind.MODEL, NameKind.MODEL_CLASS, NameKind.MODEL_FUNCTION})


class NeuralNetworkConstruction(Action):
    """Builds or completes the network from what the report says about it, and puts it to work.

    ## What it does
    Puts methods of a network that were pasted without their class back into one. Adds layers that `forward` uses and no
    `__init__` makes. Builds a small network where the report only names its kind. Compiles, trains or calls a network
    that the report shows but does not use.

    ## When it applies
    A network or one of its parts is undefined, or the program ends before anything could fail.

    ## What it rests on
    Code fragments, sizes in the error message, the name of the architecture, the words "fit", "train", "predict".

    ## Example
    `model.add(Dense(3))` without a beginning gets `model = Sequential()`.

    ## Known problems
    A custom block that is only described in words becomes a small stand-in; what is special about it is lost.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A2.
    """

    action = EditAction.NEURAL_NETWORK_CONSTRUCTION
    examples = (
        EditExample(
            "model.add(Dense(3))\n",
            "model = Sequential()  # assumed: layers are added to it\nmodel.add(Dense(3))\n",
            releases={"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"},
            modules=frozenset({"keras", "tensorflow", "numpy"}),
        ),
        EditExample(
            "import torch\nimport torch.nn as nn\ndef __init__(self):\n    self.output = nn.Linear(4, 2)\n"
            "def forward(self, x):\n    return self.output(x)\nnet = Net()\n",
            "import torch\nimport torch.nn as nn\nclass Net(nn.Module):  # assumed: the methods belong to a network\n"
            "    def __init__(self):\n        super().__init__()\n        self.output = nn.Linear(4, 2)\n"
            "    def forward(self, x):\n        return self.output(x)\nnet = Net()\n",
        ),
    )

    def find(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        tree = parsed(program.text)
        if tree is None:
            return
        wrapped = class_around(program.text, tree, dialect(program.text, evidence))
        if wrapped is not None:
            yield Proposal(wrapped, "methods of a network were pasted without their class")
            return
        loose = loose_initialiser(program.text, tree, dialect(program.text, evidence))
        if loose is not None:
            yield Proposal(loose, "layers of a network were pasted without their class")
            return
        for text, why in missing_submodules(program, tree, evidence):
            yield Proposal(text, why, question="Please show the whole class, with its __init__.")
            return
        yield from self._undefined(program, evidence)
        if evidence.run is None or evidence.run.exception is None:
            for driven in drive(program, evidence):
                yield driven
                return

    def _undefined(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        for use, kind in names_to_define(program.text, evidence):
            found = self._definition(use, kind, program, evidence)
            if found is not None:
                yield Proposal(
                    insert_before(program.text, use.line, found.code),
                    f"{use.name} is used, but the report does not show it",
                    stated_shapes(evidence).quotes,
                    question=f"Please show how {use.name} is built.",
                    assumes=frozenset({StandInFor.NETWORK}) if found.is_stand_in else frozenset(),
                )
                return

    def _definition(
        self, use: NameUse, kind: NameKind, program: Draft, evidence: EditEvidence
    ) -> NetworkDefinition | None:
        if kind not in _BUILT:  # before the report and the program are looked through: most names are of other kinds
            return None
        spoken = dialect(program.text, evidence)
        if kind is NameKind.LAYER:
            base, call = (
                ("torch.nn.Module", "forward") if spoken.is_torch else (f"{spoken.prefix}.layers.Layer", "call")
            )
            return NetworkDefinition(render("layer", name=use.name, base=base, call=call))
        if kind is NameKind.MODEL and "add" in use.methods and not spoken.is_torch:
            return NetworkDefinition(f"{use.name} = Sequential()  # assumed: layers are added to it")
        shown = _shown(use, program, evidence, spoken) if kind is NameKind.MODEL and "add" not in use.methods else None
        return shown or _small_network(use, kind, program, evidence, spoken)


@dataclass(frozen=True, slots=True)
class NetworkDefinition:
    """Code that defines a name of a network; ``is_stand_in`` where the report does not contain that network."""

    code: str
    is_stand_in: bool = False


def _shown(use: NameUse, program: Draft, evidence: EditEvidence, spoken: Dialect) -> NetworkDefinition | None:
    """The network that the report shows as a class, or lists in words."""
    own = own_networks(parse_python(program.text))
    if own:
        return NetworkDefinition(f"{use.name} = {own[-1]}  # assumed: it is the network that the report shows")
    words = described_network(evidence.reading, spoken.is_torch)
    if words is None:
        return None
    owner, maker = ("torch.nn", "torch.nn.Sequential({})") if spoken.is_torch else _KERAS_SEQUENTIAL
    layers = ", ".join(f"{owner}.{layer}" for layer in words.layers)
    remark = f'# from the report: "{" ".join(words.quote.text.split())}"'
    return NetworkDefinition(f"{use.name} = {maker.format(layers)}  {remark}")


def _small_network(
    use: NameUse, kind: NameKind, program: Draft, evidence: EditEvidence, spoken: Dialect
) -> NetworkDefinition:
    """A small network of the kind that the report names."""
    stated = stated_shapes(evidence)
    outputs = outputs_for(program.text, evidence.body, stated.classes)
    plan = plan_for(f"{evidence.reading.report.title}\n{evidence.body}", stated.shape, outputs)
    remark = f"# assumed: the report does not show {use.name}; a small {plan.kind} replaces it\n"
    if spoken.is_torch and kind is NameKind.MODEL_CLASS:
        return NetworkDefinition(remark + torch_class(plan, use.name), True)
    if spoken.is_torch:
        lines, value = [], torch_layers(plan)
    else:
        lines, value = (
            keras_network(plan, spoken.prefix, functional=evidence.expectation.speaks_of("Functional")),
            "network",
        )
        if "compile" not in use.methods:
            loss = "binary_crossentropy" if plan.outputs == 1 else "sparse_categorical_crossentropy"
            lines.append(f'network.compile(loss="{loss}", optimizer="adam", metrics=["accuracy"])')
    if kind is NameKind.MODEL:
        return NetworkDefinition(remark + "\n".join([*lines, f"{use.name} = {value}"]), True)
    inner = textwrap.indent("\n".join([*lines, f"return {value}"]), "    ")
    return NetworkDefinition(f"{remark}def {use.name}(*arguments, **options):\n{inner}", True)
