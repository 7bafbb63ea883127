"""Input data generation (A1)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.contract import Action, Evidence, Example, Proposal
from bugloss.reproduce.data.gaps import missing
from bugloss.reproduce.data.solving import solve
from bugloss.reproduce.data.spec import Solution
from bugloss.reproduce.data.writing import BEGIN, block, without_block
from bugloss.reproduce.program.draft import Draft, parsed
from bugloss.reproduce.program.rewriting import insert_before
from bugloss.reproduce.stack.imports import dialect

_MOST = 40


class InputDataGeneration(Action):
    """Makes up input data with the shape, type and range that the report tells or implies.

    ## What it does
    Writes a block that makes up every array, tensor, loader or data function that the program uses and the report does
    not give. Classes can be told apart and values follow from the inputs, so that a network that does not learn has no
    excuse. When the first choice does not show the failure, it offers others that differ in one respect.

    ## When it applies
    Names are undefined that are fed to a network or a loss, iterated, reshaped, or called like data.

    ## What it rests on
    The network's first layer and declared input, the loss and the last layer, shapes that the report gives by name, and
    what the error message says of its operands; numbers in words ("six classes", "12 x 12 pixels").

    ## Example
    `model.fit(X, y)` behind `Dense(3, input_shape=(4,))` gets 64 rows of four numbers.

    ## Known problems
    Symptoms that hang on the very data (rare classes, a particular unit) may not appear with made-up ones.

    ## References
    Shah, Rahman, Khomh: "Towards Enhancing the Reproducibility of Deep Learning Bugs" (EMSE 2025), edit action A1.
    """

    action = EditAction.INPUT_DATA_GENERATION
    examples = (
        Example(
            "import torch\nmodel = torch.nn.Linear(4, 2)\nout = model(x)\n",
            "import torch\nmodel = torch.nn.Linear(4, 2)\n"
            "# made-up data: the report does not give it\n#   x: Linear on line 2 takes it\n"
            "import numpy as np\nmade_up = np.random.default_rng(0)\n"
            'x = made_up.normal(size=(64, 4)).astype("float32")\nx = torch.from_numpy(x)\n# end of made-up data\n'
            "out = model(x)\n",
        ),
    )

    def find(self, program: Draft, evidence: Evidence) -> Iterator[Proposal]:
        if parsed(program.text) is None:
            return
        bare = without_block(program.text)
        has_block = BEGIN in program.text
        gaps = missing(bare, evidence)
        if evidence.expectation.is_about("NameError"):
            gaps = [gap for gap in gaps if not evidence.expectation.speaks_of(gap.name)]
        if not gaps or (has_block and evidence.run is None and len(missing(program.text, evidence)) == 0):
            return
        spoken = dialect(bare, evidence)
        line = min(gap.line for gap in gaps)
        for solution in islice(solve(bare, evidence, gaps), _MOST if evidence.run is not None else 1):
            text = insert_before(bare, line, block(solution, spoken, bare))
            if text != program.text:
                yield self._proposal(text, solution)

    def _proposal(self, text: str, solution: Solution) -> Proposal:
        names = ", ".join(spec.name for spec in solution.specs)
        twist = f" ({solution.twist})" if solution.twist else ""
        quotes = tuple(quote for spec in solution.specs for quote in spec.quotes)
        known = all(spec.quotes for spec in solution.specs)
        question = (
            "" if known else f"What shape and type does {solution.specs[0].name} have, and what are two sample rows?"
        )
        return Proposal(text, f"{names} made up{twist}: {solution.specs[0].why}", quotes, question=question)
