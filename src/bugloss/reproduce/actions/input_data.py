"""Input data generation (A1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from bugloss.core.reproduction import StandInFor
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.contract import Action, EditEvidence, EditExample, Proposal
from bugloss.reproduce.data.block import write_block
from bugloss.reproduce.data.gaps import missing
from bugloss.reproduce.data.solving import solve
from bugloss.reproduce.data.spec import StandInData
from bugloss.reproduce.program.draft import Draft, LineOrigin, parsed
from bugloss.reproduce.program.rewriting import insert_before
from bugloss.reproduce.stack.imports import dialect

_MOST = 40


class InputDataGeneration(Action):
    """Writes stand-in data with the shape, type and range that the report states or implies.

    ## What it does
    Writes a block that makes every array, tensor, loader or data function that the program uses and the report does
    not give. Classes differ and values follow from the inputs, so that a network can learn from them. When the first
    choice does not show the failure, it offers others that differ in one respect.

    ## When it applies
    Names are undefined that are fed to a network or a loss, iterated, reshaped, or called like data.

    ## What it rests on
    The network's first layer and declared input, the loss and the last layer, shapes that the report gives by name, and
    what the error message says of its operands; numbers in words ("six classes", "12 x 12 pixels").

    ## Example
    `model.fit(X, y)` behind `Dense(3, input_shape=(4,))` gets 64 rows of four numbers.

    ## Known problems
    Symptoms that hang on the very data (rare classes, a particular unit) may not appear with stand-ins.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A1.
    """

    action = EditAction.INPUT_DATA_GENERATION
    examples = (
        EditExample(
            "import torch\nmodel = torch.nn.Linear(4, 2)\nout = model(x)\n",
            "import torch\nmodel = torch.nn.Linear(4, 2)\n"
            "# stand-in data: the report does not give it\n#   x: Linear(4, 2) takes it\n"
            "import numpy as np\nstand_in = np.random.default_rng(0)\n"
            'x = stand_in.normal(size=(64, 4)).astype("float32")\nx = torch.from_numpy(x)\n'
            "out = model(x)\n",
        ),
    )

    def find(self, program: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        if parsed(program.text) is None:
            return
        bare = program.without_data
        gaps = missing(bare.text, evidence)
        if evidence.expectation.is_about("NameError"):
            gaps = [gap for gap in gaps if not evidence.expectation.speaks_of(gap.name)]
        complete = program.decisions.data is not None and not missing(program.text, evidence)
        if not gaps or (complete and evidence.run is None):
            return
        spoken = dialect(bare.text, evidence)
        line = min(gap.line for gap in gaps)
        for data in islice(solve(bare.text, evidence, gaps), _MOST if evidence.run is not None else 1):
            text = insert_before(bare.text, line, write_block(data, spoken, bare.text))
            if text != program.text:
                yield self._proposal(text, data, bare)

    def _proposal(self, text: str, data: StandInData, bare: Draft) -> Proposal:
        first = data.specs[0]
        known = all(spec.quotes for spec in data.specs)
        return Proposal(
            text,
            f"stand-in data{f' ({data.variant})' if data.variant else ''} for {_names(data)}: {first.why}",
            tuple(quote for spec in data.specs for quote in spec.quotes),
            LineOrigin.DATA,
            "" if known else f"What shape and type does {first.name} have, and what are two sample rows?",
            frozenset({StandInFor.DATA}),
            bare,
            replace(bare.decisions, data=data),
        )


def _names(data: StandInData) -> str:
    return ", ".join(spec.name for spec in data.specs)
