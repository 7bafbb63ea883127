"""Neural network construction (A2)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from bugloss.core.python_text import parse_python
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.completing.architectures import (
    Plan,
    keras_functional,
    keras_layers,
    outputs_for,
    plan_for,
    torch_class,
    torch_layers,
)
from bugloss.reproduce.completing.described import described_network
from bugloss.reproduce.completing.driving import drive, own_networks
from bugloss.reproduce.completing.shapes import told_by
from bugloss.reproduce.completing.submodules import class_around, loose_initialiser, missing_submodules
from bugloss.reproduce.contract import Action, Evidence, Example, Proposal
from bugloss.reproduce.names.naming import NameKind, kinds, open_names
from bugloss.reproduce.names.unresolved import Use
from bugloss.reproduce.program.draft import Draft, parsed
from bugloss.reproduce.program.rewriting import insert_before
from bugloss.reproduce.stack.imports import dialect

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
        Example(
            "model.add(Dense(3))\n",
            "model = Sequential()  # assumed: layers are added to it\nmodel.add(Dense(3))\n",
            releases={"keras": "3.15.1", "tensorflow": "2.21.0", "numpy": "2.4.6"},
            modules=frozenset({"keras", "tensorflow", "numpy"}),
        ),
        Example(
            "import torch\nimport torch.nn as nn\ndef __init__(self):\n    self.output = nn.Linear(4, 2)\n"
            "def forward(self, x):\n    return self.output(x)\nnet = Net()\n",
            "import torch\nimport torch.nn as nn\nclass Net(nn.Module):  # assumed: the methods belong to a network\n"
            "    def __init__(self):\n        super().__init__()\n        self.output = nn.Linear(4, 2)\n"
            "    def forward(self, x):\n        return self.output(x)\nnet = Net()\n",
        ),
    )

    def find(self, program: Draft, evidence: Evidence) -> Iterator[Proposal]:
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

    def _undefined(self, program: Draft, evidence: Evidence) -> Iterator[Proposal]:
        uses = open_names(program.text, evidence)
        for name, kind in kinds(program.text, evidence).items():
            if evidence.expectation.is_about("NameError") and evidence.expectation.speaks_of(name):
                continue
            code = self._definition(uses[name], kind, program, evidence)
            if code is not None:
                text = insert_before(program.text, uses[name].line, code)
                told = told_by(evidence)
                yield Proposal(
                    text,
                    f"{name} is used and the report does not show it",
                    told.quotes,
                    question=f"Please show how {name} is built.",
                    assumes_network="takes its place" in code,
                )
                return

    def _definition(self, use: Use, kind: NameKind, program: Draft, evidence: Evidence) -> str | None:
        if kind not in _BUILT:  # before the report and the program are looked through: most names are of other kinds
            return None
        spoken, told = dialect(program.text, evidence), told_by(evidence)
        shown = own_networks(parse_python(program.text))
        if kind is NameKind.MODEL and shown and "add" not in use.methods:
            return f"{use.name} = {shown[-1]}  # assumed: it is the network that the report shows"
        words = described_network(evidence.reading, spoken.is_torch) if kind is NameKind.MODEL else None
        if words is not None and "add" not in use.methods:
            owner = "torch.nn" if spoken.is_torch else "keras.layers"
            layers = ", ".join(f"{owner}.{layer}" for layer in words.layers)
            maker = "torch.nn.Sequential" if spoken.is_torch else "keras.Sequential"
            given = f"({layers})" if spoken.is_torch else f"([{layers}])"
            return f'{use.name} = {maker}{given}  # from the words "{" ".join(words.quote.text.split())}"'
        outputs = outputs_for(program.text, evidence.body, told.classes)
        plan = plan_for(f"{evidence.reading.report.title}\n{evidence.body}", told.shape, outputs)
        prefix = "tf.keras" if spoken.keras == "tensorflow.keras" else "keras"
        if kind is NameKind.LAYER:
            return _stand_in_layer(use, spoken.is_torch, prefix)
        if kind is NameKind.MODEL and "add" in use.methods and not spoken.is_torch:
            return f"{use.name} = Sequential()  # assumed: layers are added to it"
        remark = f"# assumed: the report does not show {use.name}; a small {plan.kind} takes its place\n"
        if spoken.is_torch:
            return remark + _torch_network(use, kind, torch_class(plan, use.name), torch_layers(plan))
        loss = "binary_crossentropy" if plan.outputs == 1 else "sparse_categorical_crossentropy"
        lines = keras_network(plan, prefix, functional=evidence.expectation.speaks_of("Functional"))
        if "compile" not in use.methods:
            lines.append(f'network.compile(loss="{loss}", optimizer="adam", metrics=["accuracy"])')
        if kind is NameKind.MODEL:
            return remark + "\n".join([*lines, f"{use.name} = network"])
        inner = textwrap.indent("\n".join(lines), "    ")
        return remark + f"def {use.name}(*arguments, **options):\n{inner}\n    return network"


def keras_network(plan: Plan, prefix: str, functional: bool) -> list[str]:
    """The lines that build a planned network in Keras and call it ``network``."""
    layers = keras_layers(plan, prefix)
    if functional:
        return keras_functional(layers, prefix, plan.shape)
    return [f"network = {prefix}.Sequential([", *(f"    {layer}," for layer in layers), "])"]


def _torch_network(use: Use, kind: NameKind, whole: str, layers: str) -> str:
    if kind is NameKind.MODEL_CLASS:
        return whole
    if kind is NameKind.MODEL_FUNCTION:
        return f"def {use.name}(*arguments, **options):\n    return {layers}"
    return f"{use.name} = {layers}"


def _stand_in_layer(use: Use, torch: bool, prefix: str) -> str:
    remark = f"# assumed: the report does not show {use.name}; it hands on what it is given\n"
    base = "torch.nn.Module" if torch else f"{prefix}.layers.Layer"
    call = "forward" if torch else "call"
    return (
        f"{remark}class {use.name}({base}):\n"
        "    def __init__(self, *arguments, **options):\n        super().__init__()\n\n"
        f"    def {call}(self, x, *more, **options):\n        return x"
    )
