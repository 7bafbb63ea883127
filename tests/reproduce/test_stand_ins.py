"""Stand-ins for what the environment lacks, and probes that print what shows a symptom."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

import pytest
from pretended_runs import reading_of

from bugloss.reproduce.actions.imports import ImportAddition
from bugloss.reproduce.actions.logging_probes import Logging
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.expected.symptoms import SymptomKind
from bugloss.reproduce.program.draft import Draft
from bugloss.reproduce.stand_ins import stand_in_for
from bugloss.run.environment import Environment
from bugloss.workflows.laboratory import Sandboxed

TORCH = {"torch": "2.13.0", "numpy": "2.4.6"}
LOOP = "for (x,) in loader:\n    loss = F.mse_loss(model(x), x)\n    total += loss\n"


def looking_for(*kinds: SymptomKind, body: str = "It fails.") -> EditEvidence:
    expectation = Expectation(ExpectationKind.SYMPTOM, symptoms=kinds)
    return EditEvidence(reading_of(body), expectation, TORCH, frozenset(TORCH))


def test_an_import_of_a_package_that_is_not_there_is_not_added() -> None:
    """A package without a stand-in was imported and commented out, some forty times over."""
    draft = Draft.reported("picture = nib.load(path)\n")
    assert list(ImportAddition().find(draft, looking_for(SymptomKind.NAN))) == []
    (known,) = ImportAddition().find(Draft.reported("table = pd.DataFrame()\n"), looking_for(SymptomKind.NAN))
    assert known.text.startswith("import pandas as pd\n")


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("now = datetime.datetime.now()\n", "import datetime\n"),
        ("now = datetime.now()\n", "from datetime import datetime\n"),
    ],
)
def test_a_module_that_is_named_like_what_is_in_it(text: str, statement: str) -> None:
    proposal = next(ImportAddition().find(Draft.reported(text), looking_for(SymptomKind.NAN)))
    assert proposal.text == statement + text


def test_the_memory_in_use_is_printed_in_every_iteration() -> None:
    (proposal, *_) = Logging().find(Draft.reported(LOOP), looking_for(SymptomKind.MEMORY))
    last = proposal.text.rstrip().split("\n")[-1]
    assert last.startswith('    print("memory in use"')
    after = proposal.applied_to(Draft.reported(LOOP))
    assert [*Logging().find(after, looking_for(SymptomKind.MEMORY))] == []


def test_whoever_complains_about_accuracy_does_not_mean_the_range_of_the_outputs() -> None:
    """Scores before a sigmoid lie anywhere; printed as answers they would always be out of range."""
    text, plain = "model.fit(x, y, verbose=2)\n", looking_for(SymptomKind.RANGE, body="Accuracy is 2.5")
    spoken = replace(plain, expectation=replace(plain.expectation, quotes=(plain.quote(0, 8),)))
    assert "range of answers" in next(Logging().find(Draft.reported(text), plain)).text
    assert "range of answers" not in next(Logging().find(Draft.reported(text), spoken)).text


PROGRAM = """{stand_ins}
import numpy as np
picture = np.array(Image.open("screen.png"))
print(picture.shape, np.array(Image.open("a.jpg").convert("L").resize((8, 6))).shape)
net = models.densenet121()
print(tuple(net.features.conv0.weight.shape), tuple(net(torch.zeros(1, 3, 64, 64)).shape))
bert = BertModel.from_pretrained("bert-base-cased")
found = bert(input_ids=torch.zeros(2, 5, dtype=torch.long))
first, second = found
print(first, tuple(found[0].shape), tuple(found.pooler_output.shape))
"""
IMPORTS = "from PIL import Image\nfrom torchvision import models\nfrom transformers import BertModel\n"


@pytest.mark.stack
def test_stand_ins_have_the_names_and_shapes_of_the_real_ones(stack: Callable[[str], Environment]) -> None:
    parts = []
    for statement in ast.parse(IMPORTS).body:
        assert isinstance(statement, ast.ImportFrom)
        made = stand_in_for(statement, PROGRAM.format(stand_ins="pass"))
        assert made is not None
        parts.append(made.code)
    with Sandboxed(stack("torch"), seconds=120.0, preload=("numpy", "torch")) as laboratory:
        (run,) = laboratory.run([PROGRAM.format(stand_ins="\n".join(parts))])
    assert run.exception is None, run.exception
    assert run.stdout.text.split("\n")[:3] == [
        "(96, 128, 4) (6, 8)",
        "(64, 3, 7, 7) (1, 1000)",
        "last_hidden_state (2, 5, 768) (2, 768)",
    ]
